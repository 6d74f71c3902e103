//! Functions and lambdas: defaults, decorators, type parameters, bodies, closures.

use super::names::Ctx;
use super::unit::{FBlockKind, ScopeType, UnitArgs};
use super::{Compiler, Result, func_attr, intrinsic, literals};
use crate::bytecode::Opcode;
use crate::bytecode::spec::{CodeSpec, Constant, Wtf8, local_kind};
use crate::compiler::instr::{Location, NO_LOCATION};
use crate::compiler::names::NameId;
use crate::compiler::symtable::{BlockKey, node_key};
use crate::compiler::tree::{def_location, docstring};
use ruff_python_ast::{self as ast, Expr, TypeParam};
use ruff_text_size::Ranged;
use std::rc::Rc;

impl<'a> Compiler<'a> {
    /// Makes a function of finished code; `attrs` of it are on the stack (`codegen_make_closure`).
    pub(super) fn make_closure(&mut self, code: CodeSpec, attrs: i32, loc: Location) -> Result {
        let mut attrs = attrs;
        let free: Vec<Wtf8> = (code.localsplusnames.iter().zip(&code.localspluskinds))
            .filter(|(_, kind)| **kind & local_kind::FREE != 0)
            .map(|(name, _)| name.clone())
            .collect();
        if !free.is_empty() {
            for name in &free {
                let name = self.names.intern(&name.to_string_lossy());
                let index = self.closure_index(name)?;
                self.op_i(Opcode::LOAD_CLOSURE, index, loc);
            }
            attrs |= func_attr::CLOSURE;
            self.op_len(Opcode::BUILD_TUPLE, free.len(), loc);
        }
        self.load_const(Constant::Code(Rc::new(code)), loc);
        self.op(Opcode::MAKE_FUNCTION, loc);
        for attr in [
            func_attr::CLOSURE,
            func_attr::ANNOTATE,
            func_attr::KWDEFAULTS,
            func_attr::DEFAULTS,
        ] {
            if attrs & attr != 0 {
                self.op_i(Opcode::SET_FUNCTION_ATTRIBUTE, attr, loc);
            }
        }
        Ok(())
    }

    pub(super) fn decorators(&mut self, decorators: &'a [ast::Decorator]) -> Result {
        decorators.iter().try_for_each(|d| self.expr(&d.expression))
    }
    pub(super) fn apply_decorators(&mut self, decorators: &'a [ast::Decorator]) {
        for decorator in decorators.iter().rev() {
            let loc = self.loc(&decorator.expression);
            self.op_i(Opcode::CALL, 0, loc);
        }
    }
    /// `co_firstlineno` of a definition: its first decorator's line, if it has one.
    pub(super) fn first_lineno(&self, decorators: &[ast::Decorator], loc: Location) -> i32 {
        match decorators.first() {
            Some(first) => self.source.lineno(&first.expression),
            None => loc.lineno,
        }
    }

    /// `codegen_default_arguments`
    fn default_arguments(&mut self, p: &'a ast::Parameters, loc: Location) -> Result<i32> {
        let mut attrs = 0;
        let mut count = 0;
        for arg in p.posonlyargs.iter().chain(&p.args) {
            if let Some(default) = &arg.default {
                self.expr(default)?;
                count += 1;
            }
        }
        if count > 0 {
            self.op_i(Opcode::BUILD_TUPLE, count, loc);
            attrs |= func_attr::DEFAULTS;
        }
        let mut count = 0;
        for arg in &p.kwonlyargs {
            if let Some(default) = &arg.default {
                let name = self.names.intern(&arg.parameter.name);
                let mangled = self.maybe_mangle(name);
                self.load_name_const(mangled, loc);
                self.expr(default)?;
                count += 1;
            }
        }
        if count > 0 {
            self.op_i(Opcode::BUILD_MAP, count, loc);
            attrs |= func_attr::KWDEFAULTS;
        }
        Ok(attrs)
    }

