//! The rules of the definition language. Each is checked at one place, and has a case in `tests/casegen/`.

macro_rules! rules {
    ($($rule:ident $name:literal $text:literal,)*) => {
        /// A rule that a definition can break.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Rule { $($rule),* }

        impl Rule {
            pub const ALL: &[Rule] = &[$(Rule::$rule),*];
            /// As diagnostics show it, in brackets.
            pub const fn name(self) -> &'static str {
                match self { $(Rule::$rule => $name),* }
            }
            /// What it asks for, in one line.
            pub const fn text(self) -> &'static str {
                match self { $(Rule::$rule => $text),* }
            }
        }
    };
}

rules! {
    // Items.
    RustSyntax "rust-syntax" "a file of definitions is Rust",
    SupportSyntax "support-syntax" "a support file is Rust",
    ItemKind "item-kind" "only `fn` items and definition macros stand in it",
    ItemName "item-name" "instructions are `UPPER_CASE`, micro-ops `_UPPER_CASE`, labels `lower_case`",
    FnSignature "fn-signature" "a definition is a plain `fn NAME()`",
    AttributeUnknown "attribute-unknown" "attributes are those of the language",
    AttributeTwice "attribute-twice" "an attribute stands once",
    AttributeValue "attribute-value" "an attribute's argument is what it takes",
    AttributePlace "attribute-place" "an attribute stands on a kind of item that it means something for",
    ListAttribute "list-attribute" "a definition macro has documentation, `instruction!` a number too",
    OpKind "op-kind" "a definition has one of `#[op]`, `#[inst]`, `#[cold]`, `#[label]`",
    FlagUnknown "flag-unknown" "flags are those of the metadata that no body tells",
    DefinitionUnknown "definition-unknown" "definition macros are those of the language",
    DefinitionSyntax "definition-syntax" "a definition macro has its own grammar",
    DefinitionEmpty "definition-empty" "an instruction has an op, a family a form, a pseudo-instruction a target",
    NameTwice "name-twice" "a name is defined once",
    Unused "unused" "every op, continuation and label is used",
    // Stack effects and caches.
    EffectDashes "effect-dashes" "a stack effect has one `--`",
    StackItem "stack-item" "a stack item is `name`, `name[size]` or `name if (condition)`",
    ItemTwice "item-twice" "a name stands once on a side",
    NameReserved "name-reserved" "registers keep their names",
    NameHelper "name-helper" "support functions keep their names",
    PassedShape "passed-shape" "an input that is passed on keeps its shape",
    UnusedMoved "unused-moved" "an unused item stays where it is",
    CacheSize "cache-size" "a cache entry has 1, 2 or 4 units, a gap at least 1",
    CacheTotal "cache-total" "an instruction has at most 255 cache units",
    CacheAfterInput "cache-after-input" "cache entries stand before the inputs",
    CacheTwice "cache-twice" "an op reads a cache entry once",
    CacheNamed "cache-named" "only a head names entries that it does not read",
    // Bodies.
    MacroUnknown "macro-unknown" "a body uses the macros of the language only",
    MacroArguments "macro-arguments" "a macro gets the arguments that it takes",
    MacroPlace "macro-place" "a macro stands where it can be carried out",
    Unreachable "unreachable" "nothing follows a statement that leaves",
    BodyStatement "body-statement" "a body is plain statements, left by macros only",
    BodyValue "body-value" "a body has no value",
    FunctionUnknown "function-unknown" "a body calls functions of the support files only",
    NameUnknown "name-unknown" "names are operands, registers, or bound in the body",
    RegisterBound "register-bound" "a body does not bind a register's name",
    RegisterChanged "register-changed" "registers are changed by macros only",
    InputOverwritten "input-overwritten" "inputs are not assigned",
    OutputUnassigned "output-unassigned" "every path assigns every output",
    OutputTwice "output-twice" "an output is assigned once",
    EscapeUnsaved "escape-unsaved" "a call that escapes stands where the registers are saved before it",
    EscapeAfterSteal "escape-after-steal" "no call escapes while the stack shows a word that was moved away",
    GuardAfterEffect "guard-after-effect" "guards stand before effects",
    ExitAfterClose "exit-after-close" "nothing leaves an op after it gave up what the exit would still own",
    BranchLast "branch-last" "`branch_if!` is the last statement",
    GivenUnknown "given-unknown" "`close!`, `steal!`, `dead!` name an input",
    GivenTwice "given-twice" "an input is given up once",
    GivenPassed "given-passed" "an input is given up or passed on",
    CloseArray "close-array" "`close!` takes one word",
    LiveInput "live-input" "every input is given up or passed on",
    PureClaim "pure-claim" "a pure op changes the stack only",
    LabelEnds "label-ends" "a label leaves on every path",
    LabelStatement "label-statement" "a label belongs to no instruction",
    LabelUnknown "label-unknown" "jumps go to labels",
    ColdUnknown "cold-unknown" "`cold_if!` names a `#[cold]` op",
    ColdEffect "cold-effect" "a continuation has the stack effect of its op, and reads no cache",
    // Instructions.
    PartUnknown "part-unknown" "an instruction is made of micro-ops",
    CloseCount "close-count" "an instruction releases at most four words",
    ColdTwice "cold-twice" "a continuation belongs to one op of an instruction",
    SpecializingFirst "specializing-first" "specialisation comes first",
    SpecializingHead "specializing-head" "the head of a family specialises, nothing else",
    GuardFamily "guard-family" "guards lead to the head of a family",
    GuardAfterOp "guard-after-op" "guards stand before the effects of earlier ops",
    GuardInCold "guard-in-cold" "a continuation with a guard is reached before any effect",
    GuardAfterStack "guard-after-stack" "guards stand before the stack in memory changes",
    ArrayMoved "array-moved" "arrays stay where they are",
    LastOp "last-op" "an op that branches, skips or leaves is the last one",
    // Families, pseudo-instructions, numbers.
    CounterFirst "counter-first" "the first unit of a cache is the counter",
    FamilyUnknown "family-unknown" "a family consists of instructions",
    FamilyTwice "family-twice" "an instruction is in one family",
    FamilyCaches "family-caches" "the forms of a family have as many cache units as the family",
    FamilyLayout "family-layout" "forms read whole entries of their head's cache",
    FamilyEffect "family-effect" "the forms of a family change the stack as its head does",
    FamilyArg "family-arg" "a form uses oparg only if its head does",
    PseudoTarget "pseudo-target" "a pseudo-instruction stands for instructions",
    PseudoCache "pseudo-cache" "a pseudo-instruction has no cache",
    HotUnknown "hot-unknown" "`hot!` and `outlined!` name instructions",
    HotTwice "hot-twice" "`hot!` and `outlined!` name an instruction once",
    OpcodeTaken "opcode-taken" "a number belongs to one instruction",
    OpcodeRange "opcode-range" "instructions have numbers below 256",
    OpcodesSpent "opcodes-spent" "there are numbers left",
    // What is left: code that the printer cannot read back.
    OutputSyntax "output-syntax" "what is generated is Rust",
}
