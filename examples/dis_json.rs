//! Compiles Python files and prints one JSON object a line: the file and its code, or the error. The code is what
//! `rattail dis --json` prints, with the location table added. `tests/tools/compare_dis.py` reads it.

use rattail::bytecode::spec::{CodeSpec, Constant};
use rattail::bytecode::verify::verify;
use rattail::compiler::{Mode, Options, compile};
use rattail::introspect::dis::to_json;
use serde_json::{Value, json};

fn add_linetable(value: &mut Value, code: &CodeSpec) {
    let hex: String = code.linetable.iter().map(|b| format!("{b:02x}")).collect();
    value["linetable"] = hex.into();
    let nested = code.consts.iter().filter_map(|c| match c {
        Constant::Code(code) => Some(code),
        _ => None,
    });
    if let Some(values) = value["nested"].as_array_mut() {
        for (value, code) in values.iter_mut().zip(nested) {
            add_linetable(value, code);
        }
    }
}

/// The code, and what the verifier finds wrong with it.
fn dump(file: &str) -> Result<(Value, Option<String>), String> {
    let source = std::fs::read(file).map_err(|e| e.to_string())?;
    let code = compile(&source, file, Mode::Exec, Options::default()).map_err(|e| e.to_string())?;
    let fault = verify(&code).err().map(|e| e.to_string());
    let mut value = to_json(&code).map_err(|e| e.to_string())?;
    add_linetable(&mut value, &code);
    Ok((value, fault))
}

fn main() {
    for file in std::env::args().skip(1) {
        match dump(&file) {
            Ok((code, fault)) => {
                println!("{}", json!({"file": file, "code": code, "verify": fault}));
            }
            Err(error) => println!("{}", json!({"file": file, "error": error})),
        }
    }
}
