//! Template strings: `Template` and `Interpolation` of `string.templatelib` (`templateobject.c`, `interpolationobject.c`).

use super::thread::Thread;
use crate::object::args::{self, Signature};
use crate::object::descr::{GetSetDef, MemberDef, MethodDef, meth};
use crate::object::generic_alias::CLASS_GETITEM;
use crate::object::types::Slots;
use crate::object::{
    Header, Kind, Object, Owned, PyResult, Raised, TypeObject, TypeSpec, Vm, Word, dict, protocol,
    str, tuple,
};
use std::cell::Cell;
use std::mem::offset_of;

/// Makes the types, which the VM keeps.
pub(super) fn make_types(ts: &Thread) -> Result<(), Raised> {
    let vm = ts.vm();
    let null = std::ptr::null_mut();
    let (template, iterator, interpolation) = (
        vm.new_type(&template_spec(), null)?,
        vm.new_type(&iterator_spec(), null)?,
        vm.new_type(&interpolation_spec(), null)?,
    );
    let fields = ["value", "expression", "conversion", "format_spec"]
        .into_iter()
        .map(|name| vm.intern_str(name))
        .collect::<Result<Vec<_>, _>>()?;
    let fields = vm.tuple_from_owned(fields)?;
    let match_args = vm.intern_str("__match_args__")?;
    // SAFETY: the VM is being set up; nobody reads the fields yet.
    unsafe {
        dict::set_str(
            vm,
            (*interpolation).dict,
            match_args.as_word(),
            fields.as_word(),
        )?;
        let types = &raw mut (*vm.as_ptr()).types;
        (*types).template = template;
        (*types).template_iterator = iterator;
        (*types).interpolation = interpolation;
    }
    Ok(())
}

// ---- Interpolation

/// `interpolationobject`. Slots' words.
#[repr(C)]
struct Interpolation {
    header: Header,
    value: Option<Word>,
    expression: Option<Word>,
    /// A string or None.
    conversion: Option<Word>,
    format_spec: Option<Word>,
}

impl Interpolation {
    fn words(&self) -> [Option<Word>; 4] {
        [
            self.value,
            self.expression,
            self.conversion,
            self.format_spec,
        ]
    }
}

fn interpolation<'a>(word: Word) -> &'a Interpolation {
    // SAFETY: contract of Word; the fields do not change.
    unsafe { &*word.cast() }
}
fn is_interpolation(vm: Vm, word: Word) -> bool {
    vm.type_of(word) == vm.types.interpolation
}

const fn field(name: &'static str, offset: usize) -> MemberDef {
    MemberDef {
        name,
        offset: offset as u32,
        readonly: true,
        required: false,
    }
}
static INTERPOLATION_MEMBERS: [MemberDef; 4] = [
    field("value", offset_of!(Interpolation, value)),
    field("expression", offset_of!(Interpolation, expression)),
    field("conversion", offset_of!(Interpolation, conversion)),
    field("format_spec", offset_of!(Interpolation, format_spec)),
];
static INTERPOLATION_METHODS: [MethodDef; 2] = [
    MethodDef::new("__reduce__", meth::NOARGS, |vm, this, _, _| {
        let fields = vm.new_tuple(&interpolation(this).words().map(or_none))?;
        // SAFETY: the type lives as long as the VM.
        let class = unsafe { (*vm.types.interpolation).word() };
        vm.new_tuple(&[class, fields.as_word()])
    }),
    CLASS_GETITEM,
];

fn or_none(word: Option<Word>) -> Word {
    word.unwrap_or(Word::NONE)
}

fn interpolation_spec() -> TypeSpec {
    let slots = Slots {
        dealloc: interpolation_dealloc,
        traverse: Some(interpolation_traverse),
        repr: Some(interpolation_repr),
        new: Some(interpolation_new),
        ..Slots::EMPTY
    };
    TypeSpec {
        members: &INTERPOLATION_MEMBERS,
        methods: &INTERPOLATION_METHODS,
        ..TypeSpec::new::<Interpolation>("string.templatelib.Interpolation", Kind::OTHER, slots)
    }
}

