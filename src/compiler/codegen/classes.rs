//! Classes and type aliases.

use super::names::Ctx;
use super::unit::{ScopeType, UnitArgs};
use super::{Compiler, Result, func_attr, intrinsic};
use crate::bytecode::Opcode;
use crate::bytecode::spec::{Constant, Wtf8};
use crate::compiler::instr::{Location, NO_LOCATION};
use crate::compiler::names::{NameId, known};
use crate::compiler::symtable::{BlockKey, Scope, node_key};
use crate::compiler::tree::def_location;
use ruff_python_ast::{self as ast, Expr};
use ruff_text_size::Ranged;

impl<'a> Compiler<'a> {
    /// `codegen_class`
    pub(super) fn class_def(&mut self, s: &'a ast::StmtClassDef) -> Result {
        self.decorators(&s.decorator_list)?;
        let loc = def_location(self.source, s.name.range(), s.range, false);
        let firstlineno = self.first_lineno(&s.decorator_list, loc);
        let name = self.names.intern(&s.name);
        if let Some(params) = &s.type_params {
            let args = UnitArgs::default();
            self.enter_type_params(name, params, firstlineno, Some(name), args)?;
            self.type_params(params)?;
            self.name_op(known::DOT_TYPE_PARAMS, Ctx::Store, loc)?;
        }
        self.class_body(s, name, firstlineno, loc)?;
        let (bases, keywords) = match &s.arguments {
            Some(arguments) => (&arguments.args[..], &arguments.keywords[..]),
            None => (&[][..], &[][..]),
        };
        if s.type_params.is_some() {
            self.name_op(known::DOT_TYPE_PARAMS, Ctx::Load, loc)?;
            let subscript = intrinsic::SUBSCRIPT_GENERIC;
            self.op_i(Opcode::CALL_INTRINSIC_1, subscript, loc);
            self.name_op(known::DOT_GENERIC_BASE, Ctx::Store, loc)?;
            let injected = Some(known::DOT_GENERIC_BASE);
            self.call_helper(2, bases, injected, keywords, loc)?;
            let code = self.finish_unit(false)?;
            self.make_closure(code, 0, loc)?;
            self.op(Opcode::PUSH_NULL, loc);
            self.op_i(Opcode::CALL, 0, loc);
        } else {
            self.call_helper(2, bases, None, keywords, loc)?;
        }
        self.apply_decorators(&s.decorator_list);
        self.name_op(name, Ctx::Store, loc)
    }

    /// The body as a function of no arguments, and `__build_class__` with it (`codegen_class_body`).
    fn class_body(
        &mut self,
        s: &'a ast::StmtClassDef,
        name: NameId,
        firstlineno: i32,
        loc: Location,
    ) -> Result {
        let block = self.lookup(node_key(s), BlockKey::Body)?;
        let args = UnitArgs::default();
        self.enter_scope(name, ScopeType::Class, block, firstlineno, Some(name), args);
        let top = Location {
            lineno: firstlineno,
            end_lineno: firstlineno,
            col_offset: 0,
            end_col_offset: 0,
        };
        self.name_op(known::DUNDER_NAME, Ctx::Load, top)?;
        self.name_op(known::DUNDER_MODULE, Ctx::Store, top)?;
        let qualname = Wtf8::from(&*self.unit().qualname);
        self.load_const(Constant::Str(qualname), top);
        self.name_op(known::DUNDER_QUALNAME, Ctx::Store, top)?;
        self.load_int(i64::from(firstlineno), top);
        self.name_op(known::DUNDER_FIRSTLINENO, Ctx::Store, top)?;
        if s.type_params.is_some() {
            self.name_op(known::DOT_TYPE_PARAMS, Ctx::Load, top)?;
            self.name_op(known::DUNDER_TYPE_PARAMS, Ctx::Store, top)?;
        }
        if self.block().needs_classdict {
            self.op(Opcode::LOAD_LOCALS, top);
            self.op_cellvar(Opcode::STORE_DEREF, known::DUNDER_CLASSDICT, top);
        }
        if self.block().has_conditional_annotations {
            self.op_i(Opcode::BUILD_SET, 0, top);
            let name = known::DUNDER_CONDITIONAL_ANNOTATIONS;
            self.op_cellvar(Opcode::STORE_DEREF, name, top);
        }
        self.body(top, &s.body, false)?;
        let attributes = std::mem::take(&mut self.unit_mut().static_attributes);
        let attributes = attributes.into_iter().map(Constant::Str).collect();
        self.load_const(Constant::Tuple(attributes), NO_LOCATION);
        self.name_op(known::DUNDER_STATIC_ATTRIBUTES, Ctx::Store, NO_LOCATION)?;
        if self.block().needs_classdict {
            self.op_cellvar(Opcode::LOAD_CLOSURE, known::DUNDER_CLASSDICT, NO_LOCATION);
            self.name_op(known::DUNDER_CLASSDICTCELL, Ctx::Store, NO_LOCATION)?;
        }
        if self.block().needs_class_closure {
            self.op_cellvar(Opcode::LOAD_CLOSURE, known::DUNDER_CLASS, NO_LOCATION);
            self.op_i(Opcode::COPY, 1, NO_LOCATION);
            self.name_op(known::DUNDER_CLASSCELL, Ctx::Store, NO_LOCATION)?;
        } else {
            self.load_const(Constant::None, NO_LOCATION);
        }
        self.op(Opcode::RETURN_VALUE, NO_LOCATION);
        let code = self.finish_unit(true)?;
        self.op(Opcode::LOAD_BUILD_CLASS, loc);
        self.op(Opcode::PUSH_NULL, loc);
        self.make_closure(code, 0, loc)?;
        self.load_name_const(name, loc);
        Ok(())
    }

