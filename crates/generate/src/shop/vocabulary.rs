//! The values of categories with their shares, and the free texts.

use rand::seq::IndexedRandom;
use rand::{Rng, RngExt};

/// A category's values, each with how often it is drawn, in any unit.
pub(super) type Shares = [(&'static str, u32)];

pub(super) const REGIONS: [(&str, u32); 8] = [
    ("north", 20),
    ("south", 18),
    ("east", 14),
    ("west", 14),
    ("coast", 12),
    ("lakes", 9),
    ("hills", 8),
    ("islands", 5),
];
pub(super) const SEGMENTS: [(&str, u32); 4] =
    [("private", 60), ("student", 18), ("business", 15), ("club", 7)];
pub(super) const CHANNELS: [(&str, u32); 4] = [("web", 50), ("app", 27), ("store", 13), ("phone", 10)];
pub(super) const CATEGORIES: [(&str, u32); 12] = [
    ("books", 15),
    ("clothes", 13),
    ("kitchen", 11),
    ("garden", 10),
    ("toys", 9),
    ("sports", 9),
    ("music", 8),
    ("tools", 7),
    ("phones", 6),
    ("travel", 5),
    ("pets", 4),
    ("art", 3),
];
pub(super) const COUNTRIES: [(&str, u32); 10] = [
    ("china", 18),
    ("germany", 14),
    ("italy", 13),
    ("poland", 12),
    ("india", 11),
    ("france", 9),
    ("turkey", 8),
    ("kenya", 6),
    ("chile", 5),
    ("norway", 4),
];
/// The last reason tells who is positive, but only after the cut-off.
pub(super) const REASONS: [(&str, u32); 6] = [
    ("too_small", 30),
    ("changed_mind", 26),
    ("broken", 18),
    ("wrong_item", 14),
    ("late", 11),
    ("chargeback", 1),
];
pub(super) const CHARGEBACK: u8 = 5;
pub(super) const DISCOUNTS: [u32; 5] = [5, 10, 15, 20, 30];
pub(super) const CITIES: [&str; 10] =
    ["arden", "brook", "calder", "dunmore", "elm", "fairley", "grange", "holt", "ives", "kirk"];

/// The place of a value that is drawn by its share.
pub(super) fn draw_share(values: &Shares, rng: &mut impl Rng) -> u8 {
    let total: u32 = values.iter().map(|(_, share)| share).sum();
    let mut at = rng.random_range(0..total);
    for (place, &(_, share)) in (0..).zip(values) {
        if at < share {
            return place;
        }
        at -= share;
    }
    unreachable!("the draw is below the sum of the shares")
}

/// A remark on a shopper: a free text that says nothing on the label. Most differ.
pub(super) fn draw_remark(rng: &mut impl Rng) -> String {
    const WHOM: [&str; 4] = ["Called us", "Wrote to us", "Came by", "Was asked"];
    const WHAT: [&str; 6] = [
        "about a parcel",
        "about the bill",
        "for a catalogue",
        "about sizes",
        "for a gift card",
        "about nothing",
    ];
    const END: [&str; 5] =
        [", was friendly", ", said \"never mind\"", "", "; call again", ", prefers letters, not mail"];
    let pick = |from: &[&'static str], rng: &mut _| *from.choose(rng).expect("there are texts");
    let (whom, what, end) = (pick(&WHOM, rng), pick(&WHAT, rng), pick(&END, rng));
    format!("{whom} {what}{end} (ticket {})", rng.random_range(1_000..100_000))
}

/// A note on a basket: a free text that says nothing on the label.
pub(super) fn draw_note(rng: &mut impl Rng) -> String {
    const NOTES: [&str; 6] = [
        "leave at the door",
        "ring twice, please",
        "gift wrap, no price tag",
        "for the neighbour",
        "call before delivery",
        "card says \"well done\"",
    ];
    let note = NOTES.choose(rng).expect("there are notes");
    format!("{note} {}", rng.random_range(1..1_000))
}
