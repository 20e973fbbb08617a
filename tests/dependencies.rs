//! Dependencies have the licences and sources that `deny.toml` allows.

use std::path::Path;
use std::process::Command;

use serde_json::Value as Json;

/// All packages that are built here, as cargo tells them.
fn packages() -> Vec<Json> {
    let printed = |program: &str, arguments: &[&str]| {
        let output = Command::new(program).args(arguments).output().expect("it runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("it is UTF-8")
    };
    let version = printed("rustc", &["-vV"]);
    let host = version.lines().find_map(|line| line.strip_prefix("host: ")).expect("rustc names its host");
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
    let manifest = manifest.to_str().expect("it is UTF-8");
    let asked = [
        "metadata",
        "--format-version",
        "1",
        "--locked",
        "--filter-platform",
        host,
        "--manifest-path",
        manifest,
    ];
    let metadata: Json = serde_json::from_str(&printed("cargo", &asked)).expect("it is JSON");
    let built = metadata["resolve"]["nodes"].as_array().expect("nodes").iter().map(|node| &node["id"]);
    let built: Vec<&Json> = built.collect();
    let packages = metadata["packages"].as_array().expect("packages");
    packages.iter().filter(|package| built.contains(&&package["id"])).cloned().collect()
}

/// The words of the list of this name in `deny.toml`.
fn allowed(name: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("deny.toml");
    let text = std::fs::read_to_string(path).expect("it is there");
    let (_, list) = text.split_once(&format!("\n{name} = [")).expect("the list is there");
    let (list, _) = list.split_once(']').expect("the list ends");
    list.split('"').skip(1).step_by(2).map(str::to_owned).collect()
}

/// Whether an SPDX expression is satisfied by these licences: `OR` and the older `/` choose, `AND` asks for both.
fn is_satisfied(expression: &str, allowed: &[String]) -> bool {
    let words = expression.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
    let words: Vec<&str> = words.split_whitespace().collect();
    let mut at = 0;
    let is = any_of(&words, &mut at, allowed);
    is && at == words.len()
}

fn any_of(words: &[&str], at: &mut usize, allowed: &[String]) -> bool {
    let mut is = all_of(words, at, allowed);
    while words.get(*at).is_some_and(|word| word.eq_ignore_ascii_case("OR")) {
        *at += 1;
        is |= all_of(words, at, allowed);
    }
    is
}

fn all_of(words: &[&str], at: &mut usize, allowed: &[String]) -> bool {
    let mut is = true;
    loop {
        if words.get(*at) == Some(&"(") {
            *at += 1;
            is &= any_of(words, at, allowed);
        } else {
            // An exception only allows more.
            is &= words.get(*at).is_some_and(|word| allowed.iter().any(|licence| licence == word));
            *at += if words.get(*at + 1) == Some(&"WITH") { 2 } else { 0 };
        }
        *at += 1;
        if words.get(*at) != Some(&"AND") {
            return is;
        }
        *at += 1;
    }
}

#[test]
fn expressions_of_licences_are_understood() {
    let allowed = ["MIT", "Unicode-3.0"].map(str::to_owned);
    for good in
        ["MIT", "Apache-2.0/MIT", "(MIT OR Apache-2.0) AND Unicode-3.0", "GPL-3.0 or MIT", "MIT WITH x OR y"]
    {
        assert!(is_satisfied(good, &allowed), "{good}");
    }
    for bad in ["GPL-3.0", "MIT AND GPL-3.0", "(MIT OR Apache-2.0) AND ISC", "MIT GPL-3.0", ""] {
        assert!(!is_satisfied(bad, &allowed), "{bad}");
    }
}

#[test]
fn dependencies_have_allowed_licences_and_sources() {
    let licences = allowed("allow");
    let registries = allowed("allow-registry");
    let packages = packages();
    assert!(packages.len() > 100, "cargo told of {} packages", packages.len());
    for package in &packages {
        let name = &package["name"];
        let licence = package["license"].as_str().unwrap_or_else(|| panic!("{name} names no licence"));
        assert!(is_satisfied(licence, &licences), "{name}: {licence}");
        if let Some(source) = package["source"].as_str() {
            let registry =
                source.strip_prefix("registry+").unwrap_or_else(|| panic!("{name} is from {source}"));
            assert!(registries.iter().any(|allowed| allowed == registry), "{name} is from {registry}");
        }
    }
}
