//! The rules that derive what clauses use from facts about sentences, and the modes. [GLEANER Appendix A]
//!
//! Facts are of tokens, phrases and mentions. What stands inside, between, before and after the arguments follows from them, so
//! it is a rule.

use std::fmt::Write;

/// What the facts of a corpus have beside tokens, phrases and mentions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Extent {
    /// Words in lists of the user.
    pub(crate) has_dictionaries: bool,
    /// Dependency arcs.
    pub(crate) has_arcs: bool,
    /// Entities of several kinds.
    pub(crate) has_kinds: bool,
    /// Whether the first argument may stand after the second.
    pub(crate) is_directed: bool,
    /// Whether the arguments may stand in different sentences.
    pub(crate) is_windowed: bool,
}

/// A predicate that clauses use: its mode, its rule, what it says, and whether all corpora have it.
struct Known {
    mode: &'static str,
    rule: &'static str,
    says: &'static str,
    needs: Needs,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Needs {
    Nothing,
    Dictionaries,
    Arcs,
    Kinds,
    Direction,
    Window,
}

/// Auxiliary rules: of which tokens a pair speaks.
const PLACES: &str = "\
% Where an argument stands: in its sentence, or, as facts say, in several in a row.
stands(A,S,I,J) :- mention(A,S,I,J,_).
% The tokens from the last of the mention that stands first to the first of the other.
gap(A,B,S,I,J) :- candidate(A,B,S), stands(A,S,_,I), stands(B,S,J,_), I < J.
gap(A,B,S,I,J) :- candidate(A,B,S), stands(B,S,_,I), stands(A,S,J,_), I < J.
% The first and the last token of both.
extent(A,B,S,I,J) :- candidate(A,B,S), stands(A,S,I,_), stands(B,S,_,J), I =< J.
extent(A,B,S,I,J) :- candidate(A,B,S), stands(B,S,I,_), stands(A,S,_,J), I < J.
";

const KNOWN: &[Known] = &[
    Known {
        mode: "word_between(+mention,+mention,#word)",
        rule: "word_between(A,B,W) :- gap(A,B,S,I,J), token(S,K,W,_), I < K, K < J.",
        says: "a word stands between the arguments",
        needs: Needs::Nothing,
    },
    Known {
        mode: "words_between(+mention,+mention,#word,#word)",
        rule: "words_between(A,B,V,W) :- gap(A,B,S,I,J), token(S,K,V,_), I < K, L is K + 1, L < J, token(S,L,W,_).",
        says: "two words stand side by side between them",
        needs: Needs::Nothing,
    },
    Known {
        mode: "tags_between(+mention,+mention,#tag,#tag)",
        rule: "tags_between(A,B,T,U) :- gap(A,B,S,I,J), token(S,K,_,T), I < K, L is K + 1, L < J, token(S,L,_,U).",
        says: "two parts of speech stand side by side between them",
        needs: Needs::Nothing,
    },
    Known {
        mode: "word_before(+mention,+mention,#word)",
        rule: "word_before(A,B,W) :- extent(A,B,S,I,_), token(S,K,W,_), K < I.",
        says: "a word stands before both",
        needs: Needs::Nothing,
    },
    Known {
        mode: "words_before(+mention,+mention,#word,#word)",
        rule: "words_before(A,B,V,W) :- extent(A,B,S,I,_), token(S,K,V,_), L is K + 1, L < I, token(S,L,W,_).",
        says: "two words stand side by side before both",
        needs: Needs::Nothing,
    },
    Known {
        mode: "word_after(+mention,+mention,#word)",
        rule: "word_after(A,B,W) :- extent(A,B,S,_,J), token(S,K,W,_), K > J.",
        says: "a word stands after both",
        needs: Needs::Nothing,
    },
    Known {
        mode: "words_after(+mention,+mention,#word,#word)",
        rule: "words_after(A,B,V,W) :- extent(A,B,S,_,J), token(S,K,V,_), K > J, L is K + 1, token(S,L,W,_).",
        says: "two words stand side by side after both",
        needs: Needs::Nothing,
    },
    Known {
        mode: "previous_word(+mention,#offset,#word)",
        rule: "previous_word(A,N,W) :- mention(A,S,I,_,_), token(S,K,W,_), N is I - K, N > 0, N < 4.",
        says: "a word stands up to three tokens before an argument",
        needs: Needs::Nothing,
    },
    Known {
        mode: "previous_tag(+mention,#offset,#tag)",
        rule: "previous_tag(A,N,T) :- mention(A,S,I,_,_), token(S,K,_,T), N is I - K, N > 0, N < 4.",
        says: "a part of speech stands there",
        needs: Needs::Nothing,
    },
    Known {
        mode: "next_word(+mention,#offset,#word)",
        rule: "next_word(A,N,W) :- mention(A,S,_,J,_), token(S,K,W,_), N is K - J, N > 0, N < 4.",
        says: "a word stands up to three tokens after an argument",
        needs: Needs::Nothing,
    },
    Known {
        mode: "next_tag(+mention,#offset,#tag)",
        rule: "next_tag(A,N,T) :- mention(A,S,_,J,_), token(S,K,_,T), N is K - J, N > 0, N < 4.",
        says: "a part of speech stands there",
        needs: Needs::Nothing,
    },
    Known {
        mode: "word_inside(+mention,#word)",
        rule: "",
        says: "a word is part of an argument",
        needs: Needs::Nothing,
    },
    Known {
        mode: "tag_inside(+mention,#tag)",
        rule: "tag_inside(A,T) :- mention(A,S,I,J,_), token(S,K,_,T), I =< K, K =< J.",
        says: "a part of speech is part of an argument",
        needs: Needs::Nothing,
    },
    Known {
        mode: "shape_inside(+mention,#shape)",
        rule: "shape_inside(A,H) :- mention(A,S,I,J,_), shape(S,K,H), I =< K, K =< J.",
        says: "a word of an argument looks like this, as alphanumeric or all_capitals",
        needs: Needs::Nothing,
    },
    Known {
        mode: "telling_word(+mention,+mention,#place,#times)",
        rule: "",
        says: "a word stands inside, between, before or after that is so many times as frequent there in train's positives",
        needs: Needs::Nothing,
    },
    Known {
        mode: "phrase_between(+mention,+mention,#phrase)",
        rule: "phrase_between(A,B,P) :- gap(A,B,S,I,J), phrase(S,P,K,L), I < K, L < J.",
        says: "a phrase of this kind stands between the arguments",
        needs: Needs::Nothing,
    },
    Known {
        mode: "same_words(+mention,+mention)",
        rule: "same_words(A,B) :- candidate(A,B,_), named(A,W), named(B,W).",
        says: "both arguments have the same words",
        needs: Needs::Nothing,
    },
    Known {
        mode: "stands_before(+mention,+mention)",
        rule: "stands_before(A,B) :- candidate(A,B,S), stands(A,S,I,_), stands(B,S,J,_), I < J.",
        says: "the first argument stands before the second",
        needs: Needs::Direction,
    },
    Known {
        mode: "kind(+mention,#kind)",
        rule: "kind(A,K) :- mention(A,_,_,_,K).",
        says: "the kind of an argument",
        needs: Needs::Kinds,
    },
    Known {
        mode: "listed_inside(+mention,#dictionary)",
        rule: "listed_inside(A,D) :- mention(A,S,I,J,_), listed(S,K,D), I =< K, K =< J.",
        says: "a word of an argument is in a list",
        needs: Needs::Dictionaries,
    },
    Known {
        mode: "listed_between(+mention,+mention,#dictionary)",
        rule: "listed_between(A,B,D) :- gap(A,B,S,I,J), listed(S,K,D), I < K, K < J.",
        says: "a word of a list stands between the arguments",
        needs: Needs::Dictionaries,
    },
    Known {
        mode: "governor(+mention,#arc,#word)",
        rule: "governor(A,R,W) :- mention(A,S,I,J,_), arc(S,K,L,R), I =< K, K =< J, L < I, token(S,L,W,_).\n\
               governor(A,R,W) :- mention(A,S,I,J,_), arc(S,K,L,R), I =< K, K =< J, L > J, token(S,L,W,_).",
        says: "a word governs an argument by an arc of dependency",
        needs: Needs::Arcs,
    },
    Known {
        mode: "governed_by_same(+mention,+mention,#arc,#arc,#word)",
        rule: "outer_governor(A,S,L,R) :- mention(A,S,I,J,_), arc(S,K,L,R), I =< K, K =< J, L < I.\n\
               outer_governor(A,S,L,R) :- mention(A,S,I,J,_), arc(S,K,L,R), I =< K, K =< J, L > J.\n\
               governed_by_same(A,B,R,Q,W) :- candidate(A,B,S), outer_governor(A,S,L,R), outer_governor(B,S,L,Q), token(S,L,W,_).",
        says: "one word governs both arguments",
        needs: Needs::Arcs,
    },
    Known {
        mode: "distance(+mention,+mention,-count)",
        rule: "distance(A,B,N) :- gap(A,B,_,I,J), N is J - I - 1.",
        says: "how many tokens stand between the arguments",
        needs: Needs::Nothing,
    },
    Known {
        mode: "sentences_apart(+mention,+mention,-count)",
        rule: "",
        says: "how many sentences further the later argument stands",
        needs: Needs::Window,
    },
    Known {
        mode: "mentions_between(+mention,+mention,-count)",
        rule: "mentions_between(A,B,N) :- gap(A,B,S,I,J), aggregate_all(count, (stands(_,S,K,_), I < K, K < J), N).",
        says: "how many mentions begin between them",
        needs: Needs::Nothing,
    },
    Known {
        mode: "mentions_in_sentence(+mention,-count)",
        rule: "mentions_in_sentence(A,N) :- mention(A,S,_,_,_), aggregate_all(count, mention(_,S,_,_,_), N).",
        says: "how many mentions the sentence has",
        needs: Needs::Nothing,
    },
    Known {
        mode: "words_in_sentence(+mention,-count)",
        rule: "words_in_sentence(A,N) :- mention(A,S,_,_,_), aggregate_all(count, token(S,_,_,_), N).",
        says: "how many tokens the sentence has",
        needs: Needs::Nothing,
    },
    Known {
        mode: "words_inside(+mention,-count)",
        rule: "words_inside(A,N) :- mention(A,_,I,J,_), N is J - I + 1.",
        says: "how many tokens an argument has",
        needs: Needs::Nothing,
    },
    Known {
        mode: "position(+mention,-count)",
        rule: "position(A,I) :- mention(A,_,I,_,_).",
        says: "how many tokens stand before an argument",
        needs: Needs::Nothing,
    },
];

/// The places of words that train tells, each with the atom that says that a word `W` stands there.
const WORD_PLACES: [(&str, &str); 5] = [
    ("between", "word_between(A,B,W)"),
    ("before", "word_before(A,B,W)"),
    ("after", "word_after(A,B,W)"),
    ("first", "word_inside(A,W)"),
    ("second", "word_inside(B,W)"),
];

/// Auxiliary rules: words that train's positives have more often in a place than its negatives, by how many times. A run has
/// those of its own train folds. [GLEANER §4.1.3, Appendix A.7]
///
/// Each place has rules of its own. One relation of all places would hold the words of each pair once more.
///
/// DIVERGENCE: a word must occur in three positives. One positive would be enough for any ratio where there are fifty times as
/// many negatives.
fn statistics() -> String {
    let mut text = "\
% Words that train tells: in how many positives and negatives each stands in a place, and how many times as often in positives.
train_size(N,M) :- aggregate_all(count, train_positive(_,_), N), aggregate_all(count, train_negative(_,_), M).
times(2). times(5). times(10).
telling(P,W,L) :- word_count(P,W,N,M), train_size(T,U), times(L), N * U >= L * M * T.
"
    .to_owned();
    for (place, atom) in WORD_PLACES {
        let anywhere = atom.replace("A,", "_,").replace("B,", "_,");
        let other = atom.replace('A', "C").replace('B', "D");
        writeln!(
            text,
            "place_word({place},W) :- {anywhere}.\n\
             word_count({place},W,N,M) :- place_word({place},W), aggregate_all(count, ({atom}, train_positive(A,B)), N), N >= 3,\n    \
             aggregate_all(count, ({other}, train_negative(C,D)), M)."
        )
        .expect("writing to memory does not fail");
    }
    text
}

/// The rules of `telling_word`.
fn telling_words() -> String {
    let rule = |(place, atom): &(&str, &str)| {
        // A word inside one argument says nothing of the other.
        let pair = if atom.contains("A,B") { "" } else { "candidate(A,B,_), " };
        format!("telling_word(A,B,{place},L) :- {pair}{atom}, telling({place},W,L).")
    };
    WORD_PLACES.iter().map(rule).collect::<Vec<_>>().join("\n")
}

/// The predicates of facts and of auxiliary rules.
const FACTS: [&str; 20] = [
    "sentence",
    "span",
    "token",
    "shape",
    "listed",
    "arc",
    "phrase",
    "mention",
    "named",
    "candidate",
    "stands",
    "gap",
    "extent",
    "place_word",
    "train_size",
    "word_count",
    "times",
    "telling",
    "train_positive",
    "train_negative",
];

/// Whether a predicate is one of those that facts and rules define; a target has another name.
pub(crate) fn is_own(name: &str) -> bool {
    let of_mode = |known: &Known| known.mode.split('(').next() == Some(name);
    FACTS.contains(&name) || name == "outer_governor" || KNOWN.iter().any(of_mode)
}

impl Extent {
    fn has(self, needs: Needs) -> bool {
        match needs {
            Needs::Nothing => true,
            Needs::Dictionaries => self.has_dictionaries,
            Needs::Arcs => self.has_arcs,
            Needs::Kinds => self.has_kinds,
            Needs::Direction => self.is_directed,
            Needs::Window => self.is_windowed,
        }
    }

    fn known(self) -> impl Iterator<Item = &'static Known> {
        KNOWN.iter().filter(move |known| self.has(known.needs))
    }

    /// The rules.
    pub(crate) fn rules(self) -> String {
        let mut text = "% What stands inside, between, before and after the arguments, of facts about tokens, phrases and mentions.\n".to_owned();
        text.push_str(PLACES);
        text.push_str(&statistics());
        let telling_words = telling_words();
        for known in self.known() {
            let rule = if known.mode.starts_with("telling_word(") { &telling_words } else { known.rule };
            if !rule.is_empty() {
                writeln!(text, "% {}: {}.\n{rule}", known.mode, known.says)
                    .expect("writing to memory does not fail");
            }
        }
        text
    }

    /// The modes of a target.
    pub(crate) fn modes(self, target: &str) -> String {
        let mut text = format!(":- modeh(1, {target}(+mention,+mention)).\n");
        for known in self.known() {
            let answers = if known.mode.contains("-count") { "1" } else { "*" };
            writeln!(text, ":- modeb({answers}, {}).", known.mode).expect("writing to memory does not fail");
        }
        text.push_str(":- modeb(1, +count =< #count).\n:- modeb(1, +count >= #count).\n");
        text
    }
}
