"""The settings of the embedded server, fitted to the machine."""

import os
import sys
from collections.abc import Mapping
from pathlib import Path

MB = 1024 * 1024
MAX_SHARED_BUFFERS_MB = 512
MAINTENANCE_MB = 256
CGROUP_LIMITS = (
    Path("/sys/fs/cgroup/memory.max"),
    Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"),
)


def server_settings(
    socket_dir: Path, *, memory_bytes: int, shared_memory_bytes: int
) -> Mapping[str, str]:
    """Postgres' settings by name. Later lines of postgresql.conf and ALTER SYSTEM still win."""
    buffers_mb = max(16, min(memory_bytes // 4 // MB, MAX_SHARED_BUFFERS_MB))
    # A parallel index build keeps maintenance_work_mem in /dev/shm, which containers cut to 64 MB.
    may_build_parallel = shared_memory_bytes > 2 * MAINTENANCE_MB * MB
    # After a crash every file is synced before recovery: 4 s one by one, .01 s as a whole system.
    sync = {"recovery_init_sync_method": "syncfs"} if sys.platform == "linux" else {}
    return {
        **sync,
        "listen_addresses": "",  # the socket's folder is the only door, and only we may enter it
        "unix_socket_directories": '"{}"'.format(str(socket_dir).replace('"', '""')),
        "unix_socket_permissions": "0700",
        "port": "5432",
        "shared_buffers": f"{buffers_mb}MB",
        "maintenance_work_mem": f"{MAINTENANCE_MB}MB",
        "work_mem": "16MB",
        "max_wal_size": "2GB",
        "random_page_cost": "1.1",  # solid-state disks; the default speaks of spinning ones
        "max_connections": "50",
        "max_parallel_workers_per_gather": "0",  # five lanes at once are parallel enough
        "max_parallel_maintenance_workers": "2" if may_build_parallel else "0",
        "jit": "off",  # compiles longer than our statements run
        "timezone": "UTC",
        "log_timezone": "UTC",
    }


def as_conf(settings: Mapping[str, str]) -> str:
    """Return the text of a configuration file with these settings."""
    lines = ["# Written at every start; put your own settings into postgresql.conf, below include."]
    for name, value in settings.items():
        quoted = value.replace("\\", "\\\\").replace("'", "''")
        lines.append(f"{name} = '{quoted}'")
    return "\n".join(lines) + "\n"


def memory_bytes() -> int:
    """Bytes of memory we may use: the machine's, or the container's limit if that is lower."""
    limits = [os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")]
    for path in CGROUP_LIMITS:
        try:
            limits.append(int(path.read_text()))
        except (OSError, ValueError):  # no such hierarchy, or the word "max"
            continue
    return min(limits)


def shared_memory_bytes() -> int:
    """Free bytes under /dev/shm; without bound on systems that share memory in another way."""
    try:
        facts = os.statvfs("/dev/shm")  # noqa: S108 - asked for its size only
    except OSError:
        return sys.maxsize
    return facts.f_bavail * facts.f_frsize
