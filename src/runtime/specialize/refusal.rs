//! Why a site stays generic, under the names that CPython's `SPEC_FAIL_*` have.

macro_rules! refusals {
    ($($(#[$doc:meta])* $variant:ident = $group:literal $word:literal,)*) => {
        /// A reason not to specialise.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
        pub enum Refusal {
            $($(#[$doc])* $variant,)*
        }

        impl Refusal {
            pub const ALL: &[Refusal] = &[$(Refusal::$variant,)*];

            /// CPython's name without its `SPEC_FAIL_`.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Refusal::$variant => concat!($group, $word),)*
                }
            }
            /// The name without its group, as pystats writes it: "class attr simple".
            pub fn words(self) -> String {
                let word = match self {
                    $(Refusal::$variant => $word,)*
                };
                word.to_lowercase().replace('_', " ")
            }
        }
    };
}

refusals! {
    Other = "" "OTHER",
    NoDict = "" "NO_DICT",
    Overridden = "" "OVERRIDDEN",
    OutOfVersions = "" "OUT_OF_VERSIONS",
    OutOfRange = "" "OUT_OF_RANGE",
    /// The execution is about to raise.
    ExpectedError = "" "EXPECTED_ERROR",
    WrongArgumentCount = "" "WRONG_NUMBER_ARGUMENTS",
    ComplexParameters = "" "CODE_COMPLEX_PARAMETERS",
    CodeNotOptimized = "" "CODE_NOT_OPTIMIZED",
    /// A frame larger than the headroom that specialised calls count on; CPython has no such limit.
    FrameTooLarge = "" "FRAME_TOO_LARGE",

    GlobalsNotDict = "LOAD_GLOBAL_" "NON_DICT",
    GlobalsNotStrings = "LOAD_GLOBAL_" "NON_STRING_OR_SPLIT",

    SuperBadClass = "SUPER_" "BAD_CLASS",
    SuperShadowed = "SUPER_" "SHADOWED",

    OverridingDescriptor = "ATTR_" "OVERRIDING_DESCRIPTOR",
    NonOverridingDescriptor = "ATTR_" "NON_OVERRIDING_DESCRIPTOR",
    NotDescriptor = "ATTR_" "NOT_DESCRIPTOR",
    Method = "ATTR_" "METHOD",
    MutableClass = "ATTR_" "MUTABLE_CLASS",
    Property = "ATTR_" "PROPERTY",
    NonObjectSlot = "ATTR_" "NON_OBJECT_SLOT",
    ReadOnly = "ATTR_" "READ_ONLY",
    NotManagedDict = "ATTR_" "NOT_MANAGED_DICT",
    AttributeNotString = "ATTR_" "NON_STRING",
    ModuleAttributeNotFound = "ATTR_" "MODULE_ATTR_NOT_FOUND",
    BuiltinClassMethod = "ATTR_" "BUILTIN_CLASS_METHOD",
    BuiltinClassMethodObject = "ATTR_" "BUILTIN_CLASS_METHOD_OBJ",
    ClassMethodObject = "ATTR_" "CLASS_METHOD_OBJ",
    ObjectSlot = "ATTR_" "OBJECT_SLOT",
    MetaclassAttribute = "ATTR_" "METACLASS_ATTRIBUTE",
    PropertyNotPythonFunction = "ATTR_" "PROPERTY_NOT_PY_FUNCTION",
    NotInKeys = "ATTR_" "NOT_IN_KEYS",
    NotInDict = "ATTR_" "NOT_IN_DICT",
    ClassAttributeSimple = "ATTR_" "CLASS_ATTR_SIMPLE",
    ClassAttributeDescriptor = "ATTR_" "CLASS_ATTR_DESCRIPTOR",
    MetaclassOverridden = "ATTR_" "METACLASS_OVERRIDDEN",
    SplitDict = "ATTR_" "SPLIT_DICT",

    StoreListSlice = "SUBSCR_" "LIST_SLICE",
    StoreArrayInt = "SUBSCR_" "ARRAY_INT",
    StoreArraySlice = "SUBSCR_" "ARRAY_SLICE",
    StoreByteArrayInt = "SUBSCR_" "BYTEARRAY_INT",
    StoreByteArraySlice = "SUBSCR_" "BYTEARRAY_SLICE",
    StorePythonSimple = "SUBSCR_" "PY_SIMPLE",
    StorePythonOther = "SUBSCR_" "PY_OTHER",
    StoreDictSubclass = "SUBSCR_" "DICT_SUBCLASS_NO_OVERRIDE",

    AddDifferentTypes = "BINARY_OP_" "ADD_DIFFERENT_TYPES",
    AddOther = "BINARY_OP_" "ADD_OTHER",
    AndDifferentTypes = "BINARY_OP_" "AND_DIFFERENT_TYPES",
    AndInt = "BINARY_OP_" "AND_INT",
    AndOther = "BINARY_OP_" "AND_OTHER",
    FloorDivide = "BINARY_OP_" "FLOOR_DIVIDE",
    LShift = "BINARY_OP_" "LSHIFT",
    MatrixMultiply = "BINARY_OP_" "MATRIX_MULTIPLY",
    MultiplyDifferentTypes = "BINARY_OP_" "MULTIPLY_DIFFERENT_TYPES",
    MultiplyOther = "BINARY_OP_" "MULTIPLY_OTHER",
    Or = "BINARY_OP_" "OR",
    OrInt = "BINARY_OP_" "OR_INT",
    OrDifferentTypes = "BINARY_OP_" "OR_DIFFERENT_TYPES",
    Power = "BINARY_OP_" "POWER",
    Remainder = "BINARY_OP_" "REMAINDER",
    RShift = "BINARY_OP_" "RSHIFT",
    SubtractDifferentTypes = "BINARY_OP_" "SUBTRACT_DIFFERENT_TYPES",
    SubtractOther = "BINARY_OP_" "SUBTRACT_OTHER",
    TrueDivideDifferentTypes = "BINARY_OP_" "TRUE_DIVIDE_DIFFERENT_TYPES",
    TrueDivideFloat = "BINARY_OP_" "TRUE_DIVIDE_FLOAT",
    TrueDivideOther = "BINARY_OP_" "TRUE_DIVIDE_OTHER",
    Xor = "BINARY_OP_" "XOR",
    XorInt = "BINARY_OP_" "XOR_INT",
    XorDifferentTypes = "BINARY_OP_" "XOR_DIFFERENT_TYPES",
    Subscript = "BINARY_OP_" "SUBSCR",
    SubscriptTupleSlice = "BINARY_OP_" "SUBSCR_TUPLE_SLICE",
    SubscriptStringSlice = "BINARY_OP_" "SUBSCR_STRING_SLICE",
    SubscriptNotHeapType = "BINARY_OP_" "SUBSCR_NOT_HEAP_TYPE",
    SubscriptOtherSlice = "BINARY_OP_" "SUBSCR_OTHER_SLICE",
    SubscriptMappingProxy = "BINARY_OP_" "SUBSCR_MAPPINGPROXY",
    SubscriptArray = "BINARY_OP_" "SUBSCR_ARRAY",
    SubscriptDeque = "BINARY_OP_" "SUBSCR_DEQUE",
    SubscriptDefaultDict = "BINARY_OP_" "SUBSCR_DEFAULTDICT",
    SubscriptOrderedDict = "BINARY_OP_" "SUBSCR_ORDEREDDICT",
    SubscriptBytes = "BINARY_OP_" "SUBSCR_BYTES",
    SubscriptRange = "BINARY_OP_" "SUBSCR_RANGE",

    CallBoundMethod = "CALL_" "BOUND_METHOD",
    /// A hook evaluates frames: none is pushed.
    EvalHook = "CALL_" "PEP_523",

    CompareDifferentTypes = "COMPARE_OP_" "DIFFERENT_TYPES",
    CompareString = "COMPARE_OP_" "STRING",
    CompareBigInt = "COMPARE_OP_" "BIG_INT",
    CompareBytes = "COMPARE_OP_" "BYTES",
    CompareTuple = "COMPARE_OP_" "TUPLE",
    CompareList = "COMPARE_OP_" "LIST",
    CompareSet = "COMPARE_OP_" "SET",
    CompareBool = "COMPARE_OP_" "BOOL",
    CompareBaseObject = "COMPARE_OP_" "BASEOBJECT",
    CompareFloatLong = "COMPARE_OP_" "FLOAT_LONG",
    CompareLongFloat = "COMPARE_OP_" "LONG_FLOAT",

    IterCoroutine = "ITER_" "COROUTINE",
    IterAsyncGenerator = "ITER_" "ASYNC_GENERATOR",
    IterList = "ITER_" "LIST",
    IterTuple = "ITER_" "TUPLE",
    IterSet = "ITER_" "SET",
    IterString = "ITER_" "STRING",
    IterBytes = "ITER_" "BYTES",
    IterRange = "ITER_" "RANGE",
    IterItertools = "ITER_" "ITERTOOLS",
    IterDictKeys = "ITER_" "DICT_KEYS",
    IterDictItems = "ITER_" "DICT_ITEMS",
    IterDictValues = "ITER_" "DICT_VALUES",
    IterEnumerate = "ITER_" "ENUMERATE",
    IterMap = "ITER_" "MAP",
    IterZip = "ITER_" "ZIP",
    IterSequence = "ITER_" "SEQ_ITER",
    IterReversedList = "ITER_" "REVERSED_LIST",
    IterCallable = "ITER_" "CALLABLE",
    IterAsciiString = "ITER_" "ASCII_STRING",
    IterAsyncGeneratorSend = "ITER_" "ASYNC_GENERATOR_SEND",

    UnpackIterator = "UNPACK_SEQUENCE_" "ITERATOR",
    UnpackSequence = "UNPACK_SEQUENCE_" "SEQUENCE",

    BoolByteArray = "TO_BOOL_" "BYTEARRAY",
    BoolBytes = "TO_BOOL_" "BYTES",
    BoolDict = "TO_BOOL_" "DICT",
    BoolFloat = "TO_BOOL_" "FLOAT",
    BoolMapping = "TO_BOOL_" "MAPPING",
    BoolNumber = "TO_BOOL_" "NUMBER",
    BoolSequence = "TO_BOOL_" "SEQUENCE",
    BoolSet = "TO_BOOL_" "SET",
    BoolTuple = "TO_BOOL_" "TUPLE",

    ContainsStr = "CONTAINS_OP_" "STR",
    ContainsTuple = "CONTAINS_OP_" "TUPLE",
    ContainsList = "CONTAINS_OP_" "LIST",
    ContainsUserClass = "CONTAINS_OP_" "USER_CLASS",
}

#[cfg(test)]
mod tests {
    use super::Refusal;
    use std::collections::BTreeSet;

    #[test]
    fn names_are_cpythons_and_none_stands_twice() {
        assert_eq!(
            Refusal::ClassAttributeSimple.name(),
            "ATTR_CLASS_ATTR_SIMPLE"
        );
        assert_eq!(Refusal::ClassAttributeSimple.words(), "class attr simple");
        assert_eq!(Refusal::OutOfVersions.words(), "out of versions");
        let names: BTreeSet<&str> = Refusal::ALL.iter().map(|refusal| refusal.name()).collect();
        assert_eq!(names.len(), Refusal::ALL.len());
    }
}