/// An interpolation of four counted words (`_PyInterpolation_Build`).
fn new_interpolation(vm: Vm, fields: [Owned; 4]) -> PyResult {
    // SAFETY: the type is laid out so; all fields are written.
    unsafe {
        let this = vm.alloc::<Interpolation>(vm.types.interpolation)?;
        let [value, expression, conversion, format_spec] =
            fields.map(|word| Some(word.into_slot()));
        (&raw mut (*this).value).write(value);
        (&raw mut (*this).expression).write(expression);
        (&raw mut (*this).conversion).write(conversion);
        (&raw mut (*this).format_spec).write(format_spec);
        Ok(Owned::from_raw(this))
    }
}

/// What `BUILD_INTERPOLATION` makes of its operands; `conversion` is one of `FVC_*` or 0.
pub fn interpolate(
    vm: Vm,
    value: Word,
    expression: Word,
    conversion: usize,
    format_spec: Option<Word>,
) -> PyResult {
    let conversion = match conversion {
        1 => vm.new_str("s")?,
        2 => vm.new_str("r")?,
        3 => vm.new_str("a")?,
        _ => Owned::NONE,
    };
    let format_spec = format_spec.map_or_else(|| vm.empty_string(), Owned::new_ref);
    new_interpolation(
        vm,
        [
            Owned::new_ref(value),
            Owned::new_ref(expression),
            conversion,
            format_spec,
        ],
    )
}

fn interpolation_new(vm: Vm, _: *mut TypeObject, args: &[Word], kwnames: Option<Word>) -> PyResult {
    const SIGNATURE: Signature<4> = Signature::new(
        "Interpolation",
        ["value", "expression", "conversion", "format_spec"],
        1,
    );
    let [value, expression, conversion, format_spec] = SIGNATURE.unpack(vm, args, kwnames)?;
    let text = |word: Option<Word>, name: &str| match word {
        None => Ok(vm.empty_string()),
        Some(word) if str::is_str(word) => Ok(Owned::new_ref(word)),
        Some(other) => Err(vm.type_error(format!(
            "Interpolation() argument '{name}' must be str, not {}",
            vm.argument_type(other)
        ))),
    };
    let expression = text(expression, "expression")?;
    let conversion = match conversion.filter(|word| !word.is_none()) {
        None => Owned::NONE,
        given => {
            let given = text(given, "conversion")?;
            if !["s", "a", "r"]
                .iter()
                .any(|known| str::equals(given.as_word(), known))
            {
                return Err(vm.value_error(
                    "Interpolation() argument 'conversion' must be one of 's', 'a' or 'r'",
                ));
            }
            given
        }
    };
    let format_spec = text(format_spec, "format_spec")?;
    let value = Owned::new_ref(or_none(value));
    new_interpolation(vm, [value, expression, conversion, format_spec])
}

fn interpolation_repr(vm: Vm, this: Word) -> PyResult {
    let mut shown = Vec::with_capacity(4);
    for word in interpolation(this).words().map(or_none) {
        let text = protocol::repr(vm, word)?;
        shown.push(str::to_string_lossy(text.as_word()));
    }
    vm.new_str(&format!("Interpolation({})", shown.join(", ")))
}

/// # Safety
/// As [`crate::object::header::dealloc`].
unsafe fn interpolation_dealloc(vm: Vm, object: *mut Object) {
    unsafe {
        let words = (*object.cast::<Interpolation>()).words();
        vm.free(object);
        for word in words.into_iter().flatten() {
            word.release_slot();
        }
    }
}

/// # Safety
/// As [`crate::object::types::TraverseFn`].
unsafe fn interpolation_traverse(object: *mut Object, visit: &mut dyn FnMut(Word)) {
    unsafe {
        (*object.cast::<Interpolation>())
            .words()
            .into_iter()
            .flatten()
            .filter(|word| word.is_pointer())
            .for_each(visit);
    }
}

// ---- Template

/// `templateobject`: two tuples, slots' words; there is one string more than interpolations.
#[repr(C)]
struct Template {
    header: Header,
    strings: Option<Word>,
    interpolations: Option<Word>,
}

fn items<'a>(tuple: Option<Word>) -> &'a [Word] {
    // SAFETY: the template keeps its tuples.
    tuple.map_or(&[], |tuple| unsafe { tuple::items(tuple) })
}
impl Template {
    fn strings(&self) -> &[Word] {
        items(self.strings)
    }
    fn interpolations(&self) -> &[Word] {
        items(self.interpolations)
    }
}

