"""An independent implementation of rankd's statistics, with numpy and scipy: cases as JSON on stdin, figures on stdout."""

import json
import sys

import numpy
from scipy import stats


def scale(position):
    return numpy.log2(numpy.asarray(position, dtype=float) + 5)


def weighted_median(values, weights):
    order = numpy.argsort(values, kind="stable")
    values, weights = numpy.asarray(values)[order], numpy.asarray(weights)[order]
    total = numpy.cumsum(weights)
    above = numpy.searchsorted(total, total[-1] / 2, side="right")
    at = numpy.searchsorted(total, total[-1] / 2, side="left")
    return float((values[at] + values[min(above, len(values) - 1)]) / 2)


def visibility(case):
    weights = numpy.array([w for w, _ in case["entries"]])
    places = [p for _, p in case["entries"]]
    seen = numpy.array([p is not None for p in places])
    gains = numpy.array([1 / numpy.log2(1 + p) if p else 0.0 for p in places])
    return [float(100 * numpy.average(gains[seen], weights=weights[seen])), float(weights[seen].sum() / weights.sum())]


def welch(case):
    def changes(group):
        return numpy.array([
            numpy.median(scale([p or 201 for p in before])) - numpy.median(scale([p or 201 for p in after]))
            for before, after in group
        ])

    one, other = changes(case["treated"]), changes(case["control"])
    result = stats.ttest_ind(one, other, equal_var=False)
    interval = result.confidence_interval(0.95)
    return [float(one.mean() - other.mean()), float(interval.low), float(interval.high)]


def weather(case):
    before = numpy.array(case["before"])
    spread = max(stats.median_abs_deviation(before, scale="normal"), 0.25, numpy.median(before) / 10)
    return float((case["today"] - numpy.median(before)) / spread)


def figures(case):
    kind = case["kind"]
    if kind == "sample":
        values = numpy.array(case["values"])
        return [
            float(numpy.median(values)),
            float(stats.median_abs_deviation(values, scale="normal")),
            *(float(q) for q in numpy.quantile(values, case["shares"])),
            weighted_median(values, case["weights"]),
        ]
    if kind == "visibility":
        return visibility(case)
    if kind == "welch":
        return welch(case)
    return [weather(case)]


json.dump([figures(case) for case in json.load(sys.stdin)], sys.stdout)
