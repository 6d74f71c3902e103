"""The calendar half of `time`: what a program gets from there once it asks for one of these names."""

import time as _time
from _time import localtime as _localtime, gmtime as _gmtime, mktime as _mktime, strftime as _strftime
from _operator import index as _index

__name__ = "time"

_FIELDS = ("tm_year", "tm_mon", "tm_mday", "tm_hour", "tm_min", "tm_sec", "tm_wday", "tm_yday", "tm_isdst")
_HIDDEN = ("tm_zone", "tm_gmtoff")


class struct_time(tuple):
    """A moment by the calendar: nine items, which have names, and two more that have nothing else."""

    __match_args__ = _FIELDS
    n_fields = 11
    n_sequence_fields = 9
    n_unnamed_fields = 0

    def __new__(cls, sequence, dict={}):
        try:
            items = tuple(sequence)
        except TypeError:
            raise TypeError("constructor requires a sequence") from None
        if len(items) < 9:
            raise TypeError(f"time.struct_time() takes an at least 9-sequence ({len(items)}-sequence given)")
        if len(items) > 11:
            raise TypeError(f"time.struct_time() takes an at most 11-sequence ({len(items)}-sequence given)")
        self = super().__new__(cls, items[:9])
        for index, name in enumerate(_HIDDEN, 9):
            self.__dict__[name] = items[index] if index < len(items) else dict.get(name)
        return self

    def __setattr__(self, name, value):
        if name in _FIELDS or name in _HIDDEN:
            raise AttributeError("readonly attribute")
        raise AttributeError(f"'time.struct_time' object has no attribute '{name}'")

    def __repr__(self):
        shown = ", ".join([f"{name}={value!r}" for name, value in zip(_FIELDS, self)])
        return f"time.struct_time({shown})"

    def __reduce__(self):
        return struct_time, (tuple(self), {name: self.__dict__[name] for name in _HIDDEN})

    def __replace__(self, /, **changes):
        values = [changes.pop(name, getattr(self, name)) for name in _FIELDS + _HIDDEN]
        if changes:
            raise TypeError(f"Got unexpected field name(s): {list(changes)}")
        return struct_time(values)


def _field(index):
    return property(lambda self: self[index])


for _place, _name in enumerate(_FIELDS):
    setattr(struct_time, _name, _field(_place))
del _place, _name


def _seconds(seconds):
    """Whole seconds of a timestamp, rounded down; now, if there is none."""
    if seconds is None:
        return _time.time_ns() // 10 ** 9
    if isinstance(seconds, float):
        if seconds != seconds:
            raise ValueError("Invalid value NaN (not a number)")
        if not -2.0 ** 63 <= seconds < 2.0 ** 63:
            raise OverflowError("timestamp out of range for platform time_t")
        return int(seconds // 1)
    seconds = _index(seconds)
    if not -2 ** 63 <= seconds < 2 ** 63:
        raise OverflowError("timestamp out of range for platform time_t")
    return seconds


def gmtime(seconds=None, /):
    return struct_time(_gmtime(_seconds(seconds)))


def localtime(seconds=None, /):
    return struct_time(_localtime(_seconds(seconds)))


def _parts(moment, function):
    """The nine items in C's counting, and the zone."""
    if not isinstance(moment, tuple):
        raise TypeError("Tuple or struct_time argument required")
    if len(moment) != 9:
        raise TypeError(f"{function}(): illegal time tuple argument")
    year, month, day, hour, minute, second, weekday, yearday, dst = map(_index, moment)
    zone, offset = getattr(moment, "tm_zone", None), getattr(moment, "tm_gmtoff", None)
    return [year - 1900, month - 1, day, hour, minute, second, (weekday + 1) % 7, yearday - 1, dst, zone, offset]


_RANGES = (
    (1, 0, 11, "month"), (2, 1, 31, "day of month"), (3, 0, 23, "hour"), (4, 0, 59, "minute"),
    (5, 0, 61, "seconds"), (6, 0, 6, "day of week"), (7, 0, 365, "day of year"),
)


def _checked(parts):
    """Zeros stand for the first month and day."""
    for index, low, high, name in _RANGES:
        if parts[index] == low - 1 and index in (1, 2, 7):
            parts[index] = low
        if not low <= parts[index] <= high:
            raise ValueError(f"{name} out of range")
    return parts


def mktime(moment, /):
    return float(_mktime(_parts(moment, "mktime")[:9]))


def strftime(format, moment=None, /):
    if not isinstance(format, str):
        raise TypeError(f"strftime() argument 1 must be str, not {type(format).__name__}")
    parts = _checked(_parts(localtime() if moment is None else moment, "strftime"))
    parts[8] = (parts[8] > 0) - (parts[8] < 0)
    return _strftime(format, parts)


_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
           "November", "December")


def asctime(moment=None, /):
    parts = _checked(_parts(localtime() if moment is None else moment, "asctime"))
    year, month, day, hour, minute, second, weekday = parts[:7]
    return (f"{_DAYS[weekday - 1][:3]} {_MONTHS[month][:3]} {day:2} {hour:02}:{minute:02}:{second:02} "
            f"{year + 1900}")


def ctime(seconds=None, /):
    return asctime(localtime(seconds))


