//! `import` (`import.c` and what `importlib` does for source files): `sys.modules`, then built-in modules, then the
//! directories of `sys.path` or of the package.

use super::modules::{self, sys};
use super::thread::Thread;
use super::{code, entry, function};
use crate::object::args::Signature;
use crate::object::exc::{self, field};
use crate::object::{
    Owned, PyResult, Raised, Vm, Word, attr, dict, module, number, protocol, sequence, str,
};
use std::path::{Path, PathBuf};

static IMPORT: Signature<5> = Signature::new(
    "__import__",
    ["name", "globals", "locals", "fromlist", "level"],
    1,
);

/// `__import__(name, globals, locals, fromlist, level)`.
pub fn builtin_import(vm: Vm, _: Word, args: &[Word], kwnames: Option<Word>) -> PyResult {
    let [name, globals, _, fromlist, level] = IMPORT.unpack(vm, args, kwnames)?;
    let none = |word: Option<Word>| word.unwrap_or(Word::NONE);
    let level = level.unwrap_or(Word::int_unchecked(0));
    import_level(
        Thread::of(vm),
        none(name),
        none(globals),
        none(fromlist),
        level,
    )
}

/// `PyImport_ImportModuleLevelObject`: the module, or without names to take from it the package it begins with.
pub fn import_level(
    ts: &Thread,
    name: Word,
    globals: Word,
    fromlist: Word,
    level: Word,
) -> PyResult {
    let vm = ts.vm();
    if !str::is_str(name) {
        return Err(vm.type_error("module name must be a string"));
    }
    let level = number::index_isize(vm, level)?;
    if level < 0 {
        return Err(vm.value_error("level must be >= 0"));
    }
    let text = str::to_string_lossy(name);
    let full = if level > 0 {
        resolve(ts, &text, globals, level as usize)?
    } else {
        text.clone()
    };
    if full.is_empty() {
        return Err(vm.value_error("Empty module name"));
    }
    let module = import_module(ts, &full)?;
    if protocol::is_true(vm, fromlist)? {
        if attr::get_attr_opt(vm, module.as_word(), vm.names.__path__)?.is_some() {
            import_submodules(ts, module.as_word(), &full, fromlist, true)?;
        }
        return Ok(module);
    }
    let Some(dot) = text.find('.') else {
        return Ok(module);
    };
    // `import a.b` binds `a`.
    let first = &full[..full.len() - (text.len() - dot)];
    match find_loaded(ts, first) {
        Some(package) => Ok(package),
        None => Err(vm.raise(
            vm.exc.KeyError,
            format!("'{first}' not in sys.modules as expected"),
        )),
    }
}

/// The absolute name of a relative import (`resolve_name`).
fn resolve(ts: &Thread, name: &str, globals: Word, level: usize) -> Result<String, Raised> {
    let vm = ts.vm();
    if globals.is_none() {
        return Err(vm.raise(vm.exc.KeyError, "'__name__' not in globals"));
    }
    if !dict::is_dict(globals) {
        return Err(vm.type_error("globals must be a dict"));
    }
    // SAFETY: a dict, kept by the caller.
    let get = |key| unsafe { dict::get_item(vm, globals.cast(), key) };
    let package = match get(vm.names.__package__)?.filter(|package| !package.is_none()) {
        Some(package) if str::is_str(package) => str::to_string_lossy(package),
        Some(_) => return Err(vm.type_error("package must be a string")),
        None => {
            let Some(own) = get(vm.names.__name__)? else {
                return Err(vm.raise(vm.exc.KeyError, "'__name__' not in globals"));
            };
            if !str::is_str(own) {
                return Err(vm.type_error("__name__ must be a string"));
            }
            let own = str::to_string_lossy(own);
            match get(vm.names.__path__)? {
                Some(_) => own,
                None => own
                    .rsplit_once('.')
                    .map_or_else(String::new, |(package, _)| package.to_string()),
            }
        }
    };
    if package.is_empty() {
        return Err(vm.raise(
            vm.exc.ImportError,
            "attempted relative import with no known parent package",
        ));
    }
    let mut base = package.as_str();
    for _ in 1..level {
        match base.rsplit_once('.') {
            Some((above, _)) => base = above,
            None => {
                return Err(vm.raise(
                    vm.exc.ImportError,
                    "attempted relative import beyond top-level package",
                ));
            }
        }
    }
    Ok(if name.is_empty() {
        base.to_string()
    } else {
        format!("{base}.{name}")
    })
}

/// A module that `sys.modules` has.
pub fn find_loaded(ts: &Thread, name: &str) -> Option<Owned> {
    let vm = ts.vm();
    let found = vm.intern_str(name).and_then(|name| {
        // SAFETY: `sys.modules` lives as long as the VM.
        unsafe { dict::get_item(vm, vm.modules, name.as_word()) }
    });
    match found {
        Ok(found) => found.map(Owned::new_ref),
        Err(Raised) => {
            vm.clear_exception();
            None
        }
    }
}

