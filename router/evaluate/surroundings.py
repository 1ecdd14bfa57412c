"""What a measurement was made with and beside: versions and the machine's load."""

import os
import platform
from importlib.metadata import PackageNotFoundError, version

from router.wiring import Service

PACKAGES = ("fivefold", "sentence-transformers", "torch", "numpy", "pytrec-eval-terrier")


def load_average() -> list[float] | None:
    """Processes waiting or running over 1, 5 and 15 minutes; None where nobody counts them."""
    try:
        return [round(value, 2) for value in os.getloadavg()]
    except OSError:
        return None


async def versions(service: Service) -> dict[str, str | int | None]:
    """Versions of what the numbers depend on, and the processors they were shared by."""
    async with service.transaction("all") as conn:
        cursor = await conn.execute(
            "select current_setting('server_version'),"
            " (select extversion from pg_extension where extname = 'vector')"
        )
        postgres, pgvector = await cursor.fetchone() or (None, None)
    found: dict[str, str | int | None] = {name: _version(name) for name in PACKAGES}
    return {
        **found,
        "python": platform.python_version(),
        "postgres": postgres,
        "pgvector": pgvector,
        "cpus": os.cpu_count(),
    }


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:  # run from a checkout that was never installed
        return None
