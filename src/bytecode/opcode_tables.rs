// Bootstrap tables; the build generates this file from handlers/.
impl Opcode {
    pub const CACHE: Opcode = Opcode(0);
    pub const BINARY_SLICE: Opcode = Opcode(1);
    pub const BUILD_TEMPLATE: Opcode = Opcode(2);
    pub const BINARY_OP_INPLACE_ADD_UNICODE: Opcode = Opcode(3);
    pub const CALL_FUNCTION_EX: Opcode = Opcode(4);
    pub const CHECK_EG_MATCH: Opcode = Opcode(5);
    pub const CHECK_EXC_MATCH: Opcode = Opcode(6);
    pub const CLEANUP_THROW: Opcode = Opcode(7);
    pub const DELETE_SUBSCR: Opcode = Opcode(8);
    pub const END_FOR: Opcode = Opcode(9);
    pub const END_SEND: Opcode = Opcode(10);
    pub const EXIT_INIT_CHECK: Opcode = Opcode(11);
    pub const FORMAT_SIMPLE: Opcode = Opcode(12);
    pub const FORMAT_WITH_SPEC: Opcode = Opcode(13);
    pub const GET_AITER: Opcode = Opcode(14);
    pub const GET_ANEXT: Opcode = Opcode(15);
    pub const GET_ITER: Opcode = Opcode(16);
    pub const RESERVED: Opcode = Opcode(17);
    pub const GET_LEN: Opcode = Opcode(18);
    pub const GET_YIELD_FROM_ITER: Opcode = Opcode(19);
    pub const INTERPRETER_EXIT: Opcode = Opcode(20);
    pub const LOAD_BUILD_CLASS: Opcode = Opcode(21);
    pub const LOAD_LOCALS: Opcode = Opcode(22);
    pub const MAKE_FUNCTION: Opcode = Opcode(23);
    pub const MATCH_KEYS: Opcode = Opcode(24);
    pub const MATCH_MAPPING: Opcode = Opcode(25);
    pub const MATCH_SEQUENCE: Opcode = Opcode(26);
    pub const NOP: Opcode = Opcode(27);
    pub const NOT_TAKEN: Opcode = Opcode(28);
    pub const POP_EXCEPT: Opcode = Opcode(29);
    pub const POP_ITER: Opcode = Opcode(30);
    pub const POP_TOP: Opcode = Opcode(31);
    pub const PUSH_EXC_INFO: Opcode = Opcode(32);
    pub const PUSH_NULL: Opcode = Opcode(33);
    pub const RETURN_GENERATOR: Opcode = Opcode(34);
    pub const RETURN_VALUE: Opcode = Opcode(35);
    pub const SETUP_ANNOTATIONS: Opcode = Opcode(36);
    pub const STORE_SLICE: Opcode = Opcode(37);
    pub const STORE_SUBSCR: Opcode = Opcode(38);
    pub const TO_BOOL: Opcode = Opcode(39);
    pub const UNARY_INVERT: Opcode = Opcode(40);
    pub const UNARY_NEGATIVE: Opcode = Opcode(41);
    pub const UNARY_NOT: Opcode = Opcode(42);
    pub const WITH_EXCEPT_START: Opcode = Opcode(43);
    pub const BINARY_OP: Opcode = Opcode(44);
    pub const BUILD_INTERPOLATION: Opcode = Opcode(45);
    pub const BUILD_LIST: Opcode = Opcode(46);
    pub const BUILD_MAP: Opcode = Opcode(47);
    pub const BUILD_SET: Opcode = Opcode(48);
    pub const BUILD_SLICE: Opcode = Opcode(49);
    pub const BUILD_STRING: Opcode = Opcode(50);
    pub const BUILD_TUPLE: Opcode = Opcode(51);
    pub const CALL: Opcode = Opcode(52);
    pub const CALL_INTRINSIC_1: Opcode = Opcode(53);
    pub const CALL_INTRINSIC_2: Opcode = Opcode(54);
    pub const CALL_KW: Opcode = Opcode(55);
    pub const COMPARE_OP: Opcode = Opcode(56);
    pub const CONTAINS_OP: Opcode = Opcode(57);
    pub const CONVERT_VALUE: Opcode = Opcode(58);
    pub const COPY: Opcode = Opcode(59);
    pub const COPY_FREE_VARS: Opcode = Opcode(60);
    pub const DELETE_ATTR: Opcode = Opcode(61);
    pub const DELETE_DEREF: Opcode = Opcode(62);
    pub const DELETE_FAST: Opcode = Opcode(63);
    pub const DELETE_GLOBAL: Opcode = Opcode(64);
    pub const DELETE_NAME: Opcode = Opcode(65);
    pub const DICT_MERGE: Opcode = Opcode(66);
    pub const DICT_UPDATE: Opcode = Opcode(67);
    pub const END_ASYNC_FOR: Opcode = Opcode(68);
    pub const EXTENDED_ARG: Opcode = Opcode(69);
    pub const FOR_ITER: Opcode = Opcode(70);
    pub const GET_AWAITABLE: Opcode = Opcode(71);
    pub const IMPORT_FROM: Opcode = Opcode(72);
    pub const IMPORT_NAME: Opcode = Opcode(73);
    pub const IS_OP: Opcode = Opcode(74);
    pub const JUMP_BACKWARD: Opcode = Opcode(75);
    pub const JUMP_BACKWARD_NO_INTERRUPT: Opcode = Opcode(76);
    pub const JUMP_FORWARD: Opcode = Opcode(77);
    pub const LIST_APPEND: Opcode = Opcode(78);
    pub const LIST_EXTEND: Opcode = Opcode(79);
    pub const LOAD_ATTR: Opcode = Opcode(80);
    pub const LOAD_COMMON_CONSTANT: Opcode = Opcode(81);
    pub const LOAD_CONST: Opcode = Opcode(82);
    pub const LOAD_DEREF: Opcode = Opcode(83);
    pub const LOAD_FAST: Opcode = Opcode(84);
    pub const LOAD_FAST_AND_CLEAR: Opcode = Opcode(85);
    pub const LOAD_FAST_BORROW: Opcode = Opcode(86);
    pub const LOAD_FAST_BORROW_LOAD_FAST_BORROW: Opcode = Opcode(87);
    pub const LOAD_FAST_CHECK: Opcode = Opcode(88);
    pub const LOAD_FAST_LOAD_FAST: Opcode = Opcode(89);
    pub const LOAD_FROM_DICT_OR_DEREF: Opcode = Opcode(90);
    pub const LOAD_FROM_DICT_OR_GLOBALS: Opcode = Opcode(91);
    pub const LOAD_GLOBAL: Opcode = Opcode(92);
    pub const LOAD_NAME: Opcode = Opcode(93);
    pub const LOAD_SMALL_INT: Opcode = Opcode(94);
    pub const LOAD_SPECIAL: Opcode = Opcode(95);
    pub const LOAD_SUPER_ATTR: Opcode = Opcode(96);
    pub const MAKE_CELL: Opcode = Opcode(97);
    pub const MAP_ADD: Opcode = Opcode(98);
    pub const MATCH_CLASS: Opcode = Opcode(99);
    pub const POP_JUMP_IF_FALSE: Opcode = Opcode(100);
    pub const POP_JUMP_IF_NONE: Opcode = Opcode(101);
    pub const POP_JUMP_IF_NOT_NONE: Opcode = Opcode(102);
    pub const POP_JUMP_IF_TRUE: Opcode = Opcode(103);
    pub const RAISE_VARARGS: Opcode = Opcode(104);
    pub const RERAISE: Opcode = Opcode(105);
    pub const SEND: Opcode = Opcode(106);
    pub const SET_ADD: Opcode = Opcode(107);
    pub const SET_FUNCTION_ATTRIBUTE: Opcode = Opcode(108);
    pub const SET_UPDATE: Opcode = Opcode(109);
    pub const STORE_ATTR: Opcode = Opcode(110);
    pub const STORE_DEREF: Opcode = Opcode(111);
    pub const STORE_FAST: Opcode = Opcode(112);
    pub const STORE_FAST_LOAD_FAST: Opcode = Opcode(113);
    pub const STORE_FAST_STORE_FAST: Opcode = Opcode(114);
    pub const STORE_GLOBAL: Opcode = Opcode(115);
    pub const STORE_NAME: Opcode = Opcode(116);
    pub const SWAP: Opcode = Opcode(117);
    pub const UNPACK_EX: Opcode = Opcode(118);
    pub const UNPACK_SEQUENCE: Opcode = Opcode(119);
    pub const YIELD_VALUE: Opcode = Opcode(120);
    pub const RESUME: Opcode = Opcode(128);
    pub const BINARY_OP_ADD_FLOAT: Opcode = Opcode(129);
    pub const BINARY_OP_ADD_INT: Opcode = Opcode(130);
    pub const BINARY_OP_ADD_UNICODE: Opcode = Opcode(131);
    pub const BINARY_OP_EXTEND: Opcode = Opcode(132);
    pub const BINARY_OP_MULTIPLY_FLOAT: Opcode = Opcode(133);
    pub const BINARY_OP_MULTIPLY_INT: Opcode = Opcode(134);
    pub const BINARY_OP_SUBSCR_DICT: Opcode = Opcode(135);
    pub const BINARY_OP_SUBSCR_GETITEM: Opcode = Opcode(136);
    pub const BINARY_OP_SUBSCR_LIST_INT: Opcode = Opcode(137);
    pub const BINARY_OP_SUBSCR_LIST_SLICE: Opcode = Opcode(138);
    pub const BINARY_OP_SUBSCR_STR_INT: Opcode = Opcode(139);
    pub const BINARY_OP_SUBSCR_TUPLE_INT: Opcode = Opcode(140);
    pub const BINARY_OP_SUBTRACT_FLOAT: Opcode = Opcode(141);
    pub const BINARY_OP_SUBTRACT_INT: Opcode = Opcode(142);
    pub const CALL_ALLOC_AND_ENTER_INIT: Opcode = Opcode(143);
    pub const CALL_BOUND_METHOD_EXACT_ARGS: Opcode = Opcode(144);
    pub const CALL_BOUND_METHOD_GENERAL: Opcode = Opcode(145);
    pub const CALL_BUILTIN_CLASS: Opcode = Opcode(146);
    pub const CALL_BUILTIN_FAST: Opcode = Opcode(147);
    pub const CALL_BUILTIN_FAST_WITH_KEYWORDS: Opcode = Opcode(148);
    pub const CALL_BUILTIN_O: Opcode = Opcode(149);
    pub const CALL_ISINSTANCE: Opcode = Opcode(150);
    pub const CALL_KW_BOUND_METHOD: Opcode = Opcode(151);
    pub const CALL_KW_NON_PY: Opcode = Opcode(152);
    pub const CALL_KW_PY: Opcode = Opcode(153);
    pub const CALL_LEN: Opcode = Opcode(154);
    pub const CALL_LIST_APPEND: Opcode = Opcode(155);
    pub const CALL_METHOD_DESCRIPTOR_FAST: Opcode = Opcode(156);
    pub const CALL_METHOD_DESCRIPTOR_FAST_WITH_KEYWORDS: Opcode = Opcode(157);
    pub const CALL_METHOD_DESCRIPTOR_NOARGS: Opcode = Opcode(158);
    pub const CALL_METHOD_DESCRIPTOR_O: Opcode = Opcode(159);
    pub const CALL_NON_PY_GENERAL: Opcode = Opcode(160);
    pub const CALL_PY_EXACT_ARGS: Opcode = Opcode(161);
    pub const CALL_PY_GENERAL: Opcode = Opcode(162);
    pub const CALL_STR_1: Opcode = Opcode(163);
    pub const CALL_TUPLE_1: Opcode = Opcode(164);
    pub const CALL_TYPE_1: Opcode = Opcode(165);
    pub const COMPARE_OP_FLOAT: Opcode = Opcode(166);
    pub const COMPARE_OP_INT: Opcode = Opcode(167);
    pub const COMPARE_OP_STR: Opcode = Opcode(168);
    pub const CONTAINS_OP_DICT: Opcode = Opcode(169);
    pub const CONTAINS_OP_SET: Opcode = Opcode(170);
    pub const FOR_ITER_GEN: Opcode = Opcode(171);
    pub const FOR_ITER_LIST: Opcode = Opcode(172);
    pub const FOR_ITER_RANGE: Opcode = Opcode(173);
    pub const FOR_ITER_TUPLE: Opcode = Opcode(174);
    pub const JUMP_BACKWARD_JIT: Opcode = Opcode(175);
    pub const JUMP_BACKWARD_NO_JIT: Opcode = Opcode(176);
    pub const LOAD_ATTR_CLASS: Opcode = Opcode(177);
    pub const LOAD_ATTR_CLASS_WITH_METACLASS_CHECK: Opcode = Opcode(178);
    pub const LOAD_ATTR_GETATTRIBUTE_OVERRIDDEN: Opcode = Opcode(179);
    pub const LOAD_ATTR_INSTANCE_VALUE: Opcode = Opcode(180);
    pub const LOAD_ATTR_METHOD_LAZY_DICT: Opcode = Opcode(181);
    pub const LOAD_ATTR_METHOD_NO_DICT: Opcode = Opcode(182);
    pub const LOAD_ATTR_METHOD_WITH_VALUES: Opcode = Opcode(183);
    pub const LOAD_ATTR_MODULE: Opcode = Opcode(184);
    pub const LOAD_ATTR_NONDESCRIPTOR_NO_DICT: Opcode = Opcode(185);
    pub const LOAD_ATTR_NONDESCRIPTOR_WITH_VALUES: Opcode = Opcode(186);
    pub const LOAD_ATTR_PROPERTY: Opcode = Opcode(187);
    pub const LOAD_ATTR_SLOT: Opcode = Opcode(188);
    pub const LOAD_ATTR_WITH_HINT: Opcode = Opcode(189);
    pub const LOAD_CONST_IMMORTAL: Opcode = Opcode(190);
    pub const LOAD_CONST_MORTAL: Opcode = Opcode(191);
    pub const LOAD_GLOBAL_BUILTIN: Opcode = Opcode(192);
    pub const LOAD_GLOBAL_MODULE: Opcode = Opcode(193);
    pub const LOAD_SUPER_ATTR_ATTR: Opcode = Opcode(194);
    pub const LOAD_SUPER_ATTR_METHOD: Opcode = Opcode(195);
    pub const RESUME_CHECK: Opcode = Opcode(196);
    pub const SEND_GEN: Opcode = Opcode(197);
    pub const STORE_ATTR_INSTANCE_VALUE: Opcode = Opcode(198);
    pub const STORE_ATTR_SLOT: Opcode = Opcode(199);
    pub const STORE_ATTR_WITH_HINT: Opcode = Opcode(200);
    pub const STORE_SUBSCR_DICT: Opcode = Opcode(201);
    pub const STORE_SUBSCR_LIST_INT: Opcode = Opcode(202);
    pub const TO_BOOL_ALWAYS_TRUE: Opcode = Opcode(203);
    pub const TO_BOOL_BOOL: Opcode = Opcode(204);
    pub const TO_BOOL_INT: Opcode = Opcode(205);
    pub const TO_BOOL_LIST: Opcode = Opcode(206);
    pub const TO_BOOL_NONE: Opcode = Opcode(207);
    pub const TO_BOOL_STR: Opcode = Opcode(208);
    pub const UNPACK_SEQUENCE_LIST: Opcode = Opcode(209);
    pub const UNPACK_SEQUENCE_TUPLE: Opcode = Opcode(210);
    pub const UNPACK_SEQUENCE_TWO_TUPLE: Opcode = Opcode(211);
    pub const INSTRUMENTED_END_FOR: Opcode = Opcode(234);
    pub const INSTRUMENTED_POP_ITER: Opcode = Opcode(235);
    pub const INSTRUMENTED_END_SEND: Opcode = Opcode(236);
    pub const INSTRUMENTED_FOR_ITER: Opcode = Opcode(237);
    pub const INSTRUMENTED_INSTRUCTION: Opcode = Opcode(238);
    pub const INSTRUMENTED_JUMP_FORWARD: Opcode = Opcode(239);
    pub const INSTRUMENTED_NOT_TAKEN: Opcode = Opcode(240);
    pub const INSTRUMENTED_POP_JUMP_IF_TRUE: Opcode = Opcode(241);
    pub const INSTRUMENTED_POP_JUMP_IF_FALSE: Opcode = Opcode(242);
    pub const INSTRUMENTED_POP_JUMP_IF_NONE: Opcode = Opcode(243);
    pub const INSTRUMENTED_POP_JUMP_IF_NOT_NONE: Opcode = Opcode(244);
    pub const INSTRUMENTED_RESUME: Opcode = Opcode(245);
    pub const INSTRUMENTED_RETURN_VALUE: Opcode = Opcode(246);
    pub const INSTRUMENTED_YIELD_VALUE: Opcode = Opcode(247);
    pub const INSTRUMENTED_END_ASYNC_FOR: Opcode = Opcode(248);
    pub const INSTRUMENTED_LOAD_SUPER_ATTR: Opcode = Opcode(249);
    pub const INSTRUMENTED_CALL: Opcode = Opcode(250);
    pub const INSTRUMENTED_CALL_KW: Opcode = Opcode(251);
    pub const INSTRUMENTED_CALL_FUNCTION_EX: Opcode = Opcode(252);
    pub const INSTRUMENTED_JUMP_BACKWARD: Opcode = Opcode(253);
    pub const INSTRUMENTED_LINE: Opcode = Opcode(254);
    pub const ENTER_EXECUTOR: Opcode = Opcode(255);
    pub const ANNOTATIONS_PLACEHOLDER: Opcode = Opcode(256);
    pub const JUMP: Opcode = Opcode(257);
    pub const JUMP_IF_FALSE: Opcode = Opcode(258);
    pub const JUMP_IF_TRUE: Opcode = Opcode(259);
    pub const JUMP_NO_INTERRUPT: Opcode = Opcode(260);
    pub const LOAD_CLOSURE: Opcode = Opcode(261);
    pub const POP_BLOCK: Opcode = Opcode(262);
    pub const SETUP_CLEANUP: Opcode = Opcode(263);
    pub const SETUP_FINALLY: Opcode = Opcode(264);
    pub const SETUP_WITH: Opcode = Opcode(265);
    pub const STORE_FAST_MAYBE_NULL: Opcode = Opcode(266);
}
pub(super) static NAMES: &[(u16, &str)] = &[
    (0, "CACHE"),
    (1, "BINARY_SLICE"),
    (2, "BUILD_TEMPLATE"),
    (3, "BINARY_OP_INPLACE_ADD_UNICODE"),
    (4, "CALL_FUNCTION_EX"),
    (5, "CHECK_EG_MATCH"),
    (6, "CHECK_EXC_MATCH"),
    (7, "CLEANUP_THROW"),
    (8, "DELETE_SUBSCR"),
    (9, "END_FOR"),
    (10, "END_SEND"),
    (11, "EXIT_INIT_CHECK"),
    (12, "FORMAT_SIMPLE"),
    (13, "FORMAT_WITH_SPEC"),
    (14, "GET_AITER"),
    (15, "GET_ANEXT"),
    (16, "GET_ITER"),
    (17, "RESERVED"),
    (18, "GET_LEN"),
    (19, "GET_YIELD_FROM_ITER"),
    (20, "INTERPRETER_EXIT"),
    (21, "LOAD_BUILD_CLASS"),
    (22, "LOAD_LOCALS"),
    (23, "MAKE_FUNCTION"),
    (24, "MATCH_KEYS"),
    (25, "MATCH_MAPPING"),
    (26, "MATCH_SEQUENCE"),
    (27, "NOP"),
    (28, "NOT_TAKEN"),
    (29, "POP_EXCEPT"),
    (30, "POP_ITER"),
    (31, "POP_TOP"),
    (32, "PUSH_EXC_INFO"),
    (33, "PUSH_NULL"),
    (34, "RETURN_GENERATOR"),
    (35, "RETURN_VALUE"),
    (36, "SETUP_ANNOTATIONS"),
    (37, "STORE_SLICE"),
    (38, "STORE_SUBSCR"),
    (39, "TO_BOOL"),
    (40, "UNARY_INVERT"),
    (41, "UNARY_NEGATIVE"),
    (42, "UNARY_NOT"),
    (43, "WITH_EXCEPT_START"),
    (44, "BINARY_OP"),
    (45, "BUILD_INTERPOLATION"),
    (46, "BUILD_LIST"),
    (47, "BUILD_MAP"),
    (48, "BUILD_SET"),
    (49, "BUILD_SLICE"),
    (50, "BUILD_STRING"),
    (51, "BUILD_TUPLE"),
    (52, "CALL"),
    (53, "CALL_INTRINSIC_1"),
    (54, "CALL_INTRINSIC_2"),
    (55, "CALL_KW"),
    (56, "COMPARE_OP"),
    (57, "CONTAINS_OP"),
    (58, "CONVERT_VALUE"),
    (59, "COPY"),
    (60, "COPY_FREE_VARS"),
    (61, "DELETE_ATTR"),
    (62, "DELETE_DEREF"),
    (63, "DELETE_FAST"),
    (64, "DELETE_GLOBAL"),
    (65, "DELETE_NAME"),
    (66, "DICT_MERGE"),
    (67, "DICT_UPDATE"),
    (68, "END_ASYNC_FOR"),
    (69, "EXTENDED_ARG"),
    (70, "FOR_ITER"),
    (71, "GET_AWAITABLE"),
    (72, "IMPORT_FROM"),
    (73, "IMPORT_NAME"),
    (74, "IS_OP"),
    (75, "JUMP_BACKWARD"),
    (76, "JUMP_BACKWARD_NO_INTERRUPT"),
    (77, "JUMP_FORWARD"),
    (78, "LIST_APPEND"),
    (79, "LIST_EXTEND"),
    (80, "LOAD_ATTR"),
    (81, "LOAD_COMMON_CONSTANT"),
    (82, "LOAD_CONST"),
    (83, "LOAD_DEREF"),
    (84, "LOAD_FAST"),
    (85, "LOAD_FAST_AND_CLEAR"),
    (86, "LOAD_FAST_BORROW"),
    (87, "LOAD_FAST_BORROW_LOAD_FAST_BORROW"),
    (88, "LOAD_FAST_CHECK"),
    (89, "LOAD_FAST_LOAD_FAST"),
    (90, "LOAD_FROM_DICT_OR_DEREF"),
    (91, "LOAD_FROM_DICT_OR_GLOBALS"),
    (92, "LOAD_GLOBAL"),
    (93, "LOAD_NAME"),
    (94, "LOAD_SMALL_INT"),
    (95, "LOAD_SPECIAL"),
    (96, "LOAD_SUPER_ATTR"),
    (97, "MAKE_CELL"),
    (98, "MAP_ADD"),
    (99, "MATCH_CLASS"),
    (100, "POP_JUMP_IF_FALSE"),
    (101, "POP_JUMP_IF_NONE"),
    (102, "POP_JUMP_IF_NOT_NONE"),
    (103, "POP_JUMP_IF_TRUE"),
    (104, "RAISE_VARARGS"),
    (105, "RERAISE"),
    (106, "SEND"),
    (107, "SET_ADD"),
    (108, "SET_FUNCTION_ATTRIBUTE"),
    (109, "SET_UPDATE"),
    (110, "STORE_ATTR"),
    (111, "STORE_DEREF"),
    (112, "STORE_FAST"),
    (113, "STORE_FAST_LOAD_FAST"),
    (114, "STORE_FAST_STORE_FAST"),
    (115, "STORE_GLOBAL"),
    (116, "STORE_NAME"),
    (117, "SWAP"),
    (118, "UNPACK_EX"),
    (119, "UNPACK_SEQUENCE"),
    (120, "YIELD_VALUE"),
    (128, "RESUME"),
    (129, "BINARY_OP_ADD_FLOAT"),
    (130, "BINARY_OP_ADD_INT"),
    (131, "BINARY_OP_ADD_UNICODE"),
    (132, "BINARY_OP_EXTEND"),
    (133, "BINARY_OP_MULTIPLY_FLOAT"),
    (134, "BINARY_OP_MULTIPLY_INT"),
    (135, "BINARY_OP_SUBSCR_DICT"),
    (136, "BINARY_OP_SUBSCR_GETITEM"),
    (137, "BINARY_OP_SUBSCR_LIST_INT"),
    (138, "BINARY_OP_SUBSCR_LIST_SLICE"),
    (139, "BINARY_OP_SUBSCR_STR_INT"),
    (140, "BINARY_OP_SUBSCR_TUPLE_INT"),
    (141, "BINARY_OP_SUBTRACT_FLOAT"),
    (142, "BINARY_OP_SUBTRACT_INT"),
    (143, "CALL_ALLOC_AND_ENTER_INIT"),
    (144, "CALL_BOUND_METHOD_EXACT_ARGS"),
    (145, "CALL_BOUND_METHOD_GENERAL"),
    (146, "CALL_BUILTIN_CLASS"),
    (147, "CALL_BUILTIN_FAST"),
    (148, "CALL_BUILTIN_FAST_WITH_KEYWORDS"),
    (149, "CALL_BUILTIN_O"),
    (150, "CALL_ISINSTANCE"),
    (151, "CALL_KW_BOUND_METHOD"),
    (152, "CALL_KW_NON_PY"),
    (153, "CALL_KW_PY"),
    (154, "CALL_LEN"),
    (155, "CALL_LIST_APPEND"),
    (156, "CALL_METHOD_DESCRIPTOR_FAST"),
    (157, "CALL_METHOD_DESCRIPTOR_FAST_WITH_KEYWORDS"),
    (158, "CALL_METHOD_DESCRIPTOR_NOARGS"),
    (159, "CALL_METHOD_DESCRIPTOR_O"),
    (160, "CALL_NON_PY_GENERAL"),
    (161, "CALL_PY_EXACT_ARGS"),
    (162, "CALL_PY_GENERAL"),
    (163, "CALL_STR_1"),
    (164, "CALL_TUPLE_1"),
    (165, "CALL_TYPE_1"),
    (166, "COMPARE_OP_FLOAT"),
    (167, "COMPARE_OP_INT"),
    (168, "COMPARE_OP_STR"),
    (169, "CONTAINS_OP_DICT"),
    (170, "CONTAINS_OP_SET"),
    (171, "FOR_ITER_GEN"),
    (172, "FOR_ITER_LIST"),
    (173, "FOR_ITER_RANGE"),
    (174, "FOR_ITER_TUPLE"),
    (175, "JUMP_BACKWARD_JIT"),
    (176, "JUMP_BACKWARD_NO_JIT"),
    (177, "LOAD_ATTR_CLASS"),
    (178, "LOAD_ATTR_CLASS_WITH_METACLASS_CHECK"),
    (179, "LOAD_ATTR_GETATTRIBUTE_OVERRIDDEN"),
    (180, "LOAD_ATTR_INSTANCE_VALUE"),
    (181, "LOAD_ATTR_METHOD_LAZY_DICT"),
    (182, "LOAD_ATTR_METHOD_NO_DICT"),
    (183, "LOAD_ATTR_METHOD_WITH_VALUES"),
    (184, "LOAD_ATTR_MODULE"),
    (185, "LOAD_ATTR_NONDESCRIPTOR_NO_DICT"),
    (186, "LOAD_ATTR_NONDESCRIPTOR_WITH_VALUES"),
    (187, "LOAD_ATTR_PROPERTY"),
    (188, "LOAD_ATTR_SLOT"),
    (189, "LOAD_ATTR_WITH_HINT"),
    (190, "LOAD_CONST_IMMORTAL"),
    (191, "LOAD_CONST_MORTAL"),
    (192, "LOAD_GLOBAL_BUILTIN"),
    (193, "LOAD_GLOBAL_MODULE"),
    (194, "LOAD_SUPER_ATTR_ATTR"),
    (195, "LOAD_SUPER_ATTR_METHOD"),
    (196, "RESUME_CHECK"),
    (197, "SEND_GEN"),
    (198, "STORE_ATTR_INSTANCE_VALUE"),
    (199, "STORE_ATTR_SLOT"),
    (200, "STORE_ATTR_WITH_HINT"),
    (201, "STORE_SUBSCR_DICT"),
    (202, "STORE_SUBSCR_LIST_INT"),
    (203, "TO_BOOL_ALWAYS_TRUE"),
    (204, "TO_BOOL_BOOL"),
    (205, "TO_BOOL_INT"),
    (206, "TO_BOOL_LIST"),
    (207, "TO_BOOL_NONE"),
    (208, "TO_BOOL_STR"),
    (209, "UNPACK_SEQUENCE_LIST"),
    (210, "UNPACK_SEQUENCE_TUPLE"),
    (211, "UNPACK_SEQUENCE_TWO_TUPLE"),
    (234, "INSTRUMENTED_END_FOR"),
    (235, "INSTRUMENTED_POP_ITER"),
    (236, "INSTRUMENTED_END_SEND"),
    (237, "INSTRUMENTED_FOR_ITER"),
    (238, "INSTRUMENTED_INSTRUCTION"),
    (239, "INSTRUMENTED_JUMP_FORWARD"),
    (240, "INSTRUMENTED_NOT_TAKEN"),
    (241, "INSTRUMENTED_POP_JUMP_IF_TRUE"),
    (242, "INSTRUMENTED_POP_JUMP_IF_FALSE"),
    (243, "INSTRUMENTED_POP_JUMP_IF_NONE"),
    (244, "INSTRUMENTED_POP_JUMP_IF_NOT_NONE"),
    (245, "INSTRUMENTED_RESUME"),
    (246, "INSTRUMENTED_RETURN_VALUE"),
    (247, "INSTRUMENTED_YIELD_VALUE"),
    (248, "INSTRUMENTED_END_ASYNC_FOR"),
    (249, "INSTRUMENTED_LOAD_SUPER_ATTR"),
    (250, "INSTRUMENTED_CALL"),
    (251, "INSTRUMENTED_CALL_KW"),
    (252, "INSTRUMENTED_CALL_FUNCTION_EX"),
    (253, "INSTRUMENTED_JUMP_BACKWARD"),
    (254, "INSTRUMENTED_LINE"),
    (255, "ENTER_EXECUTOR"),
    (256, "ANNOTATIONS_PLACEHOLDER"),
    (257, "JUMP"),
    (258, "JUMP_IF_FALSE"),
    (259, "JUMP_IF_TRUE"),
    (260, "JUMP_NO_INTERRUPT"),
    (261, "LOAD_CLOSURE"),
    (262, "POP_BLOCK"),
    (263, "SETUP_CLEANUP"),
    (264, "SETUP_FINALLY"),
    (265, "SETUP_WITH"),
    (266, "STORE_FAST_MAYBE_NULL"),
];
pub(super) static CACHES: &[(u16, u8)] = &[
    (3, 5),
    (38, 1),
    (39, 3),
    (44, 5),
    (52, 3),
    (55, 3),
    (56, 1),
    (57, 1),
    (70, 1),
    (75, 1),
    (80, 9),
    (92, 4),
    (96, 1),
    (100, 1),
    (101, 1),
    (102, 1),
    (103, 1),
    (106, 1),
    (110, 4),
    (119, 1),
    (129, 5),
    (130, 5),
    (131, 5),
    (132, 5),
    (133, 5),
    (134, 5),
    (135, 5),
    (136, 5),
    (137, 5),
    (138, 5),
    (139, 5),
    (140, 5),
    (141, 5),
    (142, 5),
    (143, 3),
    (144, 3),
    (145, 3),
    (146, 3),
    (147, 3),
    (148, 3),
    (149, 3),
    (150, 3),
    (151, 3),
    (152, 3),
    (153, 3),
    (154, 3),
    (155, 3),
    (156, 3),
    (157, 3),
    (158, 3),
    (159, 3),
    (160, 3),
    (161, 3),
    (162, 3),
    (163, 3),
    (164, 3),
    (165, 3),
    (166, 1),
    (167, 1),
    (168, 1),
    (169, 1),
    (170, 1),
    (171, 1),
    (172, 1),
    (173, 1),
    (174, 1),
    (175, 1),
    (176, 1),
    (177, 9),
    (178, 9),
    (179, 9),
    (180, 9),
    (181, 9),
    (182, 9),
    (183, 9),
    (184, 9),
    (185, 9),
    (186, 9),
    (187, 9),
    (188, 9),
    (189, 9),
    (192, 4),
    (193, 4),
    (194, 1),
    (195, 1),
    (197, 1),
    (198, 4),
    (199, 4),
    (200, 4),
    (201, 1),
    (202, 1),
    (203, 3),
    (204, 3),
    (205, 3),
    (206, 3),
    (207, 3),
    (208, 3),
    (209, 1),
    (210, 1),
    (211, 1),
];
pub(super) static FLAGS: &[(u16, u16)] = &[
    (3, 8),
    (44, 1),
    (45, 1),
    (46, 1),
    (47, 1),
    (48, 1),
    (49, 1),
    (50, 1),
    (51, 1),
    (52, 1),
    (53, 1),
    (54, 1),
    (55, 1),
    (56, 1),
    (57, 1),
    (58, 1),
    (59, 1),
    (60, 1),
    (61, 17),
    (62, 33),
    (63, 9),
    (64, 17),
    (65, 17),
    (66, 1),
    (67, 1),
    (68, 3),
    (69, 1),
    (70, 3),
    (71, 1),
    (72, 17),
    (73, 17),
    (74, 1),
    (75, 3),
    (76, 3),
    (77, 3),
    (78, 1),
    (79, 1),
    (80, 17),
    (81, 1),
    (82, 5),
    (83, 9),
    (84, 9),
    (85, 9),
    (86, 9),
    (87, 9),
    (88, 9),
    (89, 9),
    (90, 33),
    (91, 17),
    (92, 17),
    (93, 17),
    (94, 1),
    (95, 1),
    (96, 17),
    (97, 33),
    (98, 1),
    (99, 1),
    (100, 3),
    (101, 3),
    (102, 3),
    (103, 3),
    (104, 1),
    (105, 1),
    (106, 3),
    (107, 1),
    (108, 1),
    (109, 1),
    (110, 17),
    (111, 33),
    (112, 9),
    (113, 9),
    (114, 9),
    (115, 17),
    (116, 17),
    (117, 1),
    (118, 1),
    (119, 1),
    (120, 1),
    (128, 1),
    (143, 1),
    (144, 1),
    (145, 1),
    (146, 1),
    (147, 1),
    (148, 1),
    (149, 1),
    (150, 1),
    (151, 1),
    (152, 1),
    (153, 1),
    (155, 1),
    (156, 1),
    (157, 1),
    (158, 1),
    (159, 1),
    (160, 1),
    (161, 1),
    (162, 1),
    (163, 1),
    (164, 1),
    (165, 1),
    (166, 1),
    (167, 1),
    (168, 1),
    (169, 1),
    (170, 1),
    (171, 1),
    (172, 3),
    (173, 3),
    (174, 3),
    (175, 3),
    (176, 3),
    (177, 1),
    (178, 1),
    (179, 17),
    (180, 1),
    (181, 1),
    (182, 1),
    (183, 1),
    (184, 1),
    (185, 1),
    (186, 1),
    (187, 1),
    (188, 1),
    (189, 17),
    (190, 5),
    (191, 5),
    (192, 1),
    (193, 1),
    (194, 17),
    (195, 17),
    (197, 1),
    (200, 17),
    (209, 1),
    (210, 1),
    (211, 1),
    (237, 3),
    (239, 1),
    (241, 1),
    (242, 1),
    (243, 1),
    (244, 1),
    (245, 1),
    (247, 1),
    (248, 3),
    (249, 17),
    (250, 1),
    (251, 1),
    (253, 1),
    (255, 1),
    (257, 3),
    (258, 3),
    (259, 3),
    (260, 3),
    (261, 9),
    (263, 1),
    (264, 1),
    (265, 1),
    (266, 9),
];
pub(super) static DEOPT: &[(u16, u16)] = &[
    (3, 44),
    (129, 44),
    (130, 44),
    (131, 44),
    (132, 44),
    (133, 44),
    (134, 44),
    (135, 44),
    (136, 44),
    (137, 44),
    (138, 44),
    (139, 44),
    (140, 44),
    (141, 44),
    (142, 44),
    (143, 52),
    (144, 52),
    (145, 52),
    (146, 52),
    (147, 52),
    (148, 52),
    (149, 52),
    (150, 52),
    (151, 55),
    (152, 55),
    (153, 55),
    (154, 52),
    (155, 52),
    (156, 52),
    (157, 52),
    (158, 52),
    (159, 52),
    (160, 52),
    (161, 52),
    (162, 52),
    (163, 52),
    (164, 52),
    (165, 52),
    (166, 56),
    (167, 56),
    (168, 56),
    (169, 57),
    (170, 57),
    (171, 70),
    (172, 70),
    (173, 70),
    (174, 70),
    (175, 75),
    (176, 75),
    (177, 80),
    (178, 80),
    (179, 80),
    (180, 80),
    (181, 80),
    (182, 80),
    (183, 80),
    (184, 80),
    (185, 80),
    (186, 80),
    (187, 80),
    (188, 80),
    (189, 80),
    (190, 82),
    (191, 82),
    (192, 92),
    (193, 92),
    (194, 96),
    (195, 96),
    (196, 128),
    (197, 106),
    (198, 110),
    (199, 110),
    (200, 110),
    (201, 38),
    (202, 38),
    (203, 39),
    (204, 39),
    (205, 39),
    (206, 39),
    (207, 39),
    (208, 39),
    (209, 119),
    (210, 119),
    (211, 119),
];
pub(super) fn popped(op: Opcode, oparg: i32) -> Option<i32> {
    Some(match op {
        Opcode::BINARY_SLICE => 3,
        Opcode::BUILD_TEMPLATE => 2,
        Opcode::CALL_FUNCTION_EX => 4,
        Opcode::CHECK_EG_MATCH => 2,
        Opcode::CHECK_EXC_MATCH => 2,
        Opcode::CLEANUP_THROW => 3,
        Opcode::DELETE_SUBSCR => 2,
        Opcode::END_FOR => 1,
        Opcode::END_SEND => 2,
        Opcode::EXIT_INIT_CHECK => 1,
        Opcode::FORMAT_SIMPLE => 1,
        Opcode::FORMAT_WITH_SPEC => 2,
        Opcode::GET_AITER => 1,
        Opcode::GET_ANEXT => 1,
        Opcode::GET_ITER => 1,
        Opcode::RESERVED => 0,
        Opcode::GET_LEN => 1,
        Opcode::GET_YIELD_FROM_ITER => 1,
        Opcode::INTERPRETER_EXIT => 1,
        Opcode::LOAD_BUILD_CLASS => 0,
        Opcode::LOAD_LOCALS => 0,
        Opcode::MAKE_FUNCTION => 1,
        Opcode::MATCH_KEYS => 2,
        Opcode::MATCH_MAPPING => 1,
        Opcode::MATCH_SEQUENCE => 1,
        Opcode::NOP => 0,
        Opcode::NOT_TAKEN => 0,
        Opcode::POP_EXCEPT => 1,
        Opcode::POP_ITER => 1,
        Opcode::POP_TOP => 1,
        Opcode::PUSH_EXC_INFO => 1,
        Opcode::PUSH_NULL => 0,
        Opcode::RETURN_GENERATOR => 0,
        Opcode::RETURN_VALUE => 1,
        Opcode::SETUP_ANNOTATIONS => 0,
        Opcode::STORE_SLICE => 4,
        Opcode::STORE_SUBSCR => 3,
        Opcode::TO_BOOL => 1,
        Opcode::UNARY_INVERT => 1,
        Opcode::UNARY_NEGATIVE => 1,
        Opcode::UNARY_NOT => 1,
        Opcode::WITH_EXCEPT_START => 5,
        Opcode::BINARY_OP => 2,
        Opcode::BUILD_INTERPOLATION => 2+(oparg&1),
        Opcode::BUILD_LIST => 0+(oparg),
        Opcode::BUILD_MAP => 0+(oparg*2),
        Opcode::BUILD_SET => 0+(oparg),
        Opcode::BUILD_SLICE => 0+(oparg),
        Opcode::BUILD_STRING => 0+(oparg),
        Opcode::BUILD_TUPLE => 0+(oparg),
        Opcode::CALL => 2+(oparg),
        Opcode::CALL_INTRINSIC_1 => 1,
        Opcode::CALL_INTRINSIC_2 => 2,
        Opcode::CALL_KW => 3+(oparg),
        Opcode::COMPARE_OP => 2,
        Opcode::CONTAINS_OP => 2,
        Opcode::CONVERT_VALUE => 1,
        Opcode::COPY => 1+(oparg-1),
        Opcode::COPY_FREE_VARS => 0,
        Opcode::DELETE_ATTR => 1,
        Opcode::DELETE_DEREF => 0,
        Opcode::DELETE_FAST => 0,
        Opcode::DELETE_GLOBAL => 0,
        Opcode::DELETE_NAME => 0,
        Opcode::DICT_MERGE => 5+(oparg-1),
        Opcode::DICT_UPDATE => 2+(oparg-1),
        Opcode::END_ASYNC_FOR => 2,
        Opcode::EXTENDED_ARG => 0,
        Opcode::FOR_ITER => 1,
        Opcode::GET_AWAITABLE => 1,
        Opcode::IMPORT_FROM => 1,
        Opcode::IMPORT_NAME => 2,
        Opcode::IS_OP => 2,
        Opcode::JUMP_BACKWARD => 0,
        Opcode::JUMP_BACKWARD_NO_INTERRUPT => 0,
        Opcode::JUMP_FORWARD => 0,
        Opcode::LIST_APPEND => 2+(oparg-1),
        Opcode::LIST_EXTEND => 2+(oparg-1),
        Opcode::LOAD_ATTR => 1,
        Opcode::LOAD_COMMON_CONSTANT => 0,
        Opcode::LOAD_CONST => 0,
        Opcode::LOAD_DEREF => 0,
        Opcode::LOAD_FAST => 0,
        Opcode::LOAD_FAST_AND_CLEAR => 0,
        Opcode::LOAD_FAST_BORROW => 0,
        Opcode::LOAD_FAST_BORROW_LOAD_FAST_BORROW => 0,
        Opcode::LOAD_FAST_CHECK => 0,
        Opcode::LOAD_FAST_LOAD_FAST => 0,
        Opcode::LOAD_FROM_DICT_OR_DEREF => 1,
        Opcode::LOAD_FROM_DICT_OR_GLOBALS => 1,
        Opcode::LOAD_GLOBAL => 0,
        Opcode::LOAD_NAME => 0,
        Opcode::LOAD_SMALL_INT => 0,
        Opcode::LOAD_SPECIAL => 1,
        Opcode::LOAD_SUPER_ATTR => 3,
        Opcode::MAKE_CELL => 0,
        Opcode::MAP_ADD => 3+(oparg-1),
        Opcode::MATCH_CLASS => 3,
        Opcode::POP_JUMP_IF_FALSE => 1,
        Opcode::POP_JUMP_IF_NONE => 1,
        Opcode::POP_JUMP_IF_NOT_NONE => 1,
        Opcode::POP_JUMP_IF_TRUE => 1,
        Opcode::RAISE_VARARGS => 0+(oparg),
        Opcode::RERAISE => 1+(oparg),
        Opcode::SEND => 2,
        Opcode::SET_ADD => 2+(oparg-1),
        Opcode::SET_FUNCTION_ATTRIBUTE => 2,
        Opcode::SET_UPDATE => 2+(oparg-1),
        Opcode::STORE_ATTR => 2,
        Opcode::STORE_DEREF => 1,
        Opcode::STORE_FAST => 1,
        Opcode::STORE_FAST_LOAD_FAST => 1,
        Opcode::STORE_FAST_STORE_FAST => 2,
        Opcode::STORE_GLOBAL => 1,
        Opcode::STORE_NAME => 1,
        Opcode::SWAP => 2+(oparg-2),
        Opcode::UNPACK_EX => 1,
        Opcode::UNPACK_SEQUENCE => 1,
        Opcode::YIELD_VALUE => 1,
        Opcode::RESUME => 0,
        Opcode::INSTRUMENTED_END_FOR => 2,
        Opcode::INSTRUMENTED_POP_ITER => 1,
        Opcode::INSTRUMENTED_END_SEND => 2,
        Opcode::INSTRUMENTED_FOR_ITER => 1,
        Opcode::INSTRUMENTED_INSTRUCTION => 0,
        Opcode::INSTRUMENTED_JUMP_FORWARD => 0,
        Opcode::INSTRUMENTED_NOT_TAKEN => 0,
        Opcode::INSTRUMENTED_POP_JUMP_IF_TRUE => 1,
        Opcode::INSTRUMENTED_POP_JUMP_IF_FALSE => 1,
        Opcode::INSTRUMENTED_POP_JUMP_IF_NONE => 1,
        Opcode::INSTRUMENTED_POP_JUMP_IF_NOT_NONE => 1,
        Opcode::INSTRUMENTED_RESUME => 0,
        Opcode::INSTRUMENTED_RETURN_VALUE => 1,
        Opcode::INSTRUMENTED_YIELD_VALUE => 1,
        Opcode::INSTRUMENTED_END_ASYNC_FOR => 2,
        Opcode::INSTRUMENTED_LOAD_SUPER_ATTR => 3,
        Opcode::INSTRUMENTED_CALL => 2+(oparg),
        Opcode::INSTRUMENTED_CALL_KW => 3+(oparg),
        Opcode::INSTRUMENTED_CALL_FUNCTION_EX => 4,
        Opcode::INSTRUMENTED_JUMP_BACKWARD => 0,
        Opcode::INSTRUMENTED_LINE => 0,
        Opcode::ENTER_EXECUTOR => 0,
        Opcode::ANNOTATIONS_PLACEHOLDER => 0,
        Opcode::JUMP => 0,
        Opcode::JUMP_IF_FALSE => 1,
        Opcode::JUMP_IF_TRUE => 1,
        Opcode::JUMP_NO_INTERRUPT => 0,
        Opcode::LOAD_CLOSURE => 0,
        Opcode::POP_BLOCK => 0,
        Opcode::SETUP_CLEANUP => 0,
        Opcode::SETUP_FINALLY => 0,
        Opcode::SETUP_WITH => 0,
        Opcode::STORE_FAST_MAYBE_NULL => 1,
        _ => return None,
    })
}
pub(super) fn pushed(op: Opcode, oparg: i32) -> Option<i32> {
    Some(match op {
        Opcode::BINARY_SLICE => 1,
        Opcode::BUILD_TEMPLATE => 1,
        Opcode::CALL_FUNCTION_EX => 1,
        Opcode::CHECK_EG_MATCH => 2,
        Opcode::CHECK_EXC_MATCH => 2,
        Opcode::CLEANUP_THROW => 2,
        Opcode::DELETE_SUBSCR => 0,
        Opcode::END_FOR => 0,
        Opcode::END_SEND => 1,
        Opcode::EXIT_INIT_CHECK => 0,
        Opcode::FORMAT_SIMPLE => 1,
        Opcode::FORMAT_WITH_SPEC => 1,
        Opcode::GET_AITER => 1,
        Opcode::GET_ANEXT => 2,
        Opcode::GET_ITER => 1,
        Opcode::RESERVED => 0,
        Opcode::GET_LEN => 2,
        Opcode::GET_YIELD_FROM_ITER => 1,
        Opcode::INTERPRETER_EXIT => 0,
        Opcode::LOAD_BUILD_CLASS => 1,
        Opcode::LOAD_LOCALS => 1,
        Opcode::MAKE_FUNCTION => 1,
        Opcode::MATCH_KEYS => 3,
        Opcode::MATCH_MAPPING => 2,
        Opcode::MATCH_SEQUENCE => 2,
        Opcode::NOP => 0,
        Opcode::NOT_TAKEN => 0,
        Opcode::POP_EXCEPT => 0,
        Opcode::POP_ITER => 0,
        Opcode::POP_TOP => 0,
        Opcode::PUSH_EXC_INFO => 2,
        Opcode::PUSH_NULL => 1,
        Opcode::RETURN_GENERATOR => 1,
        Opcode::RETURN_VALUE => 1,
        Opcode::SETUP_ANNOTATIONS => 0,
        Opcode::STORE_SLICE => 0,
        Opcode::STORE_SUBSCR => 0,
        Opcode::TO_BOOL => 1,
        Opcode::UNARY_INVERT => 1,
        Opcode::UNARY_NEGATIVE => 1,
        Opcode::UNARY_NOT => 1,
        Opcode::WITH_EXCEPT_START => 6,
        Opcode::BINARY_OP => 1,
        Opcode::BUILD_INTERPOLATION => 1,
        Opcode::BUILD_LIST => 1,
        Opcode::BUILD_MAP => 1,
        Opcode::BUILD_SET => 1,
        Opcode::BUILD_SLICE => 1,
        Opcode::BUILD_STRING => 1,
        Opcode::BUILD_TUPLE => 1,
        Opcode::CALL => 1,
        Opcode::CALL_INTRINSIC_1 => 1,
        Opcode::CALL_INTRINSIC_2 => 1,
        Opcode::CALL_KW => 1,
        Opcode::COMPARE_OP => 1,
        Opcode::CONTAINS_OP => 1,
        Opcode::CONVERT_VALUE => 1,
        Opcode::COPY => 2+(oparg-1),
        Opcode::COPY_FREE_VARS => 0,
        Opcode::DELETE_ATTR => 0,
        Opcode::DELETE_DEREF => 0,
        Opcode::DELETE_FAST => 0,
        Opcode::DELETE_GLOBAL => 0,
        Opcode::DELETE_NAME => 0,
        Opcode::DICT_MERGE => 4+(oparg-1),
        Opcode::DICT_UPDATE => 1+(oparg-1),
        Opcode::END_ASYNC_FOR => 0,
        Opcode::EXTENDED_ARG => 0,
        Opcode::FOR_ITER => 2,
        Opcode::GET_AWAITABLE => 1,
        Opcode::IMPORT_FROM => 2,
        Opcode::IMPORT_NAME => 1,
        Opcode::IS_OP => 1,
        Opcode::JUMP_BACKWARD => 0,
        Opcode::JUMP_BACKWARD_NO_INTERRUPT => 0,
        Opcode::JUMP_FORWARD => 0,
        Opcode::LIST_APPEND => 1+(oparg-1),
        Opcode::LIST_EXTEND => 1+(oparg-1),
        Opcode::LOAD_ATTR => 1+(oparg&1),
        Opcode::LOAD_COMMON_CONSTANT => 1,
        Opcode::LOAD_CONST => 1,
        Opcode::LOAD_DEREF => 1,
        Opcode::LOAD_FAST => 1,
        Opcode::LOAD_FAST_AND_CLEAR => 1,
        Opcode::LOAD_FAST_BORROW => 1,
        Opcode::LOAD_FAST_BORROW_LOAD_FAST_BORROW => 2,
        Opcode::LOAD_FAST_CHECK => 1,
        Opcode::LOAD_FAST_LOAD_FAST => 2,
        Opcode::LOAD_FROM_DICT_OR_DEREF => 1,
        Opcode::LOAD_FROM_DICT_OR_GLOBALS => 1,
        Opcode::LOAD_GLOBAL => 1+(oparg&1),
        Opcode::LOAD_NAME => 1,
        Opcode::LOAD_SMALL_INT => 1,
        Opcode::LOAD_SPECIAL => 2,
        Opcode::LOAD_SUPER_ATTR => 1+(oparg&1),
        Opcode::MAKE_CELL => 0,
        Opcode::MAP_ADD => 1+(oparg-1),
        Opcode::MATCH_CLASS => 1,
        Opcode::POP_JUMP_IF_FALSE => 0,
        Opcode::POP_JUMP_IF_NONE => 0,
        Opcode::POP_JUMP_IF_NOT_NONE => 0,
        Opcode::POP_JUMP_IF_TRUE => 0,
        Opcode::RAISE_VARARGS => 0,
        Opcode::RERAISE => 0+(oparg),
        Opcode::SEND => 2,
        Opcode::SET_ADD => 1+(oparg-1),
        Opcode::SET_FUNCTION_ATTRIBUTE => 1,
        Opcode::SET_UPDATE => 1+(oparg-1),
        Opcode::STORE_ATTR => 0,
        Opcode::STORE_DEREF => 0,
        Opcode::STORE_FAST => 0,
        Opcode::STORE_FAST_LOAD_FAST => 1,
        Opcode::STORE_FAST_STORE_FAST => 0,
        Opcode::STORE_GLOBAL => 0,
        Opcode::STORE_NAME => 0,
        Opcode::SWAP => 2+(oparg-2),
        Opcode::UNPACK_EX => 1+(oparg&0xff)+(oparg>>8),
        Opcode::UNPACK_SEQUENCE => 0+(oparg)+(0),
        Opcode::YIELD_VALUE => 1,
        Opcode::RESUME => 0,
        Opcode::INSTRUMENTED_END_FOR => 1,
        Opcode::INSTRUMENTED_POP_ITER => 0,
        Opcode::INSTRUMENTED_END_SEND => 1,
        Opcode::INSTRUMENTED_FOR_ITER => 2,
        Opcode::INSTRUMENTED_INSTRUCTION => 0,
        Opcode::INSTRUMENTED_JUMP_FORWARD => 0,
        Opcode::INSTRUMENTED_NOT_TAKEN => 0,
        Opcode::INSTRUMENTED_POP_JUMP_IF_TRUE => 0,
        Opcode::INSTRUMENTED_POP_JUMP_IF_FALSE => 0,
        Opcode::INSTRUMENTED_POP_JUMP_IF_NONE => 0,
        Opcode::INSTRUMENTED_POP_JUMP_IF_NOT_NONE => 0,
        Opcode::INSTRUMENTED_RESUME => 0,
        Opcode::INSTRUMENTED_RETURN_VALUE => 1,
        Opcode::INSTRUMENTED_YIELD_VALUE => 1,
        Opcode::INSTRUMENTED_END_ASYNC_FOR => 0,
        Opcode::INSTRUMENTED_LOAD_SUPER_ATTR => 1+(oparg&1),
        Opcode::INSTRUMENTED_CALL => 1,
        Opcode::INSTRUMENTED_CALL_KW => 1,
        Opcode::INSTRUMENTED_CALL_FUNCTION_EX => 1,
        Opcode::INSTRUMENTED_JUMP_BACKWARD => 0,
        Opcode::INSTRUMENTED_LINE => 0,
        Opcode::ENTER_EXECUTOR => 0,
        Opcode::ANNOTATIONS_PLACEHOLDER => 0,
        Opcode::JUMP => 0,
        Opcode::JUMP_IF_FALSE => 1,
        Opcode::JUMP_IF_TRUE => 1,
        Opcode::JUMP_NO_INTERRUPT => 0,
        Opcode::LOAD_CLOSURE => 1,
        Opcode::POP_BLOCK => 0,
        Opcode::SETUP_CLEANUP => 0,
        Opcode::SETUP_FINALLY => 0,
        Opcode::SETUP_WITH => 0,
        Opcode::STORE_FAST_MAYBE_NULL => 0,
        _ => return None,
    })
}