/// The module with this absolute name, imported if need be (`_find_and_load`).
pub fn import_module(ts: &Thread, name: &str) -> PyResult {
    let vm = ts.vm();
    if let Some(module) = find_loaded(ts, name) {
        if module.as_word().is_none() {
            return Err(not_found(
                vm,
                name,
                &format!("import of {name} halted; None in sys.modules"),
            ));
        }
        return Ok(module);
    }
    vm.check_stack(" while importing a module")?;
    let mut search = None;
    if let Some((parent, _)) = name.rsplit_once('.') {
        let package = import_module(ts, parent)?;
        // Importing the parent may have imported it.
        if let Some(module) = find_loaded(ts, name) {
            return Ok(module);
        }
        match attr::get_attr_opt(vm, package.as_word(), vm.names.__path__)? {
            Some(path) => search = Some(path),
            None => {
                return Err(not_found(
                    vm,
                    name,
                    &format!("No module named '{name}'; '{parent}' is not a package"),
                ));
            }
        }
    }
    let module = match load(ts, name, search.as_ref().map(Owned::as_word))? {
        Some(module) => module,
        None => return Err(not_found(vm, name, &format!("No module named '{name}'"))),
    };
    if let Some((parent, last)) = name.rsplit_once('.')
        && let Some(package) = find_loaded(ts, parent)
    {
        let last = vm.intern_str(last)?;
        attr::set_attr(
            vm,
            package.as_word(),
            last.as_word(),
            Some(module.as_word()),
        )?;
    }
    Ok(module)
}

#[cold]
fn not_found(vm: Vm, name: &str, message: &str) -> Raised {
    let raised = vm.raise(vm.exc.ModuleNotFoundError, message);
    if let (Some(error), Ok(name)) = (vm.current_exception.get(), vm.new_str(name)) {
        // SAFETY: import errors have that field; after a failure to make one the exception is a MemoryError.
        if vm.is_instance(error, vm.exc.ImportError) {
            exc::replace(
                unsafe { exc::object(error).field(field::IMPORT_ERROR_NAME) },
                Some(name.as_word()),
            );
        }
    }
    raised
}

// ---- finding and loading

fn load(ts: &Thread, name: &str, package_path: Option<Word>) -> Result<Option<Owned>, Raised> {
    if package_path.is_none()
        && let Some(module) = modules::make(ts, name)?
    {
        return Ok(Some(module));
    }
    let vm = ts.vm();
    let path = match package_path {
        Some(path) => Owned::new_ref(path),
        None => sys::required_attr(ts, vm.intern_str("path")?.as_word())?,
    };
    let last = name.rsplit('.').next().unwrap_or(name);
    let mut portions = Vec::new();
    for entry in sequence::collect(vm, path.as_word())? {
        if !str::is_str(entry.as_word()) {
            continue;
        }
        let directory = PathBuf::from(str::to_string_lossy(entry.as_word()));
        let package = directory.join(last);
        for (file, search) in [
            (package.join("__init__.py"), Some(&package)),
            (directory.join(format!("{last}.py")), None),
        ] {
            if file.is_file() {
                return run_file(ts, name, &file, search.map(PathBuf::as_path)).map(Some);
            }
        }
        if package.is_dir() {
            portions.push(package);
        }
    }
    if let Some(module) = modules::make_from_library(ts, name)? {
        return Ok(Some(module));
    }
    // Directories without `__init__.py` are one package together.
    if portions.is_empty() {
        Ok(None)
    } else {
        namespace_package(ts, name, &portions).map(Some)
    }
}

fn path_list(vm: Vm, paths: &[PathBuf]) -> PyResult {
    let paths = paths
        .iter()
        .map(|path| vm.new_str(&path.to_string_lossy()))
        .collect::<Result<_, _>>()?;
    vm.list_from_owned(paths)
}

fn namespace_package(ts: &Thread, name: &str, portions: &[PathBuf]) -> PyResult {
    let vm = ts.vm();
    let module = vm.new_module(name)?;
    let paths = path_list(vm, portions)?;
    let package = vm.new_str(name)?;
    // SAFETY: a module just made, `sys.modules`.
    unsafe {
        let dict = module::dict_of(module.as_word());
        dict::set_str(vm, dict, vm.names.__path__, paths.as_word())?;
        dict::set_str(vm, dict, vm.names.__package__, package.as_word())?;
        dict::set_str(vm, dict, vm.names.__file__, Word::NONE)?;
        dict::set_item(
            vm,
            vm.modules,
            vm.intern_str(name)?.as_word(),
            module.as_word(),
        )?;
    }
    Ok(module)
}