    /// `codegen_function`
    pub(super) fn function_def(&mut self, s: &'a ast::StmtFunctionDef) -> Result {
        self.decorators(&s.decorator_list)?;
        let loc = def_location(self.source, s.name.range(), s.range, s.is_async);
        let firstlineno = self.first_lineno(&s.decorator_list, loc);
        let name = self.names.intern(&s.name);
        let mut attrs = self.default_arguments(&s.parameters, loc)?;
        let mut generic_args = 0;
        if let Some(params) = &s.type_params {
            generic_args = i32::from(attrs & func_attr::DEFAULTS != 0)
                + i32::from(attrs & func_attr::KWDEFAULTS != 0);
            if generic_args == 2 {
                self.op_i(Opcode::SWAP, 2, loc);
            }
            let args = UnitArgs {
                args: generic_args as u32,
                ..UnitArgs::default()
            };
            self.enter_type_params(name, params, firstlineno, None, args)?;
            self.type_params(params)?;
            for i in 0..generic_args {
                self.op_i(Opcode::LOAD_FAST, i, loc);
            }
        }
        attrs |= self.function_annotations(s, loc)?;
        self.function_body(s, name, attrs, firstlineno, loc)?;
        if s.type_params.is_some() {
            self.op_i(Opcode::SWAP, 2, loc);
            self.op_i(
                Opcode::CALL_INTRINSIC_2,
                intrinsic::SET_FUNCTION_TYPE_PARAMS,
                loc,
            );
            let code = self.finish_unit(false)?;
            self.make_closure(code, 0, loc)?;
            if generic_args > 0 {
                self.op_i(Opcode::SWAP, generic_args + 1, loc);
                self.op_i(Opcode::CALL, generic_args - 1, loc);
            } else {
                self.op(Opcode::PUSH_NULL, loc);
                self.op_i(Opcode::CALL, 0, loc);
            }
        }
        self.apply_decorators(&s.decorator_list);
        self.name_op(name, Ctx::Store, loc)
    }

    fn function_body(
        &mut self,
        s: &'a ast::StmtFunctionDef,
        name: NameId,
        attrs: i32,
        firstlineno: i32,
        loc: Location,
    ) -> Result {
        let scope_type = if s.is_async {
            ScopeType::AsyncFunction
        } else {
            ScopeType::Function
        };
        let block = self.lookup(node_key(s), BlockKey::Body)?;
        let args = unit_args(&s.parameters);
        self.enter_scope(name, scope_type, block, firstlineno, None, args);
        let mut body = &s.body[..];
        if self.block().has_docstring
            && let Some(text) = docstring(body)
        {
            let doc = literals::clean_doc(&literals::string(self.source, &text.value)?);
            self.unit_mut().consts.add(Constant::Str(doc));
            body = &body[1..];
        }
        let start = self.new_label();
        self.use_label(start);
        let handler = self.block().coroutine || self.block().generator;
        if handler {
            self.push_fblock(FBlockKind::StopIteration, Some(start), None, NO_LOCATION)?;
        }
        self.stmts_without_docstring(body, body.len() == s.body.len())?;
        if handler {
            self.wrap_in_stopiteration_handler();
            self.pop_fblock();
        }
        let code = self.finish_unit(true)?;
        self.make_closure(code, attrs, loc)
    }

    /// `codegen_wrap_in_stopiteration_handler`
    pub(super) fn wrap_in_stopiteration_handler(&mut self) {
        let handler = self.new_label();
        self.unit_mut()
            .seq
            .insert_jump(0, Opcode::SETUP_CLEANUP, handler, NO_LOCATION);
        self.load_const(Constant::None, NO_LOCATION);
        self.op(Opcode::RETURN_VALUE, NO_LOCATION);
        self.use_label(handler);
        self.op_i(
            Opcode::CALL_INTRINSIC_1,
            intrinsic::STOPITERATION_ERROR,
            NO_LOCATION,
        );
        self.op_i(Opcode::RERAISE, 1, NO_LOCATION);
    }

    /// `codegen_lambda`
    pub(super) fn lambda(&mut self, e: &'a ast::ExprLambda) -> Result {
        let loc = self.loc(e);
        let (attrs, args) = match &e.parameters {
            Some(p) => (self.default_arguments(p, loc)?, unit_args(p)),
            None => (0, UnitArgs::default()),
        };
        let block = self.lookup(node_key(e), BlockKey::Body)?;
        let name = crate::compiler::names::known::ANON_LAMBDA;
        self.enter_scope(name, ScopeType::Lambda, block, loc.lineno, None, args);
        self.expr(&e.body)?;
        let code = if self.block().generator {
            self.finish_unit(false)?
        } else {
            let body_loc = self.expr_location(&e.body);
            self.op(Opcode::RETURN_VALUE, body_loc);
            self.finish_unit(true)?
        };
        self.make_closure(code, attrs, loc)
    }

