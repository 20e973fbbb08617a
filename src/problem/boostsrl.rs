//! BoostSRL's texts, brought to the common grammar byte by byte, so that places stay true.
//!
//! `//` comments and the keyword lines of its background files (`mode:`, `setParam:`, …) are replaced
//! by blanks of the same length; what is left is read as any other program.

/// A background or fact file in the common grammar, and the files it imports.
#[derive(Debug)]
pub(super) struct Translated {
    pub(super) text: String,
    pub(super) imports: Vec<String>,
}

/// Keywords whose argument is a mode, which stays.
const MODE_KEYWORD: &str = "mode:";

/// Keywords whose whole line is about other systems.
const OTHER_KEYWORDS: [&str; 12] = [
    "setParam:",
    "setparam:",
    "usePrologVariables:",
    "useStdLogicVariables:",
    "okIfUnknown:",
    "queryPred:",
    "range:",
    "isa:",
    "bridger:",
    "importLibrary:",
    "relevant:",
    "precompute:",
];

/// Blanks what the common grammar does not know. Cost: one pass.
pub(super) fn translate(text: &str) -> Translated {
    let mut bytes = text.as_bytes().to_vec();
    let mut imports = Vec::new();
    blank_comments(&mut bytes);
    let mut line_start = 0;
    while line_start < bytes.len() {
        let line_end = bytes[line_start..]
            .iter()
            .position(|&byte| byte == b'\n')
            .map_or(bytes.len(), |at| line_start + at);
        translate_line(&mut bytes[line_start..line_end], &mut imports);
        line_start = line_end + 1;
    }
    // Only whole characters were overwritten, by ASCII blanks.
    let text = String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned());
    Translated { text, imports }
}

fn translate_line(line: &mut [u8], imports: &mut Vec<String>) {
    let start = line.iter().position(|byte| !byte.is_ascii_whitespace()).unwrap_or(line.len());
    let content = &mut line[start..];
    if content.starts_with(MODE_KEYWORD.as_bytes()) {
        content[..MODE_KEYWORD.len()].fill(b' ');
        blank_options(content);
        common_marks(content);
        return;
    }
    if content.starts_with(b"import:") {
        let quoted = String::from_utf8_lossy(content).split('"').nth(1).map(str::to_owned);
        imports.extend(quoted);
        content.fill(b' ');
        return;
    }
    if OTHER_KEYWORDS.iter().any(|keyword| content.starts_with(keyword.as_bytes())) {
        content.fill(b' ');
    }
}

/// `` ` `` is `-` (a value that may be new); how often a value may be used (`+person!1`) has no meaning
/// here.
fn common_marks(content: &mut [u8]) {
    for at in 0..content.len() {
        match content[at] {
            b'`' => content[at] = b'-',
            b'!' => {
                let n_digits = content[at + 1..].iter().take_while(|byte| byte.is_ascii_digit()).count();
                content[at..=at + n_digits].fill(b' ');
            }
            _ => {}
        }
    }
}

/// After the closing parenthesis of a mode only the full stop stays, and one is put where it lacks.
fn blank_options(content: &mut [u8]) {
    if let Some(close) = content.iter().rposition(|&byte| byte == b')') {
        let rest = &mut content[close + 1..];
        rest.fill(b' ');
        if let Some(first) = rest.first_mut() {
            *first = b'.';
        }
    }
}

/// Blanks `//` to the end of its line, outside quotes.
fn blank_comments(bytes: &mut [u8]) {
    let mut quote: Option<u8> = None;
    let mut at = 0;
    while at < bytes.len() {
        let byte = bytes[at];
        match quote {
            Some(open) if byte == open || byte == b'\n' => quote = None,
            Some(_) => {}
            None if byte == b'"' || byte == b'\'' => quote = Some(byte),
            None if byte == b'/' && bytes.get(at + 1) == Some(&b'/') => {
                let end = bytes[at..].iter().position(|&byte| byte == b'\n').map_or(bytes.len(), |n| at + n);
                bytes[at..end].fill(b' ');
                at = end;
                continue;
            }
            None => {}
        }
        at += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::translate;

    #[test]
    fn places_stay_and_keywords_go() {
        let text = "setParam: x=1.\nmode: p(+a). // note\nq('a//b', c).\nimport: \"../x_bk.txt\".\n";
        let translated = translate(text);
        assert_eq!(translated.text.len(), text.len());
        assert_eq!(translated.imports, ["../x_bk.txt"]);
        let lines: Vec<&str> = translated.text.lines().map(str::trim).collect();
        assert_eq!(lines, ["", "p(+a).", "q('a//b', c).", ""]);
    }

    #[test]
    fn options_after_a_mode_are_dropped() {
        assert_eq!(translate("mode: s(+car, #shape)   maxPerInputVars=1.").text.trim(), "s(+car, #shape).");
    }
}
