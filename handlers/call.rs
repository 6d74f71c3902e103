//! Calls, making functions, and what a call leaves behind.

#[specializing]
#[op("counter/1, callable, self_or_null, args[oparg] -- callable, self_or_null, args[oparg]")]
fn _SPECIALIZE_CALL() {
    cold_if!(triggers(counter), _SPECIALIZE_CALL_NOW);
    advance(ip, counter);
}

#[cold("callable, self_or_null, args[oparg] -- callable, self_or_null, args[oparg]")]
fn _SPECIALIZE_CALL_NOW() {
    specialize_call(ts, this_instr!(), callable, self_or_null, oparg);
    redispatch!();
}

/// A Python function gets a frame and the loop goes on in it; anything else is called natively.
#[op("callable, self_or_null, args[oparg] -- res")]
fn _DO_CALL() {
    res = call(ts, next_instr!(), args.sub(2), oparg);
    dead!(callable);
    dead!(self_or_null);
    dead!(args);
    cold_if!(res.is_null(), _CALL_ENTERED);
}

#[cold("callable, self_or_null, args[oparg] -- res")]
fn _CALL_ENTERED() {
    dead!(callable);
    dead!(self_or_null);
    dead!(args);
    let raised = entered_or_raised(ts);
    error_if!(raised);
    reload!();
}

instruction!(CALL = _SPECIALIZE_CALL + func_version/2 + _DO_CALL + _CHECK_PERIODIC);

/// The version of a function is the place of its code, so the next ip comes from the cache, not from the stack.
#[op("func_version/2, callable, self_or_null, args[oparg] -- res")]
fn _CALL_PY_EXACT_ARGS() {
    exit_if!(!is_function(callable, func_version));
    let code = ts.code_of_version(func_version);
    let count = oparg + !self_or_null.is_null() as usize;
    exit_if!(code_argcount(code) != count);
    exit_if!(args > ts.stack_limit.get());
    exit_if!(ts.recursion_remaining.get() <= 1);
    dead!(callable);
    dead!(self_or_null);
    dead!(args);
    let callee = push_exact_args(args, sp, callable, self_or_null, code, locals, next_instr!());
    ts.count_frame();
    enter!(code_start(code), frame_stack(callee, code), callee);
}

instruction!(CALL_PY_EXACT_ARGS = unused/1 + _CALL_PY_EXACT_ARGS);

/// The function and its instance take the callable's and self's places. A method that nobody else holds is freed out of
/// line.
#[op("func_version/2, callable, null, args[oparg] -- res")]
fn _CALL_BOUND_METHOD_EXACT_ARGS() {
    exit_if!(!null.is_null() || !is_method_of(callable, func_version));
    let code = ts.code_of_version(func_version);
    exit_if!(code_argcount(code) != oparg + 1);
    exit_if!(args > ts.stack_limit.get() || ts.recursion_remaining.get() <= 1);
    cold_if!(is_last_reference(callable), _CALL_BOUND_METHOD_FREEING);
    dead!(callable);
    dead!(null);
    dead!(args);
    let function = method_function(callable);
    let callee = push_exact_args(args, sp, function, method_self(callable), code, locals, next_instr!());
    uncount(callable);
    ts.count_frame();
    enter!(code_start(code), frame_stack(callee, code), callee);
}

#[cold("callable, null, args[oparg] -- res")]
fn _CALL_BOUND_METHOD_FREEING() {
    res = call(ts, next_instr!(), args.sub(2), oparg);
    dead!(callable);
    dead!(null);
    dead!(args);
    let raised = entered_or_raised(ts);
    error_if!(raised);
    reload!();
}

instruction!(CALL_BOUND_METHOD_EXACT_ARGS = unused/1 + _CALL_BOUND_METHOD_EXACT_ARGS);

#[op("func_version/2, callable, self_or_null, args[oparg] -- callable, self_or_null, args[oparg]")]
fn _CHECK_FUNCTION_VERSION() {
    exit_if!(!is_function(callable, func_version));
}

instruction!(CALL_PY_GENERAL = unused/1 + _CHECK_FUNCTION_VERSION + _DO_CALL);