    /// Enters the scope that holds a generic's type parameters.
    pub(super) fn enter_type_params(
        &mut self,
        name: NameId,
        params: &'a ast::TypeParams,
        firstlineno: i32,
        private: Option<NameId>,
        args: UnitArgs,
    ) -> Result {
        let text = format!("<generic parameters of {}>", self.names.get(name));
        let name = self.names.intern(&text);
        let block = self.lookup(node_key(params), BlockKey::TypeParams)?;
        let scope = ScopeType::Annotations;
        self.enter_scope(name, scope, block, firstlineno, private, args);
        Ok(())
    }

    /// `codegen_type_params`
    pub(super) fn type_params(&mut self, params: &'a ast::TypeParams) -> Result {
        let mut seen_default = false;
        for param in &params.type_params {
            let loc = self.loc(param);
            let (ident, bound, default, make) = match param {
                TypeParam::TypeVar(p) => (
                    &p.name,
                    p.bound.as_deref(),
                    p.default.as_deref(),
                    intrinsic::TYPEVAR,
                ),
                TypeParam::TypeVarTuple(p) => {
                    (&p.name, None, p.default.as_deref(), intrinsic::TYPEVARTUPLE)
                }
                TypeParam::ParamSpec(p) => {
                    (&p.name, None, p.default.as_deref(), intrinsic::PARAMSPEC)
                }
            };
            let name = self.names.intern(ident);
            self.load_name_const(name, loc);
            if let Some(bound) = bound {
                self.bound_or_default(bound, name, param, BlockKey::Bound)?;
                let make = match bound {
                    Expr::Tuple(_) => intrinsic::TYPEVAR_WITH_CONSTRAINTS,
                    _ => intrinsic::TYPEVAR_WITH_BOUND,
                };
                self.op_i(Opcode::CALL_INTRINSIC_2, make, loc);
            } else {
                self.op_i(Opcode::CALL_INTRINSIC_1, make, loc);
            }
            if let Some(default) = default {
                seen_default = true;
                self.bound_or_default(default, name, param, BlockKey::Default)?;
                let set = intrinsic::SET_TYPEPARAM_DEFAULT;
                self.op_i(Opcode::CALL_INTRINSIC_2, set, loc);
            } else if seen_default {
                let message =
                    format!("non-default type parameter '{ident}' follows default type parameter");
                return self.error(message, loc);
            }
            self.op_i(Opcode::COPY, 1, loc);
            self.name_op(name, Ctx::Store, loc)?;
        }
        if let Some(first) = params.type_params.first() {
            let loc = self.loc(first);
            self.op_len(Opcode::BUILD_TUPLE, params.type_params.len(), loc);
        }
        Ok(())
    }

    /// `codegen_type_param_bound_or_default`
    fn bound_or_default(
        &mut self,
        e: &'a Expr,
        name: NameId,
        param: &'a TypeParam,
        key: BlockKey,
    ) -> Result {
        let loc = self.expr_location(e);
        self.load_const(Constant::Tuple([Constant::Int(1)].into()), loc);
        let block = self.lookup(node_key(param), key)?;
        self.setup_annotations_scope(name, block, loc);
        match (param, e) {
            (TypeParam::TypeVarTuple(_), Expr::Starred(starred)) => {
                self.expr(&starred.value)?;
                self.op_i(Opcode::UNPACK_SEQUENCE, 1, loc);
            }
            _ => self.expr(e)?,
        }
        self.op(Opcode::RETURN_VALUE, loc);
        let code = self.finish_unit(true)?;
        self.make_closure(code, func_attr::DEFAULTS, loc)
    }
}

fn unit_args(p: &ast::Parameters) -> UnitArgs {
    UnitArgs {
        args: p.args.len() as u32,
        posonly: p.posonlyargs.len() as u32,
        kwonly: p.kwonlyargs.len() as u32,
    }
}
