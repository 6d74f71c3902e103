//! The sorting algorithm of `list.sort` (`listobject.c`, `listsort.txt`): natural runs, powersort's merge order,
//! galloping. It asks the same questions in the same order as CPython, so that an order which is none (NaN, a
//! whimsical `__lt__`) gives the same result too. Comparisons may fail; the items are some permutation then.

use super::owned::Raised;
use super::vm::Vm;

/// Wins in a row that make galloping worth trying.
const MIN_GALLOP: usize = 7;
/// Runs shorter than what this allows are extended by insertion.
const MAX_MINRUN: usize = 64;

/// A sorted stretch of the items that waits to be merged.
#[derive(Clone, Copy)]
struct Run {
    start: usize,
    length: usize,
    /// Depth in the merge tree of the boundary behind it.
    power: u32,
}

struct Sorter<'a, T, Less> {
    vm: Vm,
    items: &'a mut [T],
    less: Less,
    runs: Vec<Run>,
    /// The smaller one of two runs while they are merged.
    buffer: Vec<T>,
    min_gallop: usize,
}

/// Sorts items, equal ones keeping their order, by a comparison that may fail.
pub fn sort<T: Copy>(
    vm: Vm,
    items: &mut [T],
    less: impl FnMut(T, T) -> Result<bool, Raised>,
) -> Result<(), Raised> {
    let length = items.len();
    if length < 2 {
        return Ok(());
    }
    let (runs, buffer) = (Vec::new(), Vec::new());
    let mut sorter = Sorter {
        vm,
        items,
        less,
        runs,
        buffer,
        min_gallop: MIN_GALLOP,
    };
    let min_run = min_run(length);
    let mut start = 0;
    while start < length {
        let mut run = sorter.count_run(start)?;
        if run < min_run {
            let wanted = min_run.min(length - start);
            sorter.binary_insertion(start, start + run, start + wanted)?;
            run = wanted;
        }
        sorter.found_run(start, run)?;
        start += run;
    }
    while sorter.runs.len() > 1 {
        let mut at = sorter.runs.len() - 2;
        if at > 0 && sorter.runs[at - 1].length < sorter.runs[at + 1].length {
            at -= 1;
        }
        sorter.merge_at(at)?;
    }
    Ok(())
}

/// The shortest run to be merged: such that the number of runs is a power of two or just below
/// (`merge_compute_minrun`).
const fn min_run(mut length: usize) -> usize {
    let mut any_bit_lost = 0;
    while length >= MAX_MINRUN {
        any_bit_lost |= length & 1;
        length >>= 1;
    }
    length + any_bit_lost
}

/// Depth in the merge tree of the boundary between two neighbouring runs (`powerloop`).
fn power(start: usize, first: usize, second: usize, total: usize) -> u32 {
    let mut a = 2 * start + first;
    let mut b = a + first + second;
    let mut power = 0;
    loop {
        power += 1;
        if a >= total {
            a -= total;
            b -= total;
        } else if b >= total {
            return power;
        }
        a <<= 1;
        b <<= 1;
    }
}

