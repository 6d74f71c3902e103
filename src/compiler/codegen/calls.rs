//! Calls in their forms: methods, keywords, unpacking, and the builtins that are unrolled.

use super::names::{AttrLoad, Ctx};
use super::{Compiler, Result, STACK_USE_GUIDELINE, common_constant, intrinsic};
use crate::bytecode::Opcode;
use crate::bytecode::spec::{Constant, Wtf8};
use crate::compiler::instr::{Label, Location, NO_LOCATION};
use crate::compiler::names::NameId;
use crate::compiler::symtable::{SymbolTable, def};
use ruff_python_ast::{self as ast, CmpOp, Expr};
use ruff_text_size::Ranged;
use rustc_hash::FxHashMap;

impl<'a> Compiler<'a> {
    /// `codegen_call`
    pub(super) fn call(&mut self, e: &'a ast::ExprCall) -> Result {
        let arguments = &e.arguments;
        self.validate_keywords(&arguments.keywords)?;
        if self.maybe_method_call(e)? {
            return Ok(());
        }
        self.check_caller(&e.func)?;
        let skip_normal_call = self.new_label();
        self.expr(&e.func)?;
        self.maybe_unrolled_call(e, skip_normal_call)?;
        let func_loc = self.expr_location(&e.func);
        self.op(Opcode::PUSH_NULL, func_loc);
        let loc = self.loc(e);
        self.call_helper(0, &arguments.args, None, &arguments.keywords, loc)?;
        self.use_label(skip_normal_call);
        Ok(())
    }

    /// `codegen_validate_keywords`; of several repeated keywords the one that comes first is named.
    fn validate_keywords(&self, keywords: &[ast::Keyword]) -> Result {
        if keywords.len() < 2 {
            return Ok(());
        }
        let mut first_places = FxHashMap::default();
        let mut repeated: Option<(usize, &ast::Keyword)> = None;
        for (i, keyword) in keywords.iter().enumerate() {
            let Some(arg) = &keyword.arg else { continue };
            let first = *first_places.entry(arg.as_str()).or_insert(i);
            if first < i && repeated.is_none_or(|(earlier, _)| first < earlier) {
                repeated = Some((first, keyword));
            }
        }
        match repeated {
            Some((_, keyword)) => {
                let name = keyword.arg.as_ref().map_or("", |arg| arg.as_str());
                let message = format!("keyword argument repeated: {name}");
                self.error(message, self.loc(keyword))
            }
            None => Ok(()),
        }
    }

    /// Whether the module's top level imports the name (`is_import_originated`).
    fn is_import_originated(&mut self, e: &Expr) -> bool {
        let Expr::Name(name) = e else { return false };
        let name = self.names.of(name);
        self.table[SymbolTable::TOP].symbol(name).has(def::IMPORT)
    }

    /// `maybe_optimize_method_call`
    fn maybe_method_call(&mut self, e: &'a ast::ExprCall) -> Result<bool> {
        let Expr::Attribute(method) = &*e.func else {
            return Ok(false);
        };
        if self.is_import_originated(&method.value) {
            return Ok(false);
        }
        let args = &e.arguments.args;
        let keywords = &e.arguments.keywords;
        let slots = args.len() + keywords.len() + usize::from(!keywords.is_empty());
        if slots >= STACK_USE_GUIDELINE
            || args.iter().any(Expr::is_starred_expr)
            || keywords.iter().any(|k| k.arg.is_none())
        {
            return Ok(false);
        }
        let mut loc = self.loc(method);
        let name = self.names.intern(&method.attr);
        if self.can_optimize_super_call(method)
            && let Expr::Call(call) = &*method.value
        {
            self.load_args_for_super(call)?;
            let how = if call.arguments.args.is_empty() {
                AttrLoad::ZeroSuperMethod
            } else {
                AttrLoad::SuperMethod
            };
            self.load_attr(how, name, loc);
            loc = self.start_at_attr(loc, method);
            self.op(Opcode::NOP, loc);
        } else {
            self.expr(&method.value)?;
            loc = self.start_at_attr(loc, method);
            self.load_attr(AttrLoad::Method, name, loc);
        }
        self.exprs(args)?;
        let call_loc = self.start_at_attr(self.loc(e), method);
        if keywords.is_empty() {
            self.op_len(Opcode::CALL, args.len(), call_loc);
        } else {
            keywords.iter().try_for_each(|k| self.expr(&k.value))?;
            self.keyword_names(keywords, loc);
            self.op_len(Opcode::CALL_KW, args.len() + keywords.len(), call_loc);
        }
        Ok(true)
    }