def _zones():
    year = (365 * 24 + 6) * 3600
    start = _time.time_ns() // 10 ** 9 // year * year
    january, july = localtime(start), localtime(start + year // 2)
    if january.tm_gmtoff > july.tm_gmtoff:
        january, july = july, january
    return (-january.tm_gmtoff, -july.tm_gmtoff, int(january.tm_gmtoff != july.tm_gmtoff),
            (january.tm_zone, july.tm_zone))


timezone, altzone, daylight, tzname = _zones()


# ---- strptime

def _number(text, at, digits):
    end = at
    while end < len(text) and end - at < digits and "0" <= text[end] <= "9":
        end += 1
    if end == at:
        return None, at
    return int(text[at:end]), end


def _name(text, at, names):
    rest = text[at:].lower()
    for index, name in enumerate(names):
        if rest.startswith(name.lower()):
            return index, at + len(name)
    return None, at


_DIGITS = {"Y": 4, "m": 2, "d": 2, "H": 2, "I": 2, "M": 2, "S": 2, "j": 3, "y": 2, "w": 1}
_LIMITS = {"m": (1, 12), "d": (1, 31), "H": (0, 23), "I": (1, 12), "M": (0, 59), "S": (0, 61), "j": (1, 366),
           "w": (0, 6)}
_WHOLE = {"c": "%a %b %d %H:%M:%S %Y", "x": "%m/%d/%y", "X": "%H:%M:%S", "D": "%m/%d/%y", "T": "%H:%M:%S",
          "R": "%H:%M", "F": "%Y-%m-%d"}


def _days_before(year, month):
    """Days from 1 January of year 1 to the first of a month."""
    year -= 1
    days = year * 365 + year // 4 - year // 100 + year // 400
    year += 1
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return days + sum((31, 28 + leap, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)[:month - 1])


def _scan(text, format):
    """What each directive found, and the end of the match; None if the text is something else."""
    found, at, place = {}, 0, 0
    while place < len(format):
        c = format[place]
        place += 1
        if c.isspace():
            while at < len(text) and text[at].isspace():
                at += 1
            continue
        if c != "%":
            if text[at:at + 1].lower() != c.lower():
                return None
            at += 1
            continue
        if place == len(format):
            raise ValueError(f"stray % in format '{format}'")
        c = format[place]
        place += 1
        if c == "%":
            if text[at:at + 1] != "%":
                return None
            at += 1
            continue
        if c in _DIGITS:
            value, at = _number(text, at, _DIGITS[c])
            low, high = _LIMITS.get(c, (0, 9999))
            # As in a pattern, the last digit goes back if the number is too large with it.
            if value is not None and value > high:
                value, at = value // 10, at - 1
            if value is None or value < low or c == "Y" and text[at - 4:at] != f"{value:04}":
                return None
        elif c in "aA":
            value, at = _name(text, at, [day[:3] for day in _DAYS] if c == "a" else _DAYS)
        elif c in "bBh":
            value, at = _name(text, at, _MONTHS if c == "B" else [month[:3] for month in _MONTHS])
        elif c == "p":
            value, at = _name(text, at, ("AM", "PM"))
        elif c == "f":
            start = at
            value, at = _number(text, at, 6)
            if value is not None:
                value *= 10 ** (6 - at + start)
        elif c == "Z":
            zones = ["UTC", "GMT", *tzname]
            value, at = _name(text, at, zones)
        elif c == "z":
            if text[at:at + 1] in ("Z", "z"):
                value, at = 0, at + 1
            else:
                digits = text[at + 1:at + 6].replace(":", "")[:4]
                if text[at:at + 1] not in ("+", "-") or len(digits) != 4 or not digits.isdigit():
                    return None
                value = (int(digits[:2]) * 60 + int(digits[2:])) * 60
                value = -value if text[at] == "-" else value
                at += 6 if text[at + 3:at + 4] == ":" else 5
        else:
            raise ValueError(f"'{c}' is a bad directive in format '{format}'")
        if value is None:
            return None
        found[c] = value
    return found, at


def strptime(string, format="%a %b %d %H:%M:%S %Y", /):
    for name, arg in (("0", string), ("1", format)):
        if not isinstance(arg, str):
            raise TypeError(f"strptime() argument {name} must be str, not {type(arg)}")
    whole = format
    for letter, meaning in _WHOLE.items():
        whole = whole.replace("%" + letter, meaning)
    match = _scan(string, whole)
    if match is None:
        raise ValueError(f"time data {string!r} does not match format {format!r}")
    found, end = match
    if end != len(string):
        raise ValueError(f"unconverted data remains: {string[end:]}")
    year = found.get("Y")
    if year is None and "y" in found:
        year = found["y"] + (2000 if found["y"] <= 68 else 1900)
    month = found.get("B", found.get("b", found.get("h", found.get("m", 1) - 1))) + 1
    day = found.get("d", 1)
    hour = found.get("H", 0)
    if "I" in found:
        hour = found["I"] % 12 + 12 * found.get("p", 0)
    known = year is not None
    if not known:
        # A leap day needs a leap year.
        year = 1904 if month == 2 and day == 29 else 1900
    yearday = found.get("j")
    if yearday is None:
        yearday = _days_before(year, month) + day - _days_before(year, 1)
        if day > _days_before(year + month // 12, month % 12 + 1) - _days_before(year, month):
            raise ValueError("day is out of range for month")
    elif known and "d" not in found:
        while month < 12 and _days_before(year, month + 1) - _days_before(year, 1) < yearday:
            month += 1
        day = yearday - _days_before(year, month) + _days_before(year, 1)
    weekday = found.get("A", found.get("a"))
    if weekday is None and "w" in found:
        weekday = (found["w"] - 1) % 7
    if weekday is None:
        weekday = (_days_before(year, month) + day - 1) % 7
    offset, zone, dst = found.get("z"), None, -1
    if "Z" in found:
        zones = ["UTC", "GMT", *tzname]
        zone, dst = zones[found["Z"]], int(found["Z"] == 3 and tzname[0] != tzname[1])
    moment = (1900 if not known else year, month, day, hour, found.get("M", 0), found.get("S", 0), weekday, yearday,
              dst, zone, offset)
    return struct_time(moment)