/// Compiles and runs a source file as the module (`SourceLoader.exec_module`). A package gets a `__path__`.
fn run_file(ts: &Thread, name: &str, file: &Path, package: Option<&Path>) -> PyResult {
    let vm = ts.vm();
    let filename = file.to_string_lossy();
    let source = match std::fs::read(file) {
        Ok(source) => source,
        Err(error) => return Err(super::io_error::raise(vm, &error, Some(&filename))),
    };
    let paths = package.map(|package| vec![package.to_path_buf()]);
    run_source(ts, name, &source, &filename, paths)
}

/// Compiles source and runs it as the module; `paths` are where a package's modules are looked for.
pub fn run_source(
    ts: &Thread,
    name: &str,
    source: &[u8],
    filename: &str,
    paths: Option<Vec<PathBuf>>,
) -> PyResult {
    let vm = ts.vm();
    let Some(compile) = ts.compile.get() else {
        return Err(vm.raise(vm.exc.SystemError, "no compiler is installed"));
    };
    let compiled = compile(ts, source, filename, "exec", 0)?;
    let module = vm.new_module(name)?;
    let parent = name.rsplit_once('.').map_or("", |(parent, _)| parent);
    let file_text = vm.new_str(filename)?;
    let package_text = vm.new_str(if paths.is_some() { name } else { parent })?;
    let key = vm.intern_str(name)?;
    // SAFETY: a module just made, `sys.modules`.
    unsafe {
        let dict = module::dict_of(module.as_word());
        dict::set_str(vm, dict, vm.names.__file__, file_text.as_word())?;
        dict::set_str(vm, dict, vm.names.__package__, package_text.as_word())?;
        if let Some(paths) = paths {
            let paths = path_list(vm, &paths)?;
            dict::set_str(vm, dict, vm.names.__path__, paths.as_word())?;
        }
        dict::set_item(vm, vm.modules, key.as_word(), module.as_word())?;
        ts.importing.borrow_mut().push(name.to_string());
        let ran = run_module(ts, compiled.as_word(), &module);
        ts.importing.borrow_mut().pop();
        if let Err(raised) = ran {
            forget(vm, key.as_word());
            return Err(raised);
        }
    }
    // A module may have put something else in its place.
    find_loaded(ts, name).ok_or_else(|| vm.raise(vm.exc.KeyError, name))
}

/// Takes a module that failed out of `sys.modules`, keeping the exception.
unsafe fn forget(vm: Vm, name: Word) {
    let failure = vm.take_exception();
    // SAFETY: `sys.modules` lives as long as the VM.
    let removed = dict::hash_key(vm, name)
        .and_then(|hash| unsafe { dict::remove(vm, vm.modules, name, hash) });
    if removed.is_err() {
        vm.clear_exception();
    }
    if let Some(failure) = failure {
        vm.set_exception(failure);
    }
}

/// Runs a module's code in its dict.
///
/// # Safety
/// `compiled` is a code object.
pub unsafe fn run_module(ts: &Thread, compiled: Word, module: &Owned) -> PyResult {
    unsafe {
        let dict = module::dict_of(module.as_word());
        ts.ensure_builtins(dict)?;
        let body = function::new_function(ts, compiled.cast::<code::CodeObject>(), dict)?;
        entry::run_body(ts, body.as_word(), Word::from_borrowed(dict))
    }
}

// ---- names out of a module

/// Imports the submodules that a `from` list names and the package does not have (`_handle_fromlist`).
fn import_submodules(
    ts: &Thread,
    module: Word,
    full: &str,
    names: Word,
    star: bool,
) -> Result<(), Raised> {
    let vm = ts.vm();
    for name in sequence::collect(vm, names)? {
        let name = name.as_word();
        if !str::is_str(name) {
            let place = if star {
                "``from list''".to_string()
            } else {
                format!("{full}.__all__")
            };
            return Err(vm.type_error(format!(
                "Item in {place} must be str, not {}",
                vm.type_name(name)
            )));
        }
        if str::equals(name, "*") {
            if star && let Some(all) = attr::get_attr_opt(vm, module, vm.names.__all__)? {
                import_submodules(ts, module, full, all.as_word(), false)?;
            }
            continue;
        }
        if attr::get_attr_opt(vm, module, name)?.is_some() {
            continue;
        }
        let submodule = format!("{full}.{}", str::to_string_lossy(name));
        if let Err(raised) = import_module(ts, &submodule) {
            // A name that is no module is missed by IMPORT_FROM.
            if !is_missing(vm, &submodule) {
                return Err(raised);
            }
            vm.clear_exception();
        }
    }
    Ok(())
}

