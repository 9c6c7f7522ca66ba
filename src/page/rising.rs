//! Which of many pairs stand in the same order on both sides: what is left has moved.

/// Returns the longest run of pairs that stand in the same order in both moments.
pub(super) fn rising(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    // For each length the pair that ends the best run so far, and for each pair the one before it.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(pairs.len());
    let old = |at: &usize| pairs.get(*at).map_or(0, |pair| pair.0);
    for (at, pair) in pairs.iter().enumerate() {
        let length = ends.partition_point(|end| old(end) < pair.0);
        before.push(length.checked_sub(1).and_then(|last| ends.get(last).copied()));
        match ends.get_mut(length) {
            Some(end) => *end = at,
            None => ends.push(at),
        }
    }
    let chain = std::iter::successors(ends.last().copied(), |&at| before.get(at).copied().flatten());
    let mut run: Vec<(usize, usize)> = chain.filter_map(|at| pairs.get(at).copied()).collect();
    run.reverse();
    run
}

#[cfg(test)]
mod tests {
    use super::rising;

    #[test]
    fn the_fewest_pairs_are_left_out() {
        assert_eq!(rising(&[(3, 0), (0, 1), (1, 2), (2, 3)]), [(0, 1), (1, 2), (2, 3)]);
        assert_eq!(rising(&[(0, 0), (2, 1), (1, 2), (3, 3)]).len(), 3);
        assert_eq!(rising(&[]), []);
    }
}
