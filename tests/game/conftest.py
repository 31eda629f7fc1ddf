from __future__ import annotations

from hypothesis import HealthCheck, settings

# The same examples everywhere: a failure seen once is seen by everybody.
settings.register_profile(
    "rules",
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("rules")