/// Whether the current exception says that this very module is not there.
fn is_missing(vm: Vm, name: &str) -> bool {
    let Some(error) = vm.current_exception.get() else {
        return false;
    };
    if !vm.is_instance(error, vm.exc.ModuleNotFoundError) {
        return false;
    }
    // SAFETY: import errors have that field.
    let missing = unsafe { exc::object(error).field(field::IMPORT_ERROR_NAME) }.get();
    missing.is_some_and(|missing| str::is_str(missing) && str::equals(missing, name))
}

/// `from module import name` (`_PyEval_ImportFrom`): an attribute, or a module that is being imported.
pub fn import_from(ts: &Thread, module: Word, name: Word) -> PyResult {
    let vm = ts.vm();
    if let Some(value) = attr::get_attr_opt(vm, module, name)? {
        return Ok(value);
    }
    let own =
        attr::get_attr_opt(vm, module, vm.names.__name__)?.filter(|own| str::is_str(own.as_word()));
    let own = own.map(|own| str::to_string_lossy(own.as_word()));
    if let Some(own) = &own
        && let Some(submodule) = find_loaded(ts, &format!("{own}.{}", str::to_string_lossy(name)))
    {
        return Ok(submodule);
    }
    Err(cannot_import(ts, module, name, own))
}

#[cold]
fn cannot_import(ts: &Thread, module: Word, name: Word, own: Option<String>) -> Raised {
    let vm = ts.vm();
    let file = match attr::get_attr_opt(vm, module, vm.names.__file__) {
        Ok(file) => file.filter(|file| str::is_str(file.as_word())),
        Err(raised) => return raised,
    };
    let place = file.as_ref().map_or("unknown location".into(), |file| {
        str::to_string_lossy(file.as_word())
    });
    let own_shown = own.as_deref().unwrap_or("<unknown module name>");
    let missing = str::to_string_lossy(name);
    let partial = own
        .as_ref()
        .is_some_and(|own| ts.importing.borrow().contains(own));
    let message = if partial && file.is_some() {
        format!(
            "cannot import name '{missing}' from partially initialized module '{own_shown}' (most likely due to a \
             circular import) ({place})"
        )
    } else {
        format!("cannot import name '{missing}' from '{own_shown}' ({place})")
    };
    let raised = vm.raise(vm.exc.ImportError, message);
    let own = own.and_then(|own| vm.new_str(&own).ok());
    if let Some(error) = vm
        .current_exception
        .get()
        .filter(|error| vm.is_instance(*error, vm.exc.ImportError))
    {
        let object = exc::object(error);
        // SAFETY: import errors have these fields.
        unsafe {
            exc::replace(
                object.field(field::IMPORT_ERROR_NAME),
                own.as_ref().map(Owned::as_word),
            );
            exc::replace(
                object.field(field::IMPORT_ERROR_PATH),
                file.as_ref().map(Owned::as_word),
            );
            exc::replace(object.field(field::IMPORT_ERROR_NAME_FROM), Some(name));
        }
    }
    raised
}

/// `from module import *` into a namespace (`import_all_from`).
///
/// # Safety
/// `namespace` is a live mapping.
pub unsafe fn import_star(ts: &Thread, module: Word, namespace: Word) -> PyResult {
    let vm = ts.vm();
    let all = attr::get_attr_opt(vm, module, vm.names.__all__)?;
    let skip_private = all.is_none();
    let names = match all {
        Some(all) => sequence::collect(vm, all.as_word())?,
        None => {
            let Some(dict) = attr::get_attr_opt(vm, module, vm.names.__dict__)? else {
                let message = "from-import-* object has no __dict__ and no __all__";
                return Err(vm.raise(vm.exc.ImportError, message));
            };
            let keys = attr::call_method(vm, dict.as_word(), vm.names.keys, &[])?;
            sequence::collect(vm, keys.as_word())?
        }
    };
    for name in names {
        let name = name.as_word();
        if !str::is_str(name) {
            let (kind, place) = if skip_private {
                ("Key", "__dict__")
            } else {
                ("Item", "__all__")
            };
            let own = attr::get_attr(vm, module, vm.names.__name__)?;
            let own = protocol::str(vm, own.as_word())?;
            let own = str::to_string_lossy(own.as_word());
            let got = vm.type_name(name);
            return Err(vm.type_error(format!("{kind} in {own}.{place} must be str, not {got}")));
        }
        if skip_private && str::chars(name).iter().next() == Some(u32::from(b'_')) {
            continue;
        }
        let value = attr::get_attr(vm, module, vm.intern(name)?.as_word())?;
        sequence::set_item(vm, namespace, name, value.as_word())?;
    }
    Ok(Owned::NONE)
}
