//! Annotations: evaluated on demand by `__annotate__` (PEP 649 and 749), or kept as text.

use super::names::Ctx;
use super::unit::{ScopeType, UnitArgs};
use super::{Compiler, Result, common_constant, func_attr};
use crate::bytecode::Opcode;
use crate::bytecode::spec::Constant;
use crate::compiler::instr::Location;
use crate::compiler::names::{NameId, known};
use crate::compiler::symtable::{BlockId, BlockKey, BlockType, node_key};
use crate::compiler::unparse;
use ruff_python_ast::{self as ast, CmpOp, Expr};

/// `_Py_ANNOTATE_FORMAT_VALUE_WITH_FAKE_GLOBALS`
const VALUE_WITH_FAKE_GLOBALS: i64 = 2;

impl<'a> Compiler<'a> {
    /// Enters a function of one argument, the format, that refuses formats it does not know
    /// (`codegen_setup_annotations_scope`).
    pub(super) fn setup_annotations_scope(&mut self, name: NameId, block: BlockId, loc: Location) {
        let args = UnitArgs {
            posonly: 1,
            ..UnitArgs::default()
        };
        self.enter_scope(name, ScopeType::Annotations, block, loc.lineno, None, args);
        self.op_i(Opcode::LOAD_FAST, 0, loc);
        self.load_int(VALUE_WITH_FAKE_GLOBALS, loc);
        self.compare(CmpOp::Gt, loc);
        let body = self.new_label();
        self.jump(Opcode::POP_JUMP_IF_FALSE, body, loc);
        let error = common_constant::NOT_IMPLEMENTED_ERROR;
        self.op_i(Opcode::LOAD_COMMON_CONSTANT, error, loc);
        self.op_i(Opcode::RAISE_VARARGS, 1, loc);
        self.use_label(body);
    }

    /// `codegen_leave_annotations_scope`
    fn leave_annotations_scope(&mut self, loc: Location) -> Result {
        self.op(Opcode::RETURN_VALUE, loc);
        let mut code = self.finish_unit(true)?;
        // The parameter has a name no annotation can mention; its signature shows the plain one.
        if let Some(first) = code.localsplusnames.first_mut() {
            *first = self.names.wtf8(known::FORMAT);
        }
        self.make_closure(code, 0, loc)
    }

    /// `codegen_process_deferred_annotations`
    pub(super) fn process_deferred_annotations(&mut self, loc: Location) -> Result {
        let deferred = std::mem::take(&mut self.unit_mut().deferred_annotations);
        if deferred.is_empty() {
            return Ok(());
        }
        let scope_type = self.unit().scope_type;
        let separate = scope_type == ScopeType::Module;
        if separate {
            self.start_annotation_setup();
        }
        let Some(block) = self.block().annotation_block else {
            return Err(super::CompileError::system("annotations without a block"));
        };
        let name = self.table[block].name;
        self.setup_annotations_scope(name, block, loc);
        self.op_i(Opcode::BUILD_MAP, 0, loc);
        for (s, index) in deferred {
            self.deferred_annotation(s, index, scope_type, loc)?;
        }
        self.leave_annotations_scope(loc)?;
        let name = match self.block().kind {
            BlockType::Class => known::DUNDER_ANNOTATE_FUNC,
            _ => known::DUNDER_ANNOTATE,
        };
        self.name_op(name, Ctx::Store, loc)?;
        if separate {
            self.end_annotation_setup();
        }
        Ok(())
    }

    fn deferred_annotation(
        &mut self,
        s: &'a ast::StmtAnnAssign,
        index: Option<i64>,
        scope_type: ScopeType,
        loc: Location,
    ) -> Result {
        let Expr::Name(target) = &*s.target else {
            return Ok(());
        };
        let name = self.names.of(target);
        let private = self.unit().private;
        let mangled = self.names.mangle(private, name);
        let stmt_loc = self.loc(s);
        let not_set = self.new_label();
        if let Some(index) = index {
            self.load_int(index, stmt_loc);
            let conditional = known::DUNDER_CONDITIONAL_ANNOTATIONS;
            if scope_type == ScopeType::Class {
                self.op_freevar(Opcode::LOAD_DEREF, conditional, stmt_loc);
            } else {
                self.op_name(Opcode::LOAD_GLOBAL, conditional, stmt_loc);
            }
            self.op_i(Opcode::CONTAINS_OP, 0, stmt_loc);
            self.jump(Opcode::POP_JUMP_IF_FALSE, not_set, stmt_loc);
        }
        self.expr(&s.annotation)?;
        self.op_i(Opcode::COPY, 2, stmt_loc);
        self.load_name_const(mangled, stmt_loc);
        self.op(Opcode::STORE_SUBSCR, loc);
        self.use_label(not_set);
        Ok(())
    }

    /// An annotation as a string constant (`codegen_visit_annexpr`).
    fn annotation_text(&mut self, annotation: &'a Expr) -> Result {
        let text = unparse::expr_text(self.source, annotation)?;
        let loc = self.expr_location(annotation);
        self.load_const(Constant::Str(text.into()), loc);
        Ok(())
    }

