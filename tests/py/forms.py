"""A function for every specialised form, named after it, that executes it. `tests/forms.rs` checks that it does."""

import math

ROUNDS = (0, 1, 2, 3, 4)


class Plain:
    shared = "of the class"

    def __init__(self, x=1):
        self.x = x

    def method(self, *more):
        return self.x

    @property
    def computed(self):
        return self.x

    def exact(self):
        return self.x


class Child(Plain):
    def parents(self):
        for _ in ROUNDS:
            super().method()

    def from_parent(self):
        for _ in ROUNDS:
            super().shared


class Slotted:
    __slots__ = ("x",)
    shared = 5

    def method(self):
        return 1


class Overridden:
    def __getattribute__(self, name):
        return name


class Meta(type):
    pass


class WithMeta(metaclass=Meta):
    x = 1


class Items:
    def __getitem__(self, index):
        return index


class Failure(Exception):
    def method(self):
        return 1


def takes_one(a):
    return a


def takes_more(a, b=1, *c):
    return a


def counting():
    for i in ROUNDS:
        yield i


def own_dict():
    plain = Plain()
    plain.__dict__ = {"x": 1}
    return plain


def resume_check():
    return 1


def load_const_mortal():
    for _ in ROUNDS:
        x = 1000.5


def load_const_immortal():
    for _ in ROUNDS:
        x = None


def to_bool_always_true():
    truth = Plain()
    for _ in ROUNDS:
        not truth


def to_bool_bool():
    truth = [True]
    for _ in ROUNDS:
        not truth[0]


def to_bool_int():
    number = 5
    for _ in ROUNDS:
        not number


def to_bool_list():
    items = []
    for _ in ROUNDS:
        not items


def to_bool_none():
    nothing = [None]
    for _ in ROUNDS:
        not nothing[0]


def to_bool_str():
    text = "text"
    for _ in ROUNDS:
        not text


def binary_op_multiply_int(a=3, b=4):
    for _ in ROUNDS:
        a * b


def binary_op_add_int(a=3, b=4):
    for _ in ROUNDS:
        a + b


def binary_op_subtract_int(a=3, b=4):
    for _ in ROUNDS:
        a - b


def binary_op_multiply_float(a=1.5, b=2.5):
    for _ in ROUNDS:
        a * b


def binary_op_add_float(a=1.5, b=2.5):
    for _ in ROUNDS:
        a + b


def binary_op_subtract_float(a=1.5, b=2.5):
    for _ in ROUNDS:
        a - b


def binary_op_add_unicode(a="a", b="b"):
    for _ in ROUNDS:
        c = a + b


def binary_op_subscr_list_int(items=[1, 2]):
    for _ in ROUNDS:
        items[1]


def binary_op_subscr_list_slice(items=[1, 2], part=slice(0, 1)):
    for _ in ROUNDS:
        items[part]


def binary_op_subscr_tuple_int(items=(1, 2)):
    for _ in ROUNDS:
        items[1]


def binary_op_subscr_str_int(text="ab"):
    for _ in ROUNDS:
        text[1]


def binary_op_subscr_dict(items={"a": 1}):
    for _ in ROUNDS:
        items["a"]


def binary_op_subscr_getitem():
    items = Items()
    for _ in ROUNDS:
        items[1]


def binary_op_extend(a=2, b=1.5):
    for _ in ROUNDS:
        a * b


def binary_op_inplace_add_unicode():
    text = ""
    for _ in ROUNDS:
        text = text + "abc"


def store_subscr_dict():
    items = {}
    for i in ROUNDS:
        items[i] = i


def store_subscr_list_int():
    items = [1, 2]
    for i in ROUNDS:
        items[1] = i


def send_gen():
    for _ in ROUNDS:
        for _ in send_gen_delegating():
            pass


def send_gen_delegating():
    yield from counting()


def unpack_sequence_two_tuple(pair=(1, 2)):
    for _ in ROUNDS:
        a, b = pair


def unpack_sequence_tuple(items=(1, 2, 3)):
    for _ in ROUNDS:
        a, b, c = items


def unpack_sequence_list(items=[1, 2, 3]):
    for _ in ROUNDS:
        a, b, c = items


def store_attr_instance_value():
    plain = Plain()
    for i in ROUNDS:
        plain.x = i


def store_attr_slot():
    slotted = Slotted()
    for i in ROUNDS:
        slotted.x = i


def store_attr_with_hint():
    plain = own_dict()
    for i in ROUNDS:
        plain.x = i


def load_global_module():
    for _ in ROUNDS:
        takes_one


def load_global_builtin():
    for _ in ROUNDS:
        len


def load_super_attr_attr():
    Child().from_parent()


def load_super_attr_method():
    Child().parents()


def load_attr_instance_value():
    plain = Plain()
    for _ in ROUNDS:
        plain.x


def load_attr_module():
    for _ in ROUNDS:
        math.pi


def load_attr_with_hint():
    plain = own_dict()
    for _ in ROUNDS:
        plain.x


def load_attr_slot():
    slotted = Slotted()
    slotted.x = 1
    for _ in ROUNDS:
        slotted.x


def load_attr_class():
    for _ in ROUNDS:
        Plain.shared


def load_attr_class_with_metaclass_check():
    for _ in ROUNDS:
        WithMeta.x


def load_attr_property():
    plain = Plain()
    for _ in ROUNDS:
        plain.computed


def load_attr_getattribute_overridden():
    overridden = Overridden()
    for _ in ROUNDS:
        overridden.anything


def load_attr_method_with_values():
    plain = Plain()
    for _ in ROUNDS:
        plain.method()


def load_attr_method_no_dict(items=[]):
    for _ in ROUNDS:
        items.copy()


