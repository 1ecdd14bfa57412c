"""What readers agree on beforehand: the order in slash dates, and when seasons are."""

from dataclasses import dataclass
from typing import Literal

DateOrder = Literal["month_first", "day_first"]
Seasons = Literal["northern", "southern"]


@dataclass(frozen=True, slots=True)
class Customs:
    """How a bank's people write dates; the same for their questions and their memories."""

    date_order: DateOrder = "month_first"  # 3/4/2025 is 4 March; day_first: 3 April
    seasons: Seasons = "northern"  # summer is June to August; southern: December to February


USUAL = Customs()