    fn argument_annotation(
        &mut self,
        name: NameId,
        annotation: Option<&'a Expr>,
        count: &mut i32,
        loc: Location,
    ) -> Result {
        let Some(annotation) = annotation else {
            return Ok(());
        };
        let mangled = self.maybe_mangle(name);
        self.load_name_const(mangled, loc);
        if self.future.annotations {
            self.annotation_text(annotation)?;
        } else if let Expr::Starred(starred) = annotation {
            // *args: *Ts
            self.expr(&starred.value)?;
            self.op_i(Opcode::UNPACK_SEQUENCE, 1, loc);
        } else {
            self.expr(annotation)?;
        }
        *count += 1;
        Ok(())
    }

    /// `codegen_function_annotations`
    pub(super) fn function_annotations(
        &mut self,
        s: &'a ast::StmtFunctionDef,
        loc: Location,
    ) -> Result<i32> {
        let p = &*s.parameters;
        let block = self.lookup(node_key(p), BlockKey::Annotations)?;
        if !self.table[block].annotations_used {
            return Ok(0);
        }
        let name = self.table[block].name;
        self.setup_annotations_scope(name, block, loc);
        let mut count = 0;
        let parameters = (p.args.iter().chain(&p.posonlyargs))
            .map(|a| &a.parameter)
            .chain(p.vararg.as_deref())
            .chain(p.kwonlyargs.iter().map(|a| &a.parameter))
            .chain(p.kwarg.as_deref());
        for parameter in parameters {
            let name = self.names.intern(&parameter.name);
            self.argument_annotation(name, parameter.annotation.as_deref(), &mut count, loc)?;
        }
        self.argument_annotation(known::RETURN, s.returns.as_deref(), &mut count, loc)?;
        self.op_i(Opcode::BUILD_MAP, count, loc);
        self.leave_annotations_scope(loc)?;
        Ok(func_attr::ANNOTATE)
    }

    /// `codegen_annassign`
    pub(super) fn ann_assign(&mut self, s: &'a ast::StmtAnnAssign) -> Result {
        let loc = self.loc(s);
        if let Some(value) = &s.value {
            self.expr(value)?;
            self.expr(&s.target)?;
        }
        match &*s.target {
            Expr::Name(target) => {
                let scope_type = self.unit().scope_type;
                if !s.simple || !matches!(scope_type, ScopeType::Module | ScopeType::Class) {
                    return Ok(());
                }
                let name = self.names.of(target);
                if self.future.annotations {
                    self.annotation_text(&s.annotation)?;
                    self.op_name(Opcode::LOAD_NAME, known::DUNDER_ANNOTATIONS, loc);
                    let mangled = self.maybe_mangle(name);
                    self.load_name_const(mangled, loc);
                    self.op(Opcode::STORE_SUBSCR, loc);
                } else {
                    self.defer_annotation(s, scope_type, loc);
                }
                Ok(())
            }
            Expr::Attribute(target) if s.value.is_none() => self.check_ann_expr(&target.value),
            Expr::Subscript(target) if s.value.is_none() => {
                self.check_ann_expr(&target.value)?;
                self.check_ann_subscript(&target.slice)
            }
            _ => Ok(()),
        }
    }

    /// `_PyCompile_AddDeferredAnnotation`, and the mark that a conditional one was reached.
    fn defer_annotation(
        &mut self,
        s: &'a ast::StmtAnnAssign,
        scope_type: ScopeType,
        loc: Location,
    ) {
        let unit = self.unit_mut();
        let conditional = scope_type == ScopeType::Module || unit.in_conditional_block > 0;
        let index = conditional.then_some(unit.next_conditional_annotation);
        unit.deferred_annotations.push((s, index));
        let Some(index) = index else { return };
        unit.next_conditional_annotation += 1;
        let name = known::DUNDER_CONDITIONAL_ANNOTATIONS;
        if scope_type == ScopeType::Class {
            self.op_cellvar(Opcode::LOAD_DEREF, name, loc);
        } else {
            self.op_name(Opcode::LOAD_NAME, name, loc);
        }
        self.load_int(index, loc);
        self.op_i(Opcode::SET_ADD, 1, loc);
        self.op(Opcode::POP_TOP, loc);
    }

    /// An annotated target's parts are evaluated even without a value (`codegen_check_ann_expr`).
    fn check_ann_expr(&mut self, e: &'a Expr) -> Result {
        self.expr(e)?;
        let loc = self.expr_location(e);
        self.op(Opcode::POP_TOP, loc);
        Ok(())
    }
    fn check_ann_subscript(&mut self, e: &'a Expr) -> Result {
        match e {
            Expr::Slice(slice) => {
                let parts = [&slice.lower, &slice.upper, &slice.step];
                parts
                    .into_iter()
                    .flatten()
                    .try_for_each(|part| self.check_ann_expr(part))
            }
            Expr::Tuple(tuple) => tuple
                .elts
                .iter()
                .try_for_each(|elt| self.check_ann_subscript(elt)),
            _ => self.check_ann_expr(e),
        }
    }
}
