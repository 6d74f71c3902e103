//! Names that the VM itself looks up, interned at start (`_Py_ID`).

use super::owned::Owned;
use super::vm::Vm;
use super::word::Word;

macro_rules! names {
    ($($name:ident)*) => {
        /// One interned string a field, as a borrowed word, kept alive by the VM.
        #[allow(non_snake_case)]
        pub struct Names { $(pub $name: Word,)* }

        impl Names {
            pub(super) const EMPTY: Names = Names { $($name: Word::NULL,)* };

            /// Interns all of them. None if memory is short.
            pub(super) fn fill(vm: Vm) -> Option<Names> {
                Some(Names { $($name: vm.intern_static(stringify!($name).trim_start_matches("r#")).map(Owned::into_slot)?,)* })
            }
        }
    };
}

names! {
    __abs__ __add__ __aenter__ __aexit__ __aiter__ __all__ __and__ __anext__ __annotate__ __annotations__ __await__
    __bases__ __bool__ __build_class__ __builtins__ __bytes__ __call__ __ceil__ __class__ __class_getitem__
    __classcell__ __classdictcell__ __code__ __complex__ __contains__ __defaults__ __del__ __delattr__ __delete__
    __delitem__ __dict__ __dir__ __divmod__ __doc__ __enter__ __eq__ __exit__ __file__ __float__ __floor__
    __floordiv__ __format__ __ge__ __get__ __getattr__ __getattribute__ __getitem__ __gt__ __hash__ __iadd__ __iand__
    __ifloordiv__ __ilshift__ __imatmul__ __imod__ __import__ __imul__ __index__ __init__ __init_subclass__
    __instancecheck__ __int__ __invert__ __ior__ __ipow__ __irshift__ __isabstractmethod__ __isub__ __iter__
    __itruediv__ __ixor__ __kwdefaults__ __le__ __len__ __length_hint__ __loader__ __lshift__ __lt__ __main__
    __matmul__ __missing__ __mod__ __module__ __mro_entries__ __mul__ __name__ __ne__ __neg__ __new__ __next__
    __notes__ __or__ __orig_bases__ __package__ __path__ __pos__ __pow__ __prepare__ __qualname__ __radd__ __rand__
    __rdivmod__ __repr__ __reversed__ __rfloordiv__ __rlshift__ __rmatmul__ __rmod__ __rmul__ __ror__ __round__
    __rpow__ __rrshift__ __rshift__ __rsub__ __rtruediv__ __rxor__ __self__ __set__ __set_name__ __setattr__
    __setitem__ __sizeof__ __slots__ __spec__ __str__ __sub__ __subclasscheck__ __traceback__ __truediv__ __trunc__
    __type_params__ __weakref__ __xor__ append args base builtins bytearray c_call c_exception c_return call close
    code default end errors exception extend file flush format imag index key keys line lineno mode mro msg name
    offset opcode real r#return reverse self_ send sort start stderr stdin stdout stop string sys text throw type_
    update value values write
}