#[op("func_version/2, callable, null, args[oparg] -- callable, null, args[oparg]")]
fn _CHECK_METHOD_VERSION() {
    exit_if!(!null.is_null() || !is_method_of(callable, func_version));
}

instruction!(CALL_BOUND_METHOD_GENERAL = unused/1 + _CHECK_METHOD_VERSION + _DO_CALL);

/// Neither a Python function nor a bound method.
#[op("callable, self_or_null, args[oparg] -- res")]
fn _CALL_NON_PY_GENERAL() {
    exit_if!(!is_not_python(callable));
    res = call_native(ts, args.sub(2), oparg);
    dead!(callable);
    dead!(self_or_null);
    dead!(args);
    error_if!(res.is_null());
}

instruction!(CALL_NON_PY_GENERAL = unused/1 + unused/2 + _CALL_NON_PY_GENERAL + _CHECK_PERIODIC);

#[op("callable, self_or_null, args[oparg] -- res")]
fn _CALL_BUILTIN_CLASS() {
    exit_if!(!is_vectorcall_type(callable));
    res = call_native(ts, args.sub(2), oparg);
    dead!(callable);
    dead!(self_or_null);
    dead!(args);
    error_if!(res.is_null());
}

instruction!(CALL_BUILTIN_CLASS = unused/1 + unused/2 + _CALL_BUILTIN_CLASS + _CHECK_PERIODIC);

/// The instance takes the class's place, and `__init__` gets a frame above it, which returns to EXIT_INIT_CHECK.
#[op("version/2, callable, null, args[oparg] -- res")]
fn _CALL_ALLOC_AND_ENTER_INIT() {
    exit_if!(!null.is_null() || !is_class_of_version(callable, version));
    exit_if!(args > ts.stack_limit.get() || ts.recursion_remaining.get() <= 1);
    cold_if!(
        oparg > 255 || !takes_exactly(function_code(cached_init(callable)), oparg + 1),
        _CALL_ALLOC_AND_ENTER_INIT_GENERAL
    );
    let instance = allocate_instance(ts, callable);
    error_if!(instance.is_null());
    dead!(callable);
    dead!(null);
    dead!(args);
    // Read again, as no register has kept it.
    let first = sp.sub(own_oparg(ip));
    let class = *first.sub(2);
    let init = cached_init(class);
    // The instance keeps its class.
    uncount(class);
    let code = function_code(init);
    let callee = push_init_frame(first, sp, init, instance, code, locals, next_instr!());
    ts.count_frame();
    enter!(code_start(code), frame_stack(callee, code), callee);
}

#[cold("callable, null, args[oparg] -- res")]
fn _CALL_ALLOC_AND_ENTER_INIT_GENERAL() {
    res = enter_init(ts, next_instr!(), args.sub(2), oparg);
    dead!(callable);
    dead!(null);
    dead!(args);
    cold_if!(res.is_null(), _CALL_ENTERED);
}

instruction!(CALL_ALLOC_AND_ENTER_INIT = unused/1 + _CALL_ALLOC_AND_ENTER_INIT);

/// The instance is below: its caller goes on with it.
#[inst("should_be_none --")]
fn EXIT_INIT_CHECK() {
    cold_if!(!should_be_none.is_none(), _INIT_RETURNED_A_VALUE);
    dead!(should_be_none);
    enter!(init_return_ip(sp), sp.sub(1), locals);
}

/// The unwinder takes the call itself for what has raised.
#[cold("should_be_none --")]
fn _INIT_RETURNED_A_VALUE() {
    raise_init_result(ts, should_be_none);
    dead!(should_be_none);
    goto!(error);
}

#[op("callable, null, arg -- res")]
#[flags(arg)]
fn _CALL_STR_1() {
    exit_if!(!null.is_null() || !is_type(callable, ts.types.str));
    res = str_of(ts, arg);
    error_if!(res.is_null());
    close!(arg);
    close!(callable);
    dead!(null);
}

instruction!(CALL_STR_1 = unused/1 + unused/2 + _CALL_STR_1 + _CHECK_PERIODIC);