fn template<'a>(word: Word) -> &'a Template {
    // SAFETY: contract of Word; the fields do not change.
    unsafe { &*word.cast() }
}
fn is_template(vm: Vm, word: Word) -> bool {
    vm.type_of(word) == vm.types.template
}

static TEMPLATE_MEMBERS: [MemberDef; 2] = [
    field("strings", offset_of!(Template, strings)),
    field("interpolations", offset_of!(Template, interpolations)),
];
static TEMPLATE_GETSET: [GetSetDef; 1] = [GetSetDef::new(
    "values",
    |vm, this| {
        let values = template(this).interpolations().iter();
        let values: Vec<Word> = values
            .map(|&item| or_none(interpolation(item).value))
            .collect();
        vm.new_tuple(&values)
    },
    None,
)];
static TEMPLATE_METHODS: [MethodDef; 1] = [CLASS_GETITEM];

fn template_spec() -> TypeSpec {
    let slots = Slots {
        dealloc: template_dealloc,
        traverse: Some(template_traverse),
        repr: Some(template_repr),
        iter: Some(template_iter),
        concat: Some(template_concat),
        new: Some(template_new),
        ..Slots::EMPTY
    };
    TypeSpec {
        members: &TEMPLATE_MEMBERS,
        getset: &TEMPLATE_GETSET,
        methods: &TEMPLATE_METHODS,
        ..TypeSpec::new::<Template>("string.templatelib.Template", Kind::OTHER, slots)
    }
}

/// What `BUILD_TEMPLATE` makes of two tuples (`_PyTemplate_Build`).
pub fn build(vm: Vm, strings: Word, interpolations: Word) -> PyResult {
    // SAFETY: tuples, as is verified; the type is laid out so, and all fields are written.
    unsafe {
        let (texts, values) = (tuple::items(strings), tuple::items(interpolations));
        let whole = texts.len() == values.len() + 1
            && texts.iter().all(|text| str::is_str(*text))
            && values.iter().all(|value| is_interpolation(vm, *value));
        if !whole {
            return Err(vm.raise(vm.exc.SystemError, "bad parts of a template string"));
        }
        let this = vm.alloc::<Template>(vm.types.template)?;
        (&raw mut (*this).strings).write(Some(Owned::new_ref(strings).into_slot()));
        (&raw mut (*this).interpolations).write(Some(Owned::new_ref(interpolations).into_slot()));
        Ok(Owned::from_raw(this))
    }
}

/// Strings that follow each other become one; between two interpolations stands an empty one.
struct Parts {
    strings: Vec<Owned>,
    interpolations: Vec<Owned>,
    /// The last string is still open.
    open: bool,
}

impl Parts {
    fn new() -> Parts {
        Parts {
            strings: vec![],
            interpolations: vec![],
            open: false,
        }
    }
    fn string(&mut self, vm: Vm, text: Word) -> Result<(), Raised> {
        match self.strings.last_mut() {
            Some(last) if self.open => *last = str::concat(vm, last.as_word(), text)?,
            _ => self.strings.push(Owned::new_ref(text)),
        }
        self.open = true;
        Ok(())
    }
    fn interpolation(&mut self, vm: Vm, item: Word) {
        if !self.open {
            self.strings.push(vm.empty_string());
        }
        self.open = false;
        self.interpolations.push(Owned::new_ref(item));
    }
    fn finish(mut self, vm: Vm) -> PyResult {
        if !self.open {
            self.strings.push(vm.empty_string());
        }
        let strings = vm.tuple_from_owned(self.strings)?;
        let interpolations = vm.tuple_from_owned(self.interpolations)?;
        build(vm, strings.as_word(), interpolations.as_word())
    }
}

fn template_new(vm: Vm, _: *mut TypeObject, args: &[Word], kwnames: Option<Word>) -> PyResult {
    if !args::keyword_names(kwnames).is_empty() {
        return Err(vm.type_error("Template.__new__ only accepts *args arguments"));
    }
    let mut parts = Parts::new();
    for &arg in args {
        if str::is_str(arg) {
            parts.string(vm, arg)?;
        } else if is_interpolation(vm, arg) {
            parts.interpolation(vm, arg);
        } else {
            return Err(vm.type_error(format!(
                "Template.__new__ *args need to be of type 'str' or 'Interpolation', got {}",
                vm.type_name(arg)
            )));
        }
    }
    parts.finish(vm)
}