    /// `self.x = ...` in a method: `x` is one of the class's static attributes
    /// (`_PyCompile_MaybeAddStaticAttributeToClass`).
    pub(super) fn maybe_add_static_attribute(&mut self, e: &ast::ExprAttribute) {
        let Expr::Name(base) = &*e.value else { return };
        if e.ctx != ast::ExprContext::Store || base.id != "self" {
            return;
        }
        let enclosing = self.units.iter_mut().rev().skip(1);
        for unit in enclosing {
            if unit.scope_type == ScopeType::Class {
                unit.static_attributes.insert(Wtf8::from(e.attr.as_str()));
                return;
            }
        }
    }

    /// `codegen_typealias`
    pub(super) fn type_alias(&mut self, s: &'a ast::StmtTypeAlias) -> Result {
        let loc = self.loc(s);
        let Expr::Name(target) = &*s.name else {
            return self.error("type alias target must be a name", loc);
        };
        let name = self.names.of(target);
        match &s.type_params {
            Some(params) => {
                let args = UnitArgs::default();
                self.enter_type_params(name, params, loc.lineno, None, args)?;
                self.load_name_const(name, loc);
                self.type_params(params)?;
            }
            None => {
                self.load_name_const(name, loc);
                self.load_const(Constant::None, loc);
            }
        }
        self.load_const(Constant::Tuple([Constant::Int(1)].into()), loc);
        let block = self.lookup(node_key(s), BlockKey::Body)?;
        self.setup_annotations_scope(name, block, loc);
        self.expr(&s.value)?;
        self.op(Opcode::RETURN_VALUE, loc);
        let code = self.finish_unit(false)?;
        self.make_closure(code, func_attr::DEFAULTS, loc)?;
        self.op_i(Opcode::BUILD_TUPLE, 3, loc);
        self.op_i(Opcode::CALL_INTRINSIC_1, intrinsic::TYPEALIAS, loc);
        if s.type_params.is_some() {
            let code = self.finish_unit(false)?;
            self.make_closure(code, 0, loc)?;
            self.op(Opcode::PUSH_NULL, loc);
            self.op_i(Opcode::CALL, 0, loc);
        }
        self.name_op(name, Ctx::Store, loc)
    }

    /// Whether `super` may be called without looking it up as a method's receiver
    /// (`can_optimize_super_call`).
    pub(super) fn can_optimize_super_call(&mut self, attr: &ast::ExprAttribute) -> bool {
        let Expr::Call(call) = &*attr.value else {
            return false;
        };
        let arguments = &call.arguments;
        if !matches!(&*call.func, Expr::Name(n) if n.id == "super")
            || attr.attr.as_str() == "__class__"
            || !arguments.keywords.is_empty()
        {
            return false;
        }
        if self.block().scope(known::SUPER) != Scope::GlobalImplicit
            || self.table[crate::compiler::symtable::SymbolTable::TOP].scope(known::SUPER)
                != Scope::Unknown
        {
            return false;
        }
        match &arguments.args[..] {
            [a, b] => !a.is_starred_expr() && !b.is_starred_expr(),
            [] => {
                let args = self.unit().args;
                (args.args > 0 || args.posonly > 0)
                    && self.ref_type(known::DUNDER_CLASS) == Scope::Free
            }
            _ => false,
        }
    }

    /// `load_args_for_super`
    pub(super) fn load_args_for_super(&mut self, call: &'a ast::ExprCall) -> Result {
        let loc = self.loc(call);
        let func_loc = self.expr_location(&call.func);
        self.name_op(known::SUPER, Ctx::Load, func_loc)?;
        if let [a, b] = &call.arguments.args[..] {
            self.expr(a)?;
            return self.expr(b);
        }
        self.name_op(known::DUNDER_CLASS, Ctx::Load, loc)?;
        match self.unit().varnames.first() {
            Some(first) => self.name_op(first, Ctx::Load, loc),
            None => Ok(()),
        }
    }
}