    /// An attribute on a later line than its object starts at its own name
    /// (`update_start_location_to_match_attr`).
    pub(super) fn start_at_attr(&self, loc: Location, attr: &ast::ExprAttribute) -> Location {
        let (line, col) = self.source.position(attr.end());
        let mut loc = loc;
        if loc.lineno != line {
            loc.lineno = line;
            // CPython subtracts characters from a byte column.
            let len = attr.attr.as_str().chars().count() as i32;
            if len <= col {
                loc.col_offset = col - len;
            } else {
                loc.col_offset = -1;
                loc.end_col_offset = -1;
            }
            loc.end_lineno = loc.end_lineno.max(line);
            if loc.lineno == loc.end_lineno {
                loc.end_col_offset = loc.end_col_offset.max(loc.col_offset);
            }
        }
        loc
    }

    /// `all`, `any` and `tuple` of a generator expression run as a loop here, if the name still means the
    /// builtin (`maybe_optimize_function_call`).
    fn maybe_unrolled_call(&mut self, e: &'a ast::ExprCall, end: Label) -> Result {
        let (Expr::Name(func), [arg @ Expr::Generator(_)]) = (&*e.func, &e.arguments.args[..])
        else {
            return Ok(());
        };
        if !e.arguments.keywords.is_empty() {
            return Ok(());
        }
        let (constant, on_item) = match func.id.as_str() {
            "all" => (
                common_constant::BUILTIN_ALL,
                Some((Opcode::POP_JUMP_IF_TRUE, Constant::False, Constant::True)),
            ),
            "any" => (
                common_constant::BUILTIN_ANY,
                Some((Opcode::POP_JUMP_IF_FALSE, Constant::True, Constant::False)),
            ),
            "tuple" => (common_constant::BUILTIN_TUPLE, None),
            _ => return Ok(()),
        };
        let loc = self.loc(func);
        let skip_optimization = self.new_label();
        let looping = self.new_label();
        let cleanup = self.new_label();
        self.op_i(Opcode::COPY, 1, loc);
        self.op_i(Opcode::LOAD_COMMON_CONSTANT, constant, loc);
        self.compare(CmpOp::Is, loc);
        self.jump(Opcode::POP_JUMP_IF_FALSE, skip_optimization, loc);
        self.op(Opcode::POP_TOP, loc);
        if on_item.is_none() {
            self.op_i(Opcode::BUILD_LIST, 0, loc);
        }
        self.expr(arg)?;
        self.use_label(looping);
        self.jump(Opcode::FOR_ITER, cleanup, loc);
        match &on_item {
            None => {
                self.op_i(Opcode::LIST_APPEND, 2, loc);
                self.jump(Opcode::JUMP, looping, loc);
            }
            Some((go_on, _, _)) => {
                self.op(Opcode::TO_BOOL, loc);
                self.jump(*go_on, looping, loc);
            }
        }
        self.op(Opcode::POP_ITER, NO_LOCATION);
        if let Some((_, early, _)) = &on_item {
            self.load_const(early.clone(), loc);
        }
        self.jump(Opcode::JUMP, end, loc);
        self.use_label(cleanup);
        self.op(Opcode::END_FOR, NO_LOCATION);
        self.op(Opcode::POP_ITER, NO_LOCATION);
        match on_item {
            None => self.op_i(Opcode::CALL_INTRINSIC_1, intrinsic::LIST_TO_TUPLE, loc),
            Some((_, _, at_end)) => self.load_const(at_end, loc),
        }
        self.jump(Opcode::JUMP, end, loc);
        self.use_label(skip_optimization);
        Ok(())
    }

