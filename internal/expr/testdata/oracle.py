"""Evaluates expressions by Python itself: the oracle of the tests of package expr.

Each line of the input is JSON: {"text": ..., "fields": {...}}. The line of the output is the
value: a kind and its text, or "error" where Python raises one.
"""
import json
import sys
import warnings
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


def evaluate(text, names):
    names = {name: fields(value) for name, value in names.items()}
    try:
        return write(eval(text, dict(floor=floor, ceil=ceil, sqrt=sqrt, exp=exp, log=log, log10=log10, log2=log2), names))
    except Exception as e:
        return "error " + type(e).__name__


for line in sys.stdin:
    case = json.loads(line)
    print(evaluate(case["text"], case["fields"]), flush=True)
