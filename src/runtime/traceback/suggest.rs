//! "Did you mean": the closest of some names (`Python/suggestions.c`).

const MAX_CANDIDATES: usize = 750;
const MAX_LENGTH: usize = 40;
const MOVE_COST: usize = 2;
const CASE_COST: usize = 1;

/// The candidate that takes the fewest changes to become `wrong`, if few enough do (`_Py_CalculateSuggestions`).
pub fn closest<'a>(wrong: &str, candidates: &'a [String]) -> Option<&'a str> {
    let wrong = wrong.as_bytes();
    if candidates.len() > MAX_CANDIDATES || wrong.len() > MAX_LENGTH {
        return None;
    }
    let mut best: Option<(&str, usize)> = None;
    for candidate in candidates {
        let letters = candidate.as_bytes();
        if letters == wrong {
            continue;
        }
        // No more than a third of the characters may need a change, and fewer than in the best so far.
        let mut limit = (letters.len() + wrong.len() + 3) * MOVE_COST / 6;
        if let Some((_, distance)) = best {
            limit = limit.min(distance.saturating_sub(1));
        }
        if let Some(distance) = distance(wrong, letters, limit) {
            best = Some((candidate, distance));
        }
    }
    best.map(|(name, _)| name)
}

/// Levenshtein's distance, if it is within `limit` (`levenshtein_distance`).
fn distance(a: &[u8], b: &[u8], limit: usize) -> Option<usize> {
    let prefix = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let (a, b) = (&a[prefix..], &b[prefix..]);
    let suffix = a
        .iter()
        .rev()
        .zip(b.iter().rev())
        .take_while(|(a, b)| a == b)
        .count();
    let (a, b) = (&a[..a.len() - suffix], &b[..b.len() - suffix]);
    let (a, b) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    if a.is_empty() {
        return Some(MOVE_COST * b.len()).filter(|cost| *cost <= limit);
    }
    if b.len() > MAX_LENGTH || (b.len() - a.len()) * MOVE_COST > limit {
        return None;
    }
    // One row of the matrix, updated in place.
    let mut row: Vec<usize> = (1..=a.len()).map(|n| n * MOVE_COST).collect();
    for (index, &letter) in b.iter().enumerate() {
        let mut diagonal = index * MOVE_COST;
        // CPython starts each row one move too low, and so its answers depend on it.
        let mut result = diagonal;
        let mut smallest = usize::MAX;
        for (cell, &other) in row.iter_mut().zip(a) {
            let substitute = diagonal + substitution_cost(letter, other);
            diagonal = *cell;
            result = substitute.min(result.min(diagonal) + MOVE_COST);
            *cell = result;
            smallest = smallest.min(result);
        }
        if smallest > limit {
            return None;
        }
    }
    row.last().copied().filter(|cost| *cost <= limit)
}

fn substitution_cost(a: u8, b: u8) -> usize {
    if a == b {
        0
    } else if a.eq_ignore_ascii_case(&b) {
        CASE_COST
    } else {
        MOVE_COST
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn suggest(wrong: &str, names: &[&str]) -> Option<String> {
        let names: Vec<String> = names.iter().map(ToString::to_string).collect();
        closest(wrong, &names).map(str::to_string)
    }

    #[test]
    fn the_closest_name_wins() {
        assert_eq!(
            suggest("prit", &["int", "print", "printf"]).as_deref(),
            Some("print")
        );
        assert_eq!(
            suggest("Value", &["value", "values"]).as_deref(),
            Some("value")
        );
        assert_eq!(
            suggest("blech", &["bluch", "blach"]).as_deref(),
            Some("bluch")
        );
    }
    #[test]
    fn distant_names_are_not_suggested() {
        assert_eq!(suggest("x", &["y", "zz"]), None);
        assert_eq!(suggest("foo", &["barbaz", "foo"]), None);
        assert_eq!(suggest("eval_frame", &["exec"]), None);
    }
}