    /// `codegen_call_simple_kw_helper`
    fn keyword_names(&mut self, keywords: &[ast::Keyword], loc: Location) {
        let names = keywords
            .iter()
            .filter_map(|k| k.arg.as_ref())
            .map(|arg| Constant::Str(Wtf8::from(arg.as_str())))
            .collect();
        self.load_const(Constant::Tuple(names), loc);
    }

    /// Arguments and the call; `pushed` arguments are on the stack already (`codegen_call_helper_impl`).
    pub(super) fn call_helper(
        &mut self,
        pushed: usize,
        args: &'a [Expr],
        injected: Option<NameId>,
        keywords: &'a [ast::Keyword],
        loc: Location,
    ) -> Result {
        self.validate_keywords(keywords)?;
        if args.len() + keywords.len() * 2 > STACK_USE_GUIDELINE
            || args.iter().any(Expr::is_starred_expr)
            || keywords.iter().any(|k| k.arg.is_none())
        {
            return self.call_unpacking(pushed, args, injected, keywords, loc);
        }
        self.exprs(args)?;
        let mut count = pushed + args.len();
        if let Some(injected) = injected {
            self.name_op(injected, Ctx::Load, loc)?;
            count += 1;
        }
        if keywords.is_empty() {
            self.op_len(Opcode::CALL, count, loc);
        } else {
            keywords.iter().try_for_each(|k| self.expr(&k.value))?;
            self.keyword_names(keywords, loc);
            self.op_len(Opcode::CALL_KW, count + keywords.len(), loc);
        }
        Ok(())
    }

    fn call_unpacking(
        &mut self,
        pushed: usize,
        args: &'a [Expr],
        injected: Option<NameId>,
        keywords: &'a [ast::Keyword],
        loc: Location,
    ) -> Result {
        match args {
            [Expr::Starred(only)] if pushed == 0 => self.expr(&only.value)?,
            _ => self.build_list_display(args, injected, pushed, true, loc)?,
        }
        if keywords.is_empty() {
            self.op(Opcode::PUSH_NULL, loc);
        }
        let mut have_dict = false;
        let mut start = 0;
        for (i, keyword) in keywords.iter().enumerate() {
            if keyword.arg.is_some() {
                continue;
            }
            if start < i {
                self.keyword_map(&keywords[start..i], loc)?;
                if have_dict {
                    self.op_i(Opcode::DICT_MERGE, 1, loc);
                }
                have_dict = true;
            }
            start = i + 1;
            if !have_dict {
                self.op_i(Opcode::BUILD_MAP, 0, loc);
                have_dict = true;
            }
            self.expr(&keyword.value)?;
            self.op_i(Opcode::DICT_MERGE, 1, loc);
        }
        if start < keywords.len() {
            self.keyword_map(&keywords[start..], loc)?;
            if have_dict {
                self.op_i(Opcode::DICT_MERGE, 1, loc);
            }
        }
        self.op(Opcode::CALL_FUNCTION_EX, loc);
        Ok(())
    }

    /// `codegen_subkwargs`
    fn keyword_map(&mut self, keywords: &'a [ast::Keyword], loc: Location) -> Result {
        let big = keywords.len() * 2 > STACK_USE_GUIDELINE;
        if big {
            self.op_i(Opcode::BUILD_MAP, 0, NO_LOCATION);
        }
        for keyword in keywords {
            if let Some(arg) = &keyword.arg {
                self.load_const(Constant::Str(Wtf8::from(arg.as_str())), loc);
            }
            self.expr(&keyword.value)?;
            if big {
                self.op_i(Opcode::MAP_ADD, 1, NO_LOCATION);
            }
        }
        if !big {
            self.op_len(Opcode::BUILD_MAP, keywords.len(), loc);
        }
        Ok(())
    }
}