#[op("callable, null, arg -- res")]
#[flags(arg)]
fn _CALL_TUPLE_1() {
    exit_if!(!null.is_null() || !is_type(callable, ts.types.tuple));
    res = tuple_of(ts, arg);
    error_if!(res.is_null());
    close!(arg);
    close!(callable);
    dead!(null);
}

instruction!(CALL_TUPLE_1 = unused/1 + unused/2 + _CALL_TUPLE_1 + _CHECK_PERIODIC);

#[op("callable, null, arg -- res")]
#[flags(arg)]
fn _CALL_TYPE_1() {
    exit_if!(!null.is_null() || !is_type(callable, ts.types.type_));
    res = class_of(ts, arg);
    close!(arg);
    close!(callable);
    dead!(null);
}

instruction!(CALL_TYPE_1 = unused/1 + unused/2 + _CALL_TYPE_1);

#[op("callable, null, instance, class -- res")]
#[flags(arg)]
fn _CALL_ISINSTANCE() {
    exit_if!(!null.is_null() || !is_isinstance(ts, callable));
    res = is_instance(ts, instance, class);
    error_if!(res.is_null());
    close!(class);
    close!(instance);
    close!(callable);
    dead!(null);
}

instruction!(CALL_ISINSTANCE = unused/1 + unused/2 + _CALL_ISINSTANCE);

#[op("callable, self_or_null, args[oparg] -- res")]
fn _CALL_BUILTIN_O() {
    exit_if!(!is_builtin_o(callable, self_or_null, oparg));
    res = call_builtin_o(ts, args.sub(2), oparg);
    dead!(callable);
    dead!(self_or_null);
    dead!(args);
    error_if!(res.is_null());
}

instruction!(CALL_BUILTIN_O = unused/1 + unused/2 + _CALL_BUILTIN_O + _CHECK_PERIODIC);

#[op("callable, self_or_null, args[oparg] -- res")]
fn _CALL_BUILTIN_FAST() {
    exit_if!(!is_builtin_fast(callable));
    res = call_builtin_fast(ts, args.sub(2), oparg);
    dead!(callable);
    dead!(self_or_null);
    dead!(args);
    error_if!(res.is_null());
}

instruction!(CALL_BUILTIN_FAST = unused/1 + unused/2 + _CALL_BUILTIN_FAST + _CHECK_PERIODIC);

#[op("callable, self_or_null, args[oparg] -- res")]
fn _CALL_BUILTIN_FAST_WITH_KEYWORDS() {
    exit_if!(!is_builtin_fast_with_keywords(callable));
    res = call_builtin_fast(ts, args.sub(2), oparg);
    dead!(callable);
    dead!(self_or_null);
    dead!(args);
    error_if!(res.is_null());
}

instruction!(CALL_BUILTIN_FAST_WITH_KEYWORDS = unused/1 + unused/2 + _CALL_BUILTIN_FAST_WITH_KEYWORDS + _CHECK_PERIODIC);

#[op("callable, self_or_null, args[oparg] -- res")]
fn _CALL_METHOD_DESCRIPTOR_NOARGS() {
    exit_if!(!is_method_descriptor(ts, callable, METHOD_NOARGS, args, self_or_null, oparg));
    res = call_method_descriptor(ts, args.sub(2), oparg);
    dead!(callable);
    dead!(self_or_null);
    dead!(args);
    error_if!(res.is_null());
}

instruction!(CALL_METHOD_DESCRIPTOR_NOARGS = unused/1 + unused/2 + _CALL_METHOD_DESCRIPTOR_NOARGS + _CHECK_PERIODIC);

#[op("callable, self_or_null, args[oparg] -- res")]
fn _CALL_METHOD_DESCRIPTOR_O() {
    exit_if!(!is_method_descriptor(ts, callable, METHOD_O, args, self_or_null, oparg));
    res = call_method_descriptor(ts, args.sub(2), oparg);
    dead!(callable);
    dead!(self_or_null);
    dead!(args);
    error_if!(res.is_null());
}

instruction!(CALL_METHOD_DESCRIPTOR_O = unused/1 + unused/2 + _CALL_METHOD_DESCRIPTOR_O + _CHECK_PERIODIC);

