"""Averages and how far values lie from them."""

from collections import Counter
from itertools import groupby as _groupby
from math import fsum, sqrt, hypot as _hypot, fabs as _fabs, exp as _exp, log as _log

__all__ = [
    "StatisticsError", "mean", "fmean", "geometric_mean", "harmonic_mean", "median", "median_low", "median_high",
    "mode", "multimode", "pstdev", "pvariance", "stdev", "variance", "quantiles", "correlation", "covariance",
    "linear_regression",
]


class StatisticsError(ValueError):
    pass


def _ratio(x):
    """A number as numerator and denominator."""
    try:
        return x.as_integer_ratio()
    except AttributeError:
        pass
    except (OverflowError, ValueError):
        return (x, None)
    raise TypeError(f"can't convert type '{type(x).__name__}' to numerator/denominator")


def _sum(data):
    """What type the result has, the exact sum as numerator and denominator, and how many there were."""
    count, kinds, partials, special = 0, set(), {}, None
    for x in data:
        count += 1
        kinds.add(type(x))
        n, d = _ratio(x)
        if d is None:
            special = n if special is None else special + n
        else:
            partials[d] = partials.get(d, 0) + n
    kind = float if float in kinds else int
    if special is not None:
        return float, special, None, count
    numerator, denominator = 0, 1
    for d, n in sorted(partials.items()):
        numerator, denominator = numerator * d + n * denominator, denominator * d
    return kind, numerator, denominator, count


def _divided(kind, numerator, denominator):
    if denominator is None:
        return numerator
    if kind is int and numerator % denominator == 0:
        return numerator // denominator
    return numerator / denominator


def mean(data):
    """The sum divided by the number of values."""
    kind, n, d, count = _sum(data)
    if count < 1:
        raise StatisticsError("mean requires at least one data point")
    return _divided(kind, n / count if d is None else n, None if d is None else d * count)


def fmean(data, weights=None):
    """The mean as a float, fast."""
    data = list(data)
    if weights is None:
        if not data:
            raise StatisticsError("fmean requires at least one data point")
        return fsum(data) / len(data)
    weights = list(weights)
    if len(weights) != len(data):
        raise StatisticsError("data and weights must be the same length")
    total = fsum(weights)
    if not total:
        raise StatisticsError("sum of weights must be non-zero")
    return fsum([x * w for x, w in zip(data, weights)]) / total


def geometric_mean(data):
    data = list(data)
    if not data:
        raise StatisticsError("Must have a non-empty dataset")
    if any([x < 0 for x in data]):
        raise StatisticsError("No negative inputs allowed")
    if any([x == 0 for x in data]):
        return 0.0
    return _exp(fsum([_log(x) for x in data]) / len(data))


def harmonic_mean(data, weights=None):
    data = list(data)
    if not data:
        raise StatisticsError("harmonic_mean requires at least one data point")
    if any([x < 0 for x in data]):
        raise StatisticsError("harmonic mean does not support negative values")
    weights = [1] * len(data) if weights is None else list(weights)
    if any([x == 0 for x in data]):
        return 0
    kind, n, d, count = _sum([w / x for x, w in zip(data, weights)])
    return sum(weights) * d / n