def load_attr_method_lazy_dict():
    failure = Failure()
    for _ in ROUNDS:
        failure.method()


def load_attr_nondescriptor_with_values():
    plain = Plain()
    for _ in ROUNDS:
        plain.shared


def load_attr_nondescriptor_no_dict():
    slotted = Slotted()
    for _ in ROUNDS:
        slotted.shared


def compare_op_float(a=1.5, b=2.5):
    for _ in ROUNDS:
        a < b


def compare_op_int(a=1, b=2):
    for _ in ROUNDS:
        a < b


def compare_op_str(a="a", b="b"):
    for _ in ROUNDS:
        a == b


def contains_op_set(items={1, 2}):
    for _ in ROUNDS:
        1 in items


def contains_op_dict(items={1: 2}):
    for _ in ROUNDS:
        1 in items


def jump_backward_no_jit():
    for _ in ROUNDS:
        pass


def for_iter_list(items=[1, 2, 3]):
    for _ in items:
        pass
    for _ in ROUNDS:
        for _ in items:
            pass


def for_iter_tuple(items=(1, 2, 3)):
    for _ in items:
        pass


def for_iter_range():
    for _ in range(5):
        pass


def for_iter_gen():
    for _ in counting():
        pass


def call_bound_method_exact_args():
    bound = Plain().exact
    for _ in ROUNDS:
        bound()


def call_py_exact_args():
    for _ in ROUNDS:
        takes_one(1)


def call_type_1():
    for _ in ROUNDS:
        type(1)


def call_str_1():
    for _ in ROUNDS:
        str(1)


def call_tuple_1():
    for _ in ROUNDS:
        tuple(ROUNDS)


def call_builtin_class():
    for _ in ROUNDS:
        int("1")


def call_builtin_o():
    for _ in ROUNDS:
        abs(-1)


def call_builtin_fast():
    for _ in ROUNDS:
        divmod(7, 2)


def call_builtin_fast_with_keywords():
    for _ in ROUNDS:
        sorted(ROUNDS)


def call_len():
    for _ in ROUNDS:
        len(ROUNDS)


def call_isinstance():
    for _ in ROUNDS:
        isinstance(1, int)


def call_list_append():
    items = []
    for _ in ROUNDS:
        items.append(1)


def call_method_descriptor_o(items=[1]):
    for _ in ROUNDS:
        items.count(1)


def call_method_descriptor_fast_with_keywords(text="a b"):
    for _ in ROUNDS:
        text.split()


def call_method_descriptor_noargs(items=[1]):
    for _ in ROUNDS:
        items.copy()


def call_method_descriptor_fast(items={1: 2}):
    for _ in ROUNDS:
        items.get(1)


def call_alloc_and_enter_init():
    for _ in ROUNDS:
        Plain()


def call_py_general():
    for _ in ROUNDS:
        takes_more(1)


def call_bound_method_general():
    bound = Plain().method
    for _ in ROUNDS:
        bound(1, 2)


def call_non_py_general():
    for _ in ROUNDS:
        WithMeta()


def call_kw_bound_method():
    bound = Plain().__init__
    for _ in ROUNDS:
        bound(x=1)


def call_kw_py():
    for _ in ROUNDS:
        takes_one(a=1)


def call_kw_non_py():
    for _ in ROUNDS:
        dict(a=1)


def main():
    for _ in range(3):
        resume_check()
        load_const_mortal()
        load_const_immortal()
        to_bool_always_true()
        to_bool_bool()
        to_bool_int()
        to_bool_list()
        to_bool_none()
        to_bool_str()
        binary_op_multiply_int()
        binary_op_add_int()
        binary_op_subtract_int()
        binary_op_multiply_float()
        binary_op_add_float()
        binary_op_subtract_float()
        binary_op_add_unicode()
        binary_op_subscr_list_int()
        binary_op_subscr_list_slice()
        binary_op_subscr_tuple_int()
        binary_op_subscr_str_int()
        binary_op_subscr_dict()
        binary_op_subscr_getitem()
        binary_op_extend()
        binary_op_inplace_add_unicode()
        store_subscr_dict()
        store_subscr_list_int()
        send_gen()
        unpack_sequence_two_tuple()
        unpack_sequence_tuple()
        unpack_sequence_list()
        store_attr_instance_value()
        store_attr_slot()
        store_attr_with_hint()
        load_global_module()
        load_global_builtin()
        load_super_attr_attr()
        load_super_attr_method()
        load_attr_instance_value()
        load_attr_module()
        load_attr_with_hint()
        load_attr_slot()
        load_attr_class()
        load_attr_class_with_metaclass_check()
        load_attr_property()
        load_attr_getattribute_overridden()
        load_attr_method_with_values()
        load_attr_method_no_dict()
        load_attr_method_lazy_dict()
        load_attr_nondescriptor_with_values()
        load_attr_nondescriptor_no_dict()
        compare_op_float()
        compare_op_int()
        compare_op_str()
        contains_op_set()
        contains_op_dict()
        jump_backward_no_jit()
        for_iter_list()
        for_iter_tuple()
        for_iter_range()
        for_iter_gen()
        call_bound_method_exact_args()
        call_py_exact_args()
        call_type_1()
        call_str_1()
        call_tuple_1()
        call_builtin_class()
        call_builtin_o()
        call_builtin_fast()
        call_builtin_fast_with_keywords()
        call_len()
        call_isinstance()
        call_list_append()
        call_method_descriptor_o()
        call_method_descriptor_fast_with_keywords()
        call_method_descriptor_noargs()
        call_method_descriptor_fast()
        call_alloc_and_enter_init()
        call_py_general()
        call_bound_method_general()
        call_non_py_general()
        call_kw_bound_method()
        call_kw_py()
        call_kw_non_py()


main()