#[op("callable, self_or_null, args[oparg] -- res")]
fn _CALL_METHOD_DESCRIPTOR_FAST() {
    exit_if!(!is_method_descriptor(ts, callable, METHOD_FAST, args, self_or_null, oparg));
    res = call_method_descriptor(ts, args.sub(2), oparg);
    dead!(callable);
    dead!(self_or_null);
    dead!(args);
    error_if!(res.is_null());
}

instruction!(CALL_METHOD_DESCRIPTOR_FAST = unused/1 + unused/2 + _CALL_METHOD_DESCRIPTOR_FAST + _CHECK_PERIODIC);

#[op("callable, self_or_null, args[oparg] -- res")]
fn _CALL_METHOD_DESCRIPTOR_FAST_WITH_KEYWORDS() {
    exit_if!(!is_method_descriptor(ts, callable, METHOD_FAST_WITH_KEYWORDS, args, self_or_null, oparg));
    res = call_method_descriptor(ts, args.sub(2), oparg);
    dead!(callable);
    dead!(self_or_null);
    dead!(args);
    error_if!(res.is_null());
}

instruction!(CALL_METHOD_DESCRIPTOR_FAST_WITH_KEYWORDS = unused/1 + unused/2 + _CALL_METHOD_DESCRIPTOR_FAST_WITH_KEYWORDS + _CHECK_PERIODIC);

/// Code with this form has one argument: oparg needs no test.
#[op("callable, null, arg -- res")]
fn _CALL_LEN() {
    exit_if!(!null.is_null() || !is_len(ts, callable));
    res = len_of(ts, arg);
    error_if!(res.is_null());
    close!(arg);
    close!(callable);
    dead!(null);
}

instruction!(CALL_LEN = unused/1 + unused/2 + _CALL_LEN);

/// The POP_TOP that follows is skipped: None is not even pushed.
#[op("callable, list, args[oparg] --")]
fn _CALL_LIST_APPEND() {
    exit_if!(oparg != 1 || !list.is_instance(Kind::LIST) || !is_list_append(ts, callable));
    cold_if!(!list_has_room(list), _CALL_LIST_APPEND_GROWING);
    list_push(list, (*args).to_slot());
    dead!(args);
    close!(callable);
    close!(list);
    skip_next!();
}

#[cold("callable, list, args[oparg] --")]
fn _CALL_LIST_APPEND_GROWING() {
    let done = list_append(ts, list, *args);
    error_if!(!done);
    let arg = *args;
    close!(callable);
    close!(list);
    release_temp!(arg);
    dead!(args);
    skip_next!();
}

instruction!(CALL_LIST_APPEND = unused/1 + unused/2 + _CALL_LIST_APPEND);

family!(CALL / 3 = CALL_BOUND_METHOD_EXACT_ARGS, CALL_PY_EXACT_ARGS, CALL_TYPE_1, CALL_STR_1, CALL_TUPLE_1,
    CALL_BUILTIN_CLASS, CALL_BUILTIN_O, CALL_BUILTIN_FAST, CALL_BUILTIN_FAST_WITH_KEYWORDS, CALL_LEN, CALL_ISINSTANCE,
    CALL_LIST_APPEND, CALL_METHOD_DESCRIPTOR_O, CALL_METHOD_DESCRIPTOR_FAST_WITH_KEYWORDS,
    CALL_METHOD_DESCRIPTOR_NOARGS, CALL_METHOD_DESCRIPTOR_FAST, CALL_ALLOC_AND_ENTER_INIT, CALL_PY_GENERAL,
    CALL_BOUND_METHOD_GENERAL, CALL_NON_PY_GENERAL);

#[specializing]
#[op("counter/1, callable, self_or_null, args[oparg], kwnames -- callable, self_or_null, args[oparg], kwnames")]
fn _SPECIALIZE_CALL_KW() {
    cold_if!(triggers(counter), _SPECIALIZE_CALL_KW_NOW);
    advance(ip, counter);
}

