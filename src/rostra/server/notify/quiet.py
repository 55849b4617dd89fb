"""When a person may be disturbed."""

import datetime
import zoneinfo

from rostra.server import schema

DAY = 24 * 3600 * 1000


def known_zone(name: str) -> bool:
    """Whether there is such a time zone."""
    try:
        zoneinfo.ZoneInfo(name)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError):
        return False
    return True


def quiet_until(taste: schema.NotifyTaste, now: int) -> int | None:
    """When the quiet hours end; None outside them. They are those of the wall clock, also when it is put forward."""
    if taste.quiet is None or taste.quiet.start == taste.quiet.end:
        return None
    zone = zoneinfo.ZoneInfo(taste.zone if known_zone(taste.zone) else "UTC")
    local = datetime.datetime.fromtimestamp(now / 1000, zone)
    minute, start, end = local.hour * 60 + local.minute, taste.quiet.start, taste.quiet.end
    inside = start <= minute < end if start < end else minute >= start or minute < end
    if not inside:
        return None
    day = local.date() + datetime.timedelta(days=int(minute >= end))
    over = datetime.datetime(day.year, day.month, day.day, end // 60, end % 60, tzinfo=zone)
    return max(now + 1, int(over.timestamp() * 1000))
