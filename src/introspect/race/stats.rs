//! Medians and intervals that assume nothing about how times are distributed.

use serde::Serialize;

/// The confidence asked for.
const LEVEL: f64 = 0.95;

/// A median and an interval for the median of what the samples were drawn from.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    pub median: f64,
    pub low: f64,
    pub high: f64,
    /// The confidence that the interval really has: at least 95% where there are samples enough, else what the
    /// whole range of the samples gives.
    pub level: f64,
}

impl Estimate {
    /// None without samples.
    pub fn of(samples: &[f64]) -> Option<Estimate> {
        let mut sorted = samples.to_vec();
        sorted.sort_unstable_by(f64::total_cmp);
        let (low, high) = (*sorted.first()?, *sorted.last()?);
        let n = sorted.len();
        let median = (sorted[(n - 1) / 2] + sorted[n / 2]) / 2.0;
        match outside(n) {
            Some((cut, level)) => Some(Estimate {
                median,
                low: sorted[cut],
                high: sorted[n - 1 - cut],
                level,
            }),
            None => Some(Estimate {
                median,
                low,
                high,
                level: 1.0 - 2.0 * 0.5f64.powi(n as i32),
            }),
        }
    }

    pub fn map(self, f: impl Fn(f64) -> f64) -> Estimate {
        Estimate {
            median: f(self.median),
            low: f(self.low),
            high: f(self.high),
            level: self.level,
        }
    }
}

/// How many samples may be cut off at each end so that what lies between still holds the true median with the
/// confidence asked for, and the confidence got. How many of `n` samples fall below the true median is a matter of
/// `n` fair coins. None if even the whole range does not do.
fn outside(n: usize) -> Option<(usize, f64)> {
    let tail = (1.0 - LEVEL) / 2.0;
    let mut term = 0.5f64.powi(n as i32); // of exactly k samples below
    let mut below = 0.0;
    let mut best = None;
    for k in 0..n / 2 {
        below += term;
        if below > tail {
            break;
        }
        best = Some((k, 1.0 - 2.0 * below));
        term = term * (n - k) as f64 / (k + 1) as f64;
    }
    best
}

/// How much faster `times` are than `baseline`, from the ratios of the rounds: what slows a whole round down cancels.
pub fn speed(baseline: &[f64], times: &[f64]) -> Option<Estimate> {
    let ratios: Vec<f64> = baseline
        .iter()
        .zip(times)
        .map(|(base, time)| base / time)
        .collect();
    Estimate::of(&ratios)
}

/// The geometric mean; None of nothing.
pub fn geometric_mean(values: &[f64]) -> Option<f64> {
    if values.is_empty() {
        return None;
    }
    Some((values.iter().map(|value| value.ln()).sum::<f64>() / values.len() as f64).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_of_an_even_number_lies_between_the_middle_two() {
        assert_eq!(Estimate::of(&[3.0, 1.0, 2.0]).map(|e| e.median), Some(2.0));
        assert_eq!(
            Estimate::of(&[4.0, 1.0, 2.0, 3.0]).map(|e| e.median),
            Some(2.5)
        );
        assert_eq!(Estimate::of(&[]), None);
    }

    /// The ranks are those of the tables for the sign test: of 10 samples the 2nd and the 9th, of 20 the 6th and the
    /// 15th, of 31 the 10th and the 22nd; fewer than 6 do not reach 95%.
    #[test]
    fn the_interval_has_the_tabled_ranks() {
        let ranks = |n: usize| {
            let samples: Vec<f64> = (1..=n).map(|k| k as f64).collect();
            let estimate = Estimate::of(&samples).expect("samples");
            (estimate.low, estimate.high)
        };
        assert_eq!(ranks(5), (1.0, 5.0));
        assert_eq!(ranks(6), (1.0, 6.0));
        assert_eq!(ranks(10), (2.0, 9.0));
        assert_eq!(ranks(20), (6.0, 15.0));
        assert_eq!(ranks(31), (10.0, 22.0));
    }

    #[test]
    fn the_level_is_the_one_reached() {
        let level = |n: usize| Estimate::of(&vec![1.0; n]).expect("samples").level;
        assert_eq!(level(1), 0.0);
        assert_eq!(level(5), 0.9375);
        assert_eq!(level(6), 0.96875);
        assert!((level(10) - 0.978515625).abs() < 1e-12);
        assert!((6..200).all(|n| level(n) >= LEVEL));
    }

    #[test]
    fn what_slows_a_round_down_cancels() {
        let estimate = speed(&[2.0, 20.0, 2.2], &[1.0, 10.0, 1.1]).expect("samples");
        assert!((estimate.median - 2.0).abs() < 1e-12 && (estimate.low - 2.0).abs() < 1e-12);
    }

    #[test]
    fn the_geometric_mean_of_a_double_and_a_half_is_one() {
        assert!((geometric_mean(&[2.0, 0.5]).expect("values") - 1.0).abs() < 1e-12);
        assert_eq!(geometric_mean(&[]), None);
    }
}