#[cold("callable, self_or_null, args[oparg], kwnames -- callable, self_or_null, args[oparg], kwnames")]
fn _SPECIALIZE_CALL_KW_NOW() {
    specialize_call_kw(ts, this_instr!(), callable);
    redispatch!();
}

#[op("callable, self_or_null, args[oparg], kwnames -- res")]
fn _DO_CALL_KW() {
    res = call_kw(ts, next_instr!(), args.sub(2), oparg, kwnames);
    dead!(callable);
    dead!(self_or_null);
    dead!(args);
    dead!(kwnames);
    cold_if!(res.is_null(), _CALL_KW_ENTERED);
}

#[cold("callable, self_or_null, args[oparg], kwnames -- res")]
fn _CALL_KW_ENTERED() {
    dead!(callable);
    dead!(self_or_null);
    dead!(args);
    dead!(kwnames);
    let raised = entered_or_raised(ts);
    error_if!(raised);
    reload!();
}

instruction!(CALL_KW = _SPECIALIZE_CALL_KW + func_version/2 + _DO_CALL_KW + _CHECK_PERIODIC);

#[op("func_version/2, callable, self_or_null, args[oparg], kwnames -- callable, self_or_null, args[oparg], kwnames")]
fn _CHECK_FUNCTION_VERSION_KW() {
    exit_if!(!is_function(callable, func_version));
}

instruction!(CALL_KW_PY = unused/1 + _CHECK_FUNCTION_VERSION_KW + _DO_CALL_KW);

#[op("func_version/2, callable, null, args[oparg], kwnames -- callable, null, args[oparg], kwnames")]
fn _CHECK_METHOD_VERSION_KW() {
    exit_if!(!null.is_null() || !is_method_of(callable, func_version));
}

instruction!(CALL_KW_BOUND_METHOD = unused/1 + _CHECK_METHOD_VERSION_KW + _DO_CALL_KW);

#[op("callable, self_or_null, args[oparg], kwnames -- callable, self_or_null, args[oparg], kwnames")]
fn _CHECK_IS_NOT_PY_CALLABLE_KW() {
    exit_if!(!is_not_python(callable));
}

instruction!(CALL_KW_NON_PY = unused/1 + unused/2 + _CHECK_IS_NOT_PY_CALLABLE_KW + _DO_CALL_KW + _CHECK_PERIODIC);

family!(CALL_KW / 3 = CALL_KW_BOUND_METHOD, CALL_KW_PY, CALL_KW_NON_PY);

#[op("func, null, callargs, kwargs -- res")]
fn _DO_CALL_FUNCTION_EX() {
    res = call_function_ex(ts, next_instr!(), func, callargs, kwargs);
    dead!(func);
    dead!(null);
    dead!(callargs);
    dead!(kwargs);
    cold_if!(res.is_null(), _CALL_FUNCTION_EX_ENTERED);
}

#[cold("func, null, callargs, kwargs -- res")]
fn _CALL_FUNCTION_EX_ENTERED() {
    dead!(func);
    dead!(null);
    dead!(callargs);
    dead!(kwargs);
    let raised = entered_or_raised(ts);
    error_if!(raised);
    reload!();
}

instruction!(CALL_FUNCTION_EX = _DO_CALL_FUNCTION_EX + _CHECK_PERIODIC);

#[inst("codeobj -- func")]
fn MAKE_FUNCTION() {
    func = make_function(ts, locals, codeobj);
    error_if!(func.is_null());
    close!(codeobj);
}

#[inst("attr, func -- func_out")]
fn SET_FUNCTION_ATTRIBUTE() {
    let done = set_function_attribute(ts, func, attr, oparg);
    error_if!(!done);
    steal!(attr);
    func_out = func;
    steal!(func);
}

#[inst("value -- res")]
fn CALL_INTRINSIC_1() {
    res = call_intrinsic_1(ts, value, oparg);
    error_if!(res.is_null());
    close!(value);
}

#[inst("value2_st, value1_st -- res")]
fn CALL_INTRINSIC_2() {
    res = call_intrinsic_2(ts, value2_st, value1_st, oparg);
    error_if!(res.is_null());
    close!(value2_st);
    close!(value1_st);
}
