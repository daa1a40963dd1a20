"""A small table of figures."""

import math

from usim.report.tables import Table
from usim.stats import Interval

TABLE = Table(
    "means",
    "Means",
    ("what", "pairs", "USim", "AUC"),
    (("a|b", 3, Interval(0.5, 0.25, 1.0), 0.75), ("none", 0, None, math.nan)),
    "of something",
)