def median(data):
    """The middle value, or the mean of the two in the middle."""
    data = sorted(data)
    n = len(data)
    if n == 0:
        raise StatisticsError("no median for empty data")
    if n % 2 == 1:
        return data[n // 2]
    return (data[n // 2 - 1] + data[n // 2]) / 2


def median_low(data):
    data = sorted(data)
    n = len(data)
    if n == 0:
        raise StatisticsError("no median for empty data")
    return data[n // 2] if n % 2 == 1 else data[n // 2 - 1]


def median_high(data):
    data = sorted(data)
    if not data:
        raise StatisticsError("no median for empty data")
    return data[len(data) // 2]


def mode(data):
    """The most frequent value, the first of several."""
    pairs = Counter(iter(data)).most_common(1)
    if not pairs:
        raise StatisticsError("no mode for empty data")
    return pairs[0][0]


def multimode(data):
    counts = Counter(iter(data))
    if not counts:
        return []
    most = max(counts.values())
    return [value for value, count in counts.items() if count == most]


def _squares(data, center=None):
    """Type, exact sum of squared distances from the mean or another centre, and the number of values."""
    data = list(data)
    kind, n, d, count = _sum(data)
    if not count or d is None:
        return kind, n, d, count
    if center is None:
        center_n, center_d = n, d * count
    else:
        center_n, center_d = _ratio(center)
    total_n, total_d = 0, 1
    for x in data:
        xn, xd = _ratio(x)
        diff_n, diff_d = xn * center_d - center_n * xd, xd * center_d
        square_n, square_d = diff_n * diff_n, diff_d * diff_d
        if square_d == total_d:
            total_n += square_n
        else:
            total_n, total_d = total_n * square_d + square_n * total_d, total_d * square_d
            if total_d.bit_length() > 4096:
                common = _gcd(total_n, total_d)
                total_n, total_d = total_n // common, total_d // common
    return kind, total_n, total_d, count


def _gcd(a, b):
    while b:
        a, b = b, a % b
    return a or 1


def variance(data, xbar=None):
    """The variance of a sample."""
    kind, n, d, count = _squares(data, xbar)
    if count < 2:
        raise StatisticsError("variance requires at least two data points")
    return _divided(kind, n, None if d is None else d * (count - 1))


def pvariance(data, mu=None):
    """The variance of a whole population."""
    kind, n, d, count = _squares(data, mu)
    if count < 1:
        raise StatisticsError("pvariance requires at least one data point")
    return _divided(kind, n, None if d is None else d * count)


def _sqrt_of_ratio(n, d):
    """The square root of n / d, correctly rounded."""
    from math import isqrt
    if n == 0:
        return 0.0
    shift = 2 * ((d.bit_length() - n.bit_length() + 2 * 60) // 2 + 1)
    value = isqrt((n << shift) // d if shift >= 0 else n // (d << -shift))
    if value * value * d != (n << shift if shift >= 0 else n >> -shift):
        value |= 1
    half = shift // 2
    return value / (1 << half) if half >= 0 else float(value << -half)


def stdev(data, xbar=None):
    """The standard deviation of a sample."""
    kind, n, d, count = _squares(data, xbar)
    if count < 2:
        raise StatisticsError("stdev requires at least two data points")
    return n if d is None else _sqrt_of_ratio(n, d * (count - 1))


def pstdev(data, mu=None):
    """The standard deviation of a whole population."""
    kind, n, d, count = _squares(data, mu)
    if count < 1:
        raise StatisticsError("pstdev requires at least one data point")
    return n if d is None else _sqrt_of_ratio(n, d * count)


def quantiles(data, *, n=4, method="exclusive"):
    """The n - 1 values that cut the data into n parts."""
    if n < 1:
        raise StatisticsError("n must be at least 1")
    data = sorted(data)
    ld = len(data)
    if ld < 2:
        if ld == 1:
            return data * (n - 1)
        raise StatisticsError("must have at least one data point")
    if method == "inclusive":
        m = ld - 1
        result = []
        for i in range(1, n):
            j, delta = divmod(i * m, n)
            result.append((data[j] * (n - delta) + data[j + 1] * delta) / n)
        return result
    if method == "exclusive":
        m = ld + 1
        result = []
        for i in range(1, n):
            j = i * m // n
            j = 1 if j < 1 else ld - 1 if j > ld - 1 else j
            delta = i * m - j * n
            result.append((data[j - 1] * (n - delta) + data[j] * delta) / n)
        return result
    raise ValueError(f"Unknown method: {method!r}")


def covariance(x, y, /):
    n = len(x)
    if len(y) != n:
        raise StatisticsError("covariance requires that both inputs have same number of data points")
    if n < 2:
        raise StatisticsError("covariance requires at least two data points")
    xbar, ybar = fsum(x) / n, fsum(y) / n
    return fsum([(a - xbar) * (b - ybar) for a, b in zip(x, y)]) / (n - 1)


def correlation(x, y, /, *, method="linear"):
    n = len(x)
    if len(y) != n:
        raise StatisticsError("correlation requires that both inputs have same number of data points")
    if n < 2:
        raise StatisticsError("correlation requires at least two data points")
    xbar, ybar = fsum(x) / n, fsum(y) / n
    sxy = fsum([(a - xbar) * (b - ybar) for a, b in zip(x, y)])
    sxx = fsum([(a - xbar) ** 2 for a in x])
    syy = fsum([(b - ybar) ** 2 for b in y])
    try:
        return sxy / sqrt(sxx * syy)
    except ZeroDivisionError:
        raise StatisticsError("at least one of the inputs is constant")


def linear_regression(x, y, /, *, proportional=False):
    from collections import namedtuple
    n = len(x)
    if len(y) != n:
        raise StatisticsError("linear regression requires that both inputs have same number of data points")
    if n < 2:
        raise StatisticsError("linear regression requires at least two data points")
    xbar, ybar = (0.0, 0.0) if proportional else (fsum(x) / n, fsum(y) / n)
    sxy = fsum([(a - xbar) * (b - ybar) for a, b in zip(x, y)])
    sxx = fsum([(a - xbar) ** 2 for a in x])
    try:
        slope = sxy / sxx
    except ZeroDivisionError:
        raise StatisticsError("x is constant")
    intercept = 0.0 if proportional else ybar - slope * xbar
    return namedtuple("LinearRegression", ("slope", "intercept"))(slope=slope, intercept=intercept)