fn template_repr(vm: Vm, this: Word) -> PyResult {
    let (strings, interpolations) = (template(this).strings, template(this).interpolations);
    let strings = protocol::repr(vm, or_none(strings))?;
    let interpolations = protocol::repr(vm, or_none(interpolations))?;
    vm.new_str(&format!(
        "Template(strings={}, interpolations={})",
        str::to_string_lossy(strings.as_word()),
        str::to_string_lossy(interpolations.as_word())
    ))
}

fn template_concat(vm: Vm, a: Word, b: Word) -> PyResult {
    if !is_template(vm, a) || !is_template(vm, b) {
        return Err(vm.type_error(format!(
            "can only concatenate string.templatelib.Template (not \"{}\") to string.templatelib.Template",
            vm.type_name(b)
        )));
    }
    let mut parts = Parts::new();
    for side in [template(a), template(b)] {
        for (index, &text) in side.strings().iter().enumerate() {
            parts.string(vm, text)?;
            if let Some(&item) = side.interpolations().get(index) {
                parts.interpolation(vm, item);
            }
        }
    }
    parts.finish(vm)
}

/// # Safety
/// As [`crate::object::header::dealloc`].
unsafe fn template_dealloc(vm: Vm, object: *mut Object) {
    unsafe {
        let this = object.cast::<Template>();
        let words = [(*this).strings, (*this).interpolations];
        vm.free(object);
        for word in words.into_iter().flatten() {
            word.release_slot();
        }
    }
}

/// # Safety
/// As [`crate::object::types::TraverseFn`].
unsafe fn template_traverse(object: *mut Object, visit: &mut dyn FnMut(Word)) {
    unsafe {
        let this = &*object.cast::<Template>();
        [this.strings, this.interpolations]
            .into_iter()
            .flatten()
            .for_each(visit);
    }
}

// ---- TemplateIter: strings that are not empty and interpolations, in turns

#[repr(C)]
struct TemplateIterator {
    header: Header,
    /// A slot's word.
    template: Word,
    /// Twice the index, and 1 for the interpolation.
    next: Cell<usize>,
}

fn iterator_spec() -> TypeSpec {
    let slots = Slots {
        dealloc: iterator_dealloc,
        traverse: Some(iterator_traverse),
        iter: Some(|_, this| Ok(Owned::new_ref(this))),
        iternext: Some(iterator_next),
        ..Slots::EMPTY
    };
    TypeSpec::new::<TemplateIterator>("string.templatelib.TemplateIter", Kind::OTHER, slots)
}

fn template_iter(vm: Vm, this: Word) -> PyResult {
    // SAFETY: the type is laid out so; all fields are written.
    unsafe {
        let iterator = vm.alloc::<TemplateIterator>(vm.types.template_iterator)?;
        (&raw mut (*iterator).template).write(Owned::new_ref(this).into_slot());
        (&raw mut (*iterator).next).write(Cell::new(0));
        Ok(Owned::from_raw(iterator))
    }
}

fn iterator_next(_: Vm, this: Word) -> Result<Option<Owned>, Raised> {
    // SAFETY: contract of Word; the field that changes is a cell.
    let iterator = unsafe { &*this.cast::<TemplateIterator>() };
    let template = template(iterator.template);
    loop {
        let at = iterator.next.get();
        let items = if at % 2 == 0 {
            template.strings()
        } else {
            template.interpolations()
        };
        let Some(&item) = items.get(at / 2) else {
            return Ok(None);
        };
        iterator.next.set(at + 1);
        if at % 2 == 1 || !str::equals(item, "") {
            return Ok(Some(Owned::new_ref(item)));
        }
    }
}

/// # Safety
/// As [`crate::object::header::dealloc`].
unsafe fn iterator_dealloc(vm: Vm, object: *mut Object) {
    unsafe {
        let template = (*object.cast::<TemplateIterator>()).template;
        vm.free(object);
        template.release_slot();
    }
}

/// # Safety
/// As [`crate::object::types::TraverseFn`].
unsafe fn iterator_traverse(object: *mut Object, visit: &mut dyn FnMut(Word)) {
    unsafe { visit((*object.cast::<TemplateIterator>()).template) }
}
