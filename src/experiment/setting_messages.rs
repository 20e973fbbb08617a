//! Messages about settings that cannot be, or that are made twice.

use crate::problem::SetDirective;
use crate::program::settings::SettingFault;
use crate::syntax::{Diagnostic, codes};

/// The last of several directives counts.
pub(super) fn overruled(name: &str, earlier: &SetDirective, later: &SetDirective) -> Diagnostic {
    Diagnostic::warning(codes::UNUSED_SETTING, made_twice(name))
        .with_label(earlier.file, earlier.span, "has no effect")
        .with_label(later.file, later.span, "this one counts")
        .with_help("remove one of them")
}

/// One file of settings makes no setting twice.
pub(super) fn set_again(name: &str) -> Diagnostic {
    Diagnostic::error(codes::BAD_SETTINGS_FILE, made_twice(name)).with_help("remove one of them")
}

fn made_twice(name: &str) -> String {
    format!("the setting {name} is made twice")
}

pub(super) fn diagnostic_of(fault: &SettingFault) -> Diagnostic {
    let code = match fault {
        SettingFault::Unknown { .. } => codes::UNKNOWN_SETTING,
        SettingFault::Value { .. } => codes::SETTING_VALUE,
    };
    Diagnostic::error(code, fault.to_string()).with_help(fault.help())
}
