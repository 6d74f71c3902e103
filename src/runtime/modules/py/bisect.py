"""Places in sorted sequences."""

from _bisect import bisect, bisect_left, bisect_right, insort, insort_left, insort_right
