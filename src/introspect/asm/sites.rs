//! Where a form dispatches.

use super::Error;
use super::audit::loop_of;
use super::binary::{Binary, Function};
use super::decode::{Decoder, Flow};
use super::layout::{Form, Layout};
use std::path::Path;

/// Addresses of the computed jumps in a form's code: all of its handlers and what they continue in, or its loop.
pub fn dispatch_sites(path: &Path, layout: &Layout, form: Form) -> Result<Vec<u64>, Error> {
    let binary = Binary::open(path)?;
    let decoder = Decoder::new(binary.arch)?;
    let functions: Vec<&Function> = match form {
        Form::Tail => {
            let is_handler = |f: &&Function| layout.handler(&f.path).is_some();
            binary.functions.iter().filter(is_handler).collect()
        }
        _ => loop_of(&binary, layout, form).into_iter().collect(),
    };
    if functions.is_empty() {
        return Err(Error::NotFound(format!("code of the {form} form")));
    }
    let mut sites = Vec::new();
    for function in functions {
        let code = binary
            .bytes(function.address, function.size)
            .ok_or_else(|| Error::NotFound(format!("code for {}", function.path)))?;
        let insts = decoder.decode(code, function.address)?;
        let jumps = insts.iter().filter(|inst| inst.flow == Flow::Indirect);
        sites.extend(jumps.map(|inst| inst.address));
    }
    Ok(sites)
}
