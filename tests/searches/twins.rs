//! The searches once more, written to be obviously right: lists that are sorted again and again, and sets of
//! bits. Each gives the clauses evaluated, in order.

use std::collections::BTreeSet;

use super::planted::{Mask, Planted, compare, n_body};

/// What a search has evaluated so far.
pub(crate) struct Twin<'a> {
    problem: &'a Planted,
    min_positives: usize,
    seen: BTreeSet<Mask>,
    stream: Vec<Mask>,
}

impl<'a> Twin<'a> {
    pub(crate) fn new(problem: &'a Planted, min_positives: usize) -> Self {
        Self { problem, min_positives, seen: BTreeSet::new(), stream: Vec::new() }
    }

    pub(crate) fn stream(self) -> Vec<Mask> {
        self.stream
    }

    /// Whether the clause is new.
    fn evaluate(&mut self, mask: Mask) -> bool {
        let is_new = self.seen.insert(mask);
        if is_new {
            self.stream.push(mask);
        }
        is_new
    }

    fn score(&self, mask: Mask) -> f64 {
        if mask == 0 { f64::NEG_INFINITY } else { self.problem.score(mask, self.min_positives) }
    }

    fn may_grow(&self, mask: Mask) -> bool {
        mask == 0 || self.problem.n_positives(mask) >= self.min_positives
    }

    fn sort_best_first(&self, masks: &mut [Mask]) {
        masks.sort_by(|&left, &right| compare((self.score(right), right), (self.score(left), left)));
    }

    /// Of each length the `width` best are refined.
    pub(crate) fn beam(mut self, width: usize) -> Self {
        let mut level = vec![0];
        while !level.is_empty() {
            let mut next = Vec::new();
            for mask in level {
                for more in self.problem.space.additions(mask) {
                    if self.evaluate(more) && self.may_grow(more) {
                        next.push(more);
                    }
                }
            }
            if next.len() > width {
                self.sort_best_first(&mut next);
                next.truncate(width);
            }
            level = next;
        }
        self
    }

    /// Beams of width 1, 2, 4 and so on, to the one that refines every clause; of each what is new.
    pub(crate) fn iterated_beam(mut self) -> Self {
        let beam = |width| Self::new(self.problem, self.min_positives).beam(width).stream;
        let widths = (0..10).map(|power| 1 << power);
        let beams: Vec<Vec<Mask>> = widths.map(beam).collect();
        assert_eq!(beams.last(), Some(&beam(usize::MAX)), "the widest refines every clause");
        for mask in beams.into_iter().flatten() {
            self.evaluate(mask);
        }
        self
    }

    /// The best specialisation of a clause is refined with all below it, then the second best.
    pub(crate) fn depth_first(mut self) -> Self {
        self.refine_best_first(0);
        self
    }

    fn refine_best_first(&mut self, mask: Mask) {
        let mut new = self.problem.space.additions(mask);
        new.retain(|&more| self.evaluate(more));
        new.retain(|&more| self.may_grow(more));
        self.sort_best_first(&mut new);
        for more in new {
            self.refine_best_first(more);
        }
    }

    /// The best known clause is refined next.
    pub(crate) fn best_first(mut self) -> Self {
        let mut open = vec![0];
        while !open.is_empty() {
            self.sort_best_first(&mut open);
            for more in self.problem.space.additions(open.remove(0)) {
                if self.evaluate(more) && self.may_grow(more) {
                    open.push(more);
                }
            }
        }
        self
    }

    /// Every way down, as often as it leads there; of each depth what was not met before.
    pub(crate) fn iterative_deepening(mut self) -> Self {
        for depth in 1..=self.problem.space.max_body {
            self.descend(0, depth);
        }
        self
    }

    fn descend(&mut self, mask: Mask, depth: usize) {
        for more in self.problem.space.additions(mask) {
            if n_body(more) == depth {
                self.evaluate(more);
            } else if self.may_grow(more) {
                self.descend(more, depth);
            }
        }
    }

    /// What has a generalisation that is not pruned, which has one, and so on: as a set.
    pub(crate) fn reachable(&self) -> BTreeSet<Mask> {
        let mut reached = BTreeSet::from([0]);
        loop {
            let growing = reached.iter().filter(|&&mask| self.may_grow(mask));
            let more: BTreeSet<Mask> = growing.flat_map(|&mask| self.problem.space.additions(mask)).collect();
            if more.is_subset(&reached) {
                break;
            }
            reached.extend(more);
        }
        reached.remove(&0);
        reached
    }

    /// One start of rapid random restarts: the clauses it evaluates.
    pub(crate) fn restart(&mut self, start: Mask, n_evaluations: usize) -> Vec<Mask> {
        let n_before = self.stream.len();
        assert!(self.evaluate(start), "a start is new");
        let mut open = vec![start];
        'start: while !open.is_empty() {
            self.sort_best_first(&mut open);
            let best = open.remove(0);
            for neighbour in self.problem.space.neighbours(best, self.may_grow(best)) {
                if self.stream.len() - n_before >= n_evaluations {
                    break 'start;
                }
                if self.evaluate(neighbour) {
                    open.push(neighbour);
                }
            }
        }
        self.stream[n_before..].to_vec()
    }

    /// One start of hill climbing, from the most general clause where none is given.
    pub(crate) fn climb(&mut self, start: Option<Mask>) -> Vec<Mask> {
        let n_before = self.stream.len();
        let mut current = start.unwrap_or(0);
        assert!(start.is_none() || self.evaluate(current), "a start is new");
        loop {
            let mut around = self.problem.space.neighbours(current, self.may_grow(current));
            for &neighbour in &around {
                self.evaluate(neighbour);
            }
            self.sort_best_first(&mut around);
            match around.first() {
                Some(&best) if self.score(best) > self.score(current) => current = best,
                _ => return self.stream[n_before..].to_vec(),
            }
        }
    }
}
