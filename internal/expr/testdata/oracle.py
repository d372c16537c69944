"""Evaluates expressions by Python itself: the oracle of the tests of package expr.

Each line of the input is JSON: {"text": ..., "fields": {...}}. The line of the output is the
value: a kind and its text, or "error" where Python raises one. An empty line ends a batch, whose
answers come then.
"""
import datetime as dt
import json
import sys
import warnings
import zoneinfo
from math import ceil, exp, floor, log, log10, log2, sqrt

warnings.simplefilter("ignore")


def fields(given):
    """Floats come as {"float": text}, since JSON does not tell 1.0 from 1."""
    if isinstance(given, dict):
        return float(given["float"])
    if isinstance(given, list):
        return [fields(v) for v in given]
    return given


def write(value):
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean " + str(value).lower()
    if isinstance(value, int):
        return "integer " + str(value)
    if isinstance(value, float):
        return "number " + repr(value)
    if isinstance(value, str):
        return "string " + json.dumps(value)
    if isinstance(value, list):
        return "array [" + ", ".join(write(v) for v in value) + "]"
    return "other " + repr(value)


EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.timezone.utc)


def local(us, zone="UTC"):
    """Instants are microseconds since 1970."""
    return (EPOCH + dt.timedelta(microseconds=us)).astimezone(zoneinfo.ZoneInfo(zone))


def micros(t):
    return t if isinstance(t, int) else (t.astimezone(dt.timezone.utc) - EPOCH) // dt.timedelta(microseconds=1)


def parseTime(text, layout, zone="UTC"):
    t = dt.datetime.strptime(text, layout)
    return micros(t if t.tzinfo else t.replace(tzinfo=zoneinfo.ZoneInfo(zone)))


def formatTime(us, layout, zone="UTC"):
    return local(us, zone).strftime(layout)


def truncate(us, unit, zone="UTC"):
    t = local(us, zone)
    smaller = ["microsecond", "second", "minute", "hour", "day", "month", "year"]
    if unit in ("week", "quarter"):
        first = t.date() - dt.timedelta(days=t.weekday()) if unit == "week" else t.date().replace(month=(t.month - 1) // 3 * 3 + 1, day=1)
        return micros(dt.datetime.combine(first, dt.time(), tzinfo=t.tzinfo))
    lower = {name: 1 if name in ("day", "month") else 0 for name in smaller[: smaller.index(unit)]}
    return micros(t.replace(**lower, fold=t.fold if "hour" not in lower else 0))


times = dict(micros=micros, parseTime=parseTime, formatTime=formatTime, truncate=truncate)
for name in ("year", "month", "day", "hour", "minute", "second"):
    times[name] = lambda us, zone="UTC", name=name: getattr(local(us, zone), name)
times["dayOfWeek"] = lambda us, zone="UTC": local(us, zone).isoweekday()
times["dayOfYear"] = lambda us, zone="UTC": local(us, zone).timetuple().tm_yday


def evaluate(text, names):
    names = {name: fields(value) for name, value in names.items()}
    try:
        return write(eval(text, dict(floor=floor, ceil=ceil, sqrt=sqrt, exp=exp, log=log, log10=log10, log2=log2, **times), names))
    except Exception as e:
        return "error " + type(e).__name__


for line in sys.stdin:
    if line == "\n":  # the end of a batch
        sys.stdout.flush()
        continue
    case = json.loads(line)
    print(evaluate(case["text"], case["fields"]))
