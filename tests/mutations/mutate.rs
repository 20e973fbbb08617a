//! Seeded damage to the files of a problem.

use rand::RngExt;
use rand_pcg::Pcg64;

/// The files of a problem, by their paths below its folder.
pub(crate) type Files = Vec<(String, Vec<u8>)>;

/// What is put into files: text that some reader takes for its own, and what is no text.
const PIECES: [&[u8]; 40] = [
    b"\0",
    b"\xFF",
    b"\xC3",
    b"\xED\xA0\x80",
    b"'",
    b"\"",
    b"(",
    b")",
    b"[",
    b"]",
    b"{",
    b"}",
    b"|",
    b",",
    b".",
    b". ",
    b".\n",
    b":-",
    b"\\",
    b"\\x",
    b"/*",
    b"*/",
    b"%",
    b"//",
    b"\t",
    b"\r\n",
    b"\n\n",
    b"\xEF\xBB\xBF",
    "\u{202E}é".as_bytes(),
    b"99999999999999999999999999",
    b"-9223372036854775808",
    b"1e999",
    b"0.0000000001",
    b" X ",
    b"_",
    b":- set(depth, 99999999).\n",
    b"import: \"a_bk.txt\".\n",
    b"p(X,Y) :- p(Y,Z), p(Z,X).\n",
    b"n(0). n(M) :- n(N), M is N + 1.\n",
    b"\\+ ",
];

/// Damages files a few times, each time in one of many ways.
pub(crate) fn mutate(files: &mut Files, rng: &mut Pcg64) {
    for _ in 0..rng.random_range(1..=4) {
        let file = rng.random_range(0..files.len());
        match rng.random_range(0..16) {
            0 => swap_files(files, file, rng),
            1 => splice(files, file, rng),
            2 if rng.random_bool(0.3) => files[file].1.clear(),
            3 if rng.random_bool(0.3) && files.len() > 1 => {
                files.remove(file);
            }
            kind => mutate_bytes(&mut files[file].1, kind, rng),
        }
    }
}

fn swap_files(files: &mut Files, file: usize, rng: &mut Pcg64) {
    let other = rng.random_range(0..files.len());
    let bytes = std::mem::take(&mut files[file].1);
    files[file].1 = std::mem::replace(&mut files[other].1, bytes);
}

/// Puts a part of one file into another.
fn splice(files: &mut Files, file: usize, rng: &mut Pcg64) {
    let other = rng.random_range(0..files.len());
    let (start, end) = range(files[other].1.len(), 2000, rng);
    let part = files[other].1[start..end].to_vec();
    let at = rng.random_range(0..=files[file].1.len());
    files[file].1.splice(at..at, part);
}

/// A part of a text, at most so long.
fn range(len: usize, most: usize, rng: &mut Pcg64) -> (usize, usize) {
    let start = rng.random_range(0..=len);
    (start, (start + rng.random_range(0..=most)).min(len))
}

fn mutate_bytes(bytes: &mut Vec<u8>, kind: u32, rng: &mut Pcg64) {
    let len = bytes.len();
    let at = rng.random_range(0..=len);
    match kind {
        4 if at < len => bytes[at] ^= 1 << rng.random_range(0..8),
        5 if at < len => bytes[at] = rng.random(),
        6 => {
            let (start, end) = range(len, 20, rng);
            bytes.drain(start..end);
        }
        7 => bytes.truncate(at),
        8 => repeat(bytes, at, rng),
        9 | 10 => lines(bytes, kind == 9, rng),
        11 => {
            let (start, end) = range(len, 40, rng);
            let part = bytes[start..end].to_vec();
            bytes.splice(at..at, part);
        }
        12 => {
            // A name or number becomes another of the same text.
            let words: Vec<Vec<u8>> = bytes
                .split(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_')
                .filter(|word| !word.is_empty())
                .map(<[u8]>::to_vec)
                .collect();
            if !words.is_empty() {
                let (old, new) =
                    (&words[rng.random_range(0..words.len())], &words[rng.random_range(0..words.len())]);
                if let Some(at) = bytes.windows(old.len()).position(|found| found == old) {
                    bytes.splice(at..at + old.len(), new.iter().copied());
                }
            }
        }
        13 => {
            if let Some(rules) = explosive_rules(bytes, rng) {
                bytes.splice(0..0, rules.into_bytes());
            }
        }
        _ => {
            let piece = PIECES[rng.random_range(0..PIECES.len())];
            let is_line = piece.ends_with(b"\n") && rng.random_bool(0.7);
            let after_feed =
                || bytes[..at].iter().rposition(|&byte| byte == b'\n').map_or(0, |feed| feed + 1);
            let at = if is_line { after_feed() } else { at };
            bytes.splice(at..at, piece.iter().copied());
        }
    }
}

/// Rules that pair all with all, of a predicate that the text seems to have facts of.
fn explosive_rules(bytes: &[u8], rng: &mut Pcg64) -> Option<String> {
    let lines: Vec<&[u8]> = bytes.split(|&byte| byte == b'\n').collect();
    let line = std::str::from_utf8(lines[rng.random_range(0..lines.len())]).ok()?;
    let (name, rest) = line.split_once('(')?;
    let is_name =
        name.starts_with(|c: char| c.is_ascii_lowercase()) && name.chars().all(char::is_alphanumeric);
    let arity = rest.split(')').next().filter(|_| is_name)?.split(',').count();
    let variables =
        |letter: char| (0..arity).map(|idx| format!("{letter}{idx}")).collect::<Vec<_>>().join(",");
    let n_atoms = rng.random_range(2..6);
    let letters = &['A', 'B', 'C', 'D', 'E'][..n_atoms];
    let atoms: Vec<String> = letters.iter().map(|&letter| format!("{name}({})", variables(letter))).collect();
    let head: Vec<String> = letters.iter().map(|&letter| variables(letter)).collect();
    let n_head = rng.random_range(0..=n_atoms);
    let head = if n_head == 0 { "A0".to_owned() } else { head[..n_head].join(",") };
    Some(format!("cross({head}) :- {}.\n", atoms.join(", ")))
}

/// Puts a piece or a part of the text in many times.
fn repeat(bytes: &mut Vec<u8>, at: usize, rng: &mut Pcg64) {
    let piece = if rng.random_bool(0.5) {
        PIECES[rng.random_range(0..PIECES.len())].to_vec()
    } else {
        let (start, end) = range(bytes.len(), 30, rng);
        bytes[start..end].to_vec()
    };
    let times = 1 << rng.random_range(1..13);
    bytes.splice(at..at, piece.repeat(times));
}

/// Drops, doubles or moves lines.
fn lines(bytes: &mut Vec<u8>, is_dropped: bool, rng: &mut Pcg64) {
    let mut lines: Vec<Vec<u8>> = bytes.split_inclusive(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect();
    if lines.is_empty() {
        return;
    }
    let line = rng.random_range(0..lines.len());
    if is_dropped {
        lines.remove(line);
    } else {
        let other = rng.random_range(0..lines.len());
        let copy = lines[line].clone();
        if rng.random_bool(0.5) {
            lines.insert(other, copy);
        } else {
            lines.swap(line, other);
        }
    }
    *bytes = lines.concat();
}