/// Where `key` goes in a sorted stretch, before equal items: galloping from `hint` (`gallop_left`).
fn gallop_left<T: Copy>(
    mut less: impl FnMut(T, T) -> Result<bool, Raised>,
    key: T,
    stretch: &[T],
    hint: usize,
) -> Result<usize, Raised> {
    let (mut last, mut offset) = (0, 1);
    let (mut low, mut high);
    if less(stretch[hint], key)? {
        let max = stretch.len() - hint;
        while offset < max && less(stretch[hint + offset], key)? {
            last = offset;
            offset = 2 * offset + 1;
        }
        (low, high) = (last + hint + 1, offset.min(max) + hint);
    } else {
        let max = hint + 1;
        while offset < max && !less(stretch[hint - offset], key)? {
            last = offset;
            offset = 2 * offset + 1;
        }
        (low, high) = (hint + 1 - offset.min(max), hint - last);
    }
    while low < high {
        let middle = low + (high - low) / 2;
        if less(stretch[middle], key)? {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    Ok(high)
}
/// The same behind equal items (`gallop_right`).
fn gallop_right<T: Copy>(
    mut less: impl FnMut(T, T) -> Result<bool, Raised>,
    key: T,
    stretch: &[T],
    hint: usize,
) -> Result<usize, Raised> {
    let (mut last, mut offset) = (0, 1);
    let (mut low, mut high);
    if less(key, stretch[hint])? {
        let max = hint + 1;
        while offset < max && less(key, stretch[hint - offset])? {
            last = offset;
            offset = 2 * offset + 1;
        }
        (low, high) = (hint + 1 - offset.min(max), hint - last);
    } else {
        let max = stretch.len() - hint;
        while offset < max && !less(key, stretch[hint + offset])? {
            last = offset;
            offset = 2 * offset + 1;
        }
        (low, high) = (last + hint + 1, offset.min(max) + hint);
    }
    while low < high {
        let middle = low + (high - low) / 2;
        if less(key, stretch[middle])? {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    Ok(high)
}

/// How a merge ended: what is still in the buffer goes to its place, or its only item behind everything else.
enum End {
    Done,
    OneLeft,
}

impl<T: Copy, Less: FnMut(T, T) -> Result<bool, Raised>> Sorter<'_, T, Less> {
    #[inline(always)]
    fn less_at(&mut self, a: usize, b: usize) -> Result<bool, Raised> {
        (self.less)(self.items[a], self.items[b])
    }

    /// Length of the run at `start`, made ascending (`count_run`). A descending run may have equal items in it: each
    /// stretch of them is reversed first, so that reversing the whole keeps their order.
    fn count_run(&mut self, start: usize) -> Result<usize, Raised> {
        let end = self.items.len();
        let mut at = start + 1;
        while at < end && !self.less_at(at, at - 1)? {
            at += 1;
        }
        if at == end {
            return Ok(end - start);
        }
        if at > start + 1 {
            if self.less_at(start, at - 1)? {
                return Ok(at - start);
            }
            self.items[start..at].reverse();
        }
        at += 1;
        let mut equals = 0;
        while at < end {
            if self.less_at(at, at - 1)? {
                self.items[at - 1 - equals..at].reverse();
                equals = 0;
            } else if self.less_at(at - 1, at)? {
                break;
            } else {
                equals += 1;
            }
            at += 1;
        }
        self.items[at - 1 - equals..at].reverse();
        self.items[start..at].reverse();
        while at < end && !self.less_at(at, at - 1)? {
            at += 1;
        }
        Ok(at - start)
    }

    /// Sorts `start..end`, of which the part before `sorted` is sorted (`binarysort`).
    fn binary_insertion(&mut self, start: usize, sorted: usize, end: usize) -> Result<(), Raised> {
        for at in sorted.max(start + 1)..end {
            let pivot = self.items[at];
            let (mut low, mut high) = (start, at);
            while low < high {
                let middle = low + (high - low) / 2;
                if (self.less)(pivot, self.items[middle])? {
                    high = middle;
                } else {
                    low = middle + 1;
                }
            }
            self.items.copy_within(low..at, low + 1);
            self.items[low] = pivot;
        }
        Ok(())
    }

    /// Notes a run, after merging those before it that lie deeper in the merge tree (`found_new_run`).
    fn found_run(&mut self, start: usize, length: usize) -> Result<(), Raised> {
        if let Some(&last) = self.runs.last() {
            let power = power(last.start, last.length, length, self.items.len());
            while self.runs.len() > 1 && self.runs[self.runs.len() - 2].power > power {
                self.merge_at(self.runs.len() - 2)?;
            }
            if let Some(last) = self.runs.last_mut() {
                last.power = power;
            }
        }
        self.runs.push(Run {
            start,
            length,
            power: 0,
        });
        Ok(())
    }

    /// Merges the runs number `at` and `at + 1` (`merge_at`).
    fn merge_at(&mut self, at: usize) -> Result<(), Raised> {
        let (first, second) = (self.runs[at], self.runs.remove(at + 1));
        self.runs[at].length += second.length;
        // What is in its final place already needs no merging.
        let key = self.items[second.start];
        let skip = gallop_right(
            &mut self.less,
            key,
            &self.items[first.start..second.start],
            0,
        )?;
        let (start, left) = (first.start + skip, first.length - skip);
        if left == 0 {
            return Ok(());
        }
        let key = self.items[start + left - 1];
        let right = gallop_left(
            &mut self.less,
            key,
            &self.items[second.start..second.start + second.length],
            second.length - 1,
        )?;
        if right == 0 {
            return Ok(());
        }
        if left <= right {
            self.merge_low(start, left, right)
        } else {
            self.merge_high(start, left, right)
        }
    }
    fn fill_buffer(&mut self, from: usize, length: usize) -> Result<(), Raised> {
        self.buffer.clear();
        let room = self.vm.heap.has_room(length.saturating_mul(size_of::<T>()));
        if !room || self.buffer.try_reserve(length).is_err() {
            return Err(self.vm.no_memory());
        }
        self.buffer
            .extend_from_slice(&self.items[from..from + length]);
        Ok(())
    }

    /// Merges two neighbouring runs from the left, the first by way of the buffer (`merge_lo`). What remains of both
    /// always fills the stretch that is not yet written.
    fn merge_low(&mut self, start: usize, left: usize, right: usize) -> Result<(), Raised> {
        self.fill_buffer(start, left)?;
        let end = start + left + right;
        let (mut a, mut b) = (left, right);
        let result = self.merge_low_loop(end, &mut a, &mut b);
        let (rest, to) = (left - a..left, end - a - b);
        if let Ok(End::OneLeft) = result {
            self.items.copy_within(end - b..end, to);
            self.items[end - 1] = self.buffer[left - 1];
        } else {
            self.items[to..to + a].copy_from_slice(&self.buffer[rest]);
        }
        result.map(drop)
    }
    fn merge_low_loop(&mut self, end: usize, a: &mut usize, b: &mut usize) -> Result<End, Raised> {
        let left = self.buffer.len();
        self.items[end - *a - *b] = self.items[end - *b];
        *b -= 1;
        if *b == 0 {
            return Ok(End::Done);
        }
        if *a == 1 {
            return Ok(End::OneLeft);
        }
        let mut min_gallop = self.min_gallop;
        loop {
            // One at a time, until one run wins again and again.
            let (mut a_wins, mut b_wins) = (0, 0);
            while a_wins < min_gallop && b_wins < min_gallop {
                let to = end - *a - *b;
                if (self.less)(self.items[end - *b], self.buffer[left - *a])? {
                    self.items[to] = self.items[end - *b];
                    *b -= 1;
                    (a_wins, b_wins) = (0, b_wins + 1);
                    if *b == 0 {
                        return Ok(End::Done);
                    }
                } else {
                    self.items[to] = self.buffer[left - *a];
                    *a -= 1;
                    (a_wins, b_wins) = (a_wins + 1, 0);
                    if *a == 1 {
                        return Ok(End::OneLeft);
                    }
                }
            }
            min_gallop += 1;
            loop {
                min_gallop -= usize::from(min_gallop > 1);
                self.min_gallop = min_gallop;
                let key = self.items[end - *b];
                let count = gallop_right(&mut self.less, key, &self.buffer[left - *a..], 0)?;
                a_wins = count;
                if count > 0 {
                    let (from, to) = (left - *a, end - *a - *b);
                    self.items[to..to + count].copy_from_slice(&self.buffer[from..from + count]);
                    *a -= count;
                    // None is left only by an inconsistent order.
                    match *a {
                        0 => return Ok(End::Done),
                        1 => return Ok(End::OneLeft),
                        _ => {}
                    }
                }
                self.items[end - *a - *b] = self.items[end - *b];
                *b -= 1;
                if *b == 0 {
                    return Ok(End::Done);
                }
                let key = self.buffer[left - *a];
                let count = gallop_left(&mut self.less, key, &self.items[end - *b..end], 0)?;
                b_wins = count;
                if count > 0 {
                    let from = end - *b;
                    self.items.copy_within(from..from + count, end - *a - *b);
                    *b -= count;
                    if *b == 0 {
                        return Ok(End::Done);
                    }
                }
                self.items[end - *a - *b] = self.buffer[left - *a];
                *a -= 1;
                if *a == 1 {
                    return Ok(End::OneLeft);
                }
                if a_wins < MIN_GALLOP && b_wins < MIN_GALLOP {
                    break;
                }
            }
            // Leaving galloping is penalised.
            min_gallop += 1;
            self.min_gallop = min_gallop;
        }
    }

    /// The same from the right, the second run by way of the buffer (`merge_hi`).
    fn merge_high(&mut self, start: usize, left: usize, right: usize) -> Result<(), Raised> {
        self.fill_buffer(start + left, right)?;
        let (mut a, mut b) = (left, right);
        let result = self.merge_high_loop(start, &mut a, &mut b);
        if let Ok(End::OneLeft) = result {
            self.items.copy_within(start..start + a, start + 1);
            self.items[start] = self.buffer[0];
        } else {
            self.items[start + a..start + a + b].copy_from_slice(&self.buffer[..b]);
        }
        result.map(drop)
    }
    fn merge_high_loop(
        &mut self,
        start: usize,
        a: &mut usize,
        b: &mut usize,
    ) -> Result<End, Raised> {
        self.items[start + *a + *b - 1] = self.items[start + *a - 1];
        *a -= 1;
        if *a == 0 {
            return Ok(End::Done);
        }
        if *b == 1 {
            return Ok(End::OneLeft);
        }
        let mut min_gallop = self.min_gallop;
        loop {
            let (mut a_wins, mut b_wins) = (0, 0);
            while a_wins < min_gallop && b_wins < min_gallop {
                let to = start + *a + *b - 1;
                if (self.less)(self.buffer[*b - 1], self.items[start + *a - 1])? {
                    self.items[to] = self.items[start + *a - 1];
                    *a -= 1;
                    (a_wins, b_wins) = (a_wins + 1, 0);
                    if *a == 0 {
                        return Ok(End::Done);
                    }
                } else {
                    self.items[to] = self.buffer[*b - 1];
                    *b -= 1;
                    (a_wins, b_wins) = (0, b_wins + 1);
                    if *b == 1 {
                        return Ok(End::OneLeft);
                    }
                }
            }
            min_gallop += 1;
            loop {
                min_gallop -= usize::from(min_gallop > 1);
                self.min_gallop = min_gallop;
                let key = self.buffer[*b - 1];
                let count =
                    *a - gallop_right(&mut self.less, key, &self.items[start..start + *a], *a - 1)?;
                a_wins = count;
                if count > 0 {
                    let from = start + *a - count;
                    self.items.copy_within(from..from + count, from + *b);
                    *a -= count;
                    if *a == 0 {
                        return Ok(End::Done);
                    }
                }
                self.items[start + *a + *b - 1] = self.buffer[*b - 1];
                *b -= 1;
                if *b == 1 {
                    return Ok(End::OneLeft);
                }
                let key = self.items[start + *a - 1];
                let count = *b - gallop_left(&mut self.less, key, &self.buffer[..*b], *b - 1)?;
                b_wins = count;
                if count > 0 {
                    let to = start + *a + *b - count;
                    self.items[to..to + count].copy_from_slice(&self.buffer[*b - count..*b]);
                    *b -= count;
                    // None is left only by an inconsistent order.
                    match *b {
                        0 => return Ok(End::Done),
                        1 => return Ok(End::OneLeft),
                        _ => {}
                    }
                }
                self.items[start + *a + *b - 1] = self.items[start + *a - 1];
                *a -= 1;
                if *a == 0 {
                    return Ok(End::Done);
                }
                if a_wins < MIN_GALLOP && b_wins < MIN_GALLOP {
                    break;
                }
            }
            min_gallop += 1;
            self.min_gallop = min_gallop;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::object::testing::TestVm;

    /// Length, modulus, shape, comparisons.
    const COMPARISONS: [(usize, u64, &str, usize); 13] = [
        (50, 10, "", 215),
        (63, 1 << 30, "", 298),
        (64, 1 << 30, "", 306),
        (100, 1 << 30, "", 535),
        (1000, 1 << 30, "", 8635),
        (1000, 10, "", 6833),
        (5000, 1 << 30, "", 55031),
        (5000, 3, "", 25779),
        (2000, 1 << 30, "sawtooth", 10922),
        (2000, 50, "sawtooth", 9378),
        (2000, 1 << 30, "falling", 10936),
        (2000, 50, "falling", 10474),
        (1500, 1, "", 1499),
    ];

    /// Numbers that look random, the same in Python.
    fn sequence(length: usize, modulus: u64) -> Vec<u64> {
        let mut state = 12_345u64;
        let next = |_| {
            state = (state * 1_103_515_245 + 12_345) % (1 << 31);
            (state >> 8) % modulus
        };
        (0..length).map(next).collect()
    }

    #[test]
    fn sorts_and_keeps_equal_items_in_order() {
        let test = TestVm::new();
        for length in [0, 1, 2, 3, 31, 64, 65, 200, 1000, 5000] {
            for modulus in [1, 2, 10, 1000, 1 << 30] {
                let mut items: Vec<(u64, usize)> =
                    sequence(length, modulus).into_iter().zip(0..).collect();
                let mut expected = items.clone();
                expected.sort();
                sort(test.vm(), &mut items, |a, b| Ok(a.0 < b.0)).unwrap();
                assert_eq!(items, expected);
            }
        }
    }

    #[test]
    fn asks_what_cpython_asks() {
        let test = TestVm::new();
        // Number of calls of `__lt__` that CPython 3.14 makes for the same items.
        for (length, modulus, shape, expected) in COMPARISONS {
            let mut items = sequence(length, modulus);
            match shape {
                "sawtooth" => items.chunks_mut(97).for_each(|chunk| chunk.sort_unstable()),
                "falling" => items.chunks_mut(97).for_each(|chunk| {
                    chunk.sort_unstable();
                    chunk.reverse();
                }),
                _ => {}
            }
            let mut count = 0;
            sort(test.vm(), &mut items, |a, b| {
                count += 1;
                Ok(a < b)
            })
            .unwrap();
            assert!(items.is_sorted());
            assert_eq!(count, expected, "{length} {modulus} {shape}");
        }
    }

    #[test]
    fn a_failing_comparison_loses_nothing() {
        let test = TestVm::new();
        for fail_at in [1, 10, 500, 3000, 5000] {
            let mut items = sequence(700, 1 << 30);
            let mut expected = items.clone();
            let mut count = 0;
            let result = sort(test.vm(), &mut items, |a, b| {
                count += 1;
                if count == fail_at {
                    Err(Raised)
                } else {
                    Ok(a < b)
                }
            });
            assert_eq!(result, Err(Raised));
            items.sort_unstable();
            expected.sort_unstable();
            assert_eq!(items, expected);
        }
    }
}
