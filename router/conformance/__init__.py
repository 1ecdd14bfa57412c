"""What every lane owes its caller, as checks that the authors of plug-ins run over their own."""

from router.conformance.bed import Bed, NotConforming, open_bed
from router.conformance.checks import CHECKS

__all__ = ["CHECKS", "Bed", "NotConforming", "open_bed"]
