//! Operations on constants become constants: operators, tuples, lists and sets.

use super::consts::{const_value, loads_const, make_load_const};
use super::eval::{binary, unary};
use crate::bytecode::Opcode;
use crate::bytecode::spec::Constant;
use crate::compiler::cfg::{Block, CfgInstr};
use crate::compiler::error::CompileError;
use crate::compiler::instr::{Constants, NO_LOCATION};

/// Longest display whose items are all on the stack at once (`_PY_STACK_USE_GUIDELINE`).
const STACK_USE_GUIDELINE: usize = 30;
/// Shortest list or set that is built from a constant (`MIN_CONST_SEQUENCE_SIZE`).
const MIN_CONST_SEQUENCE_SIZE: usize = 3;

/// Where the instructions stand that push the operands of one operation.
struct Loads {
    places: [u32; STACK_USE_GUIDELINE],
    count: usize,
}

impl Loads {
    /// The `count` instructions before `end`, if all of them push constants, NOPs aside
    /// (`get_const_loading_instrs`).
    fn before(block: &Block, end: usize, count: usize) -> Option<Loads> {
        let mut places = [0; STACK_USE_GUIDELINE];
        let mut i = end;
        for place in places.get_mut(..count)?.iter_mut().rev() {
            loop {
                i = i.checked_sub(1)?;
                match block.instrs[i].op {
                    Opcode::NOP => {}
                    op if loads_const(op) => break,
                    _ => return None,
                }
            }
            *place = i as u32;
        }
        Some(Loads { places, count })
    }
    fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.places[..self.count].iter().map(|&i| i as usize)
    }
    fn values(&self, block: &Block, consts: &Constants) -> Result<Vec<Constant>, CompileError> {
        let value = |i: usize| const_value(block.instrs[i].op, block.instrs[i].oparg, consts);
        self.iter().map(value).collect()
    }
    fn nop_out(&self, block: &mut Block) {
        for i in self.iter() {
            nop_out(&mut block.instrs[i]);
        }
    }
}

/// `nop_out`
fn nop_out(instr: &mut CfgInstr) {
    instr.set_nop();
    instr.loc = NO_LOCATION;
}

/// `fold_tuple_of_constants`
pub fn fold_tuple(block: &mut Block, i: usize, consts: &mut Constants) -> Result<(), CompileError> {
    let size = block.instrs[i].oparg as usize;
    if size > STACK_USE_GUIDELINE {
        return Ok(());
    }
    if let Some(loads) = Loads::before(block, i, size) {
        let items = loads.values(block, consts)?;
        loads.nop_out(block);
        make_load_const(&mut block.instrs[i], Constant::Tuple(items.into()), consts);
    }
    Ok(())
}

/// A tuple that is built through a list: `BUILD_LIST 0`, pairs of load and `LIST_APPEND 1`, then the intrinsic at
/// `i` (`fold_constant_intrinsic_list_to_tuple`).
pub fn fold_list_to_tuple(
    block: &mut Block,
    i: usize,
    consts: &mut Constants,
) -> Result<(), CompileError> {
    let mut expect_append = true;
    for at in (0..i).rev() {
        let instr = block.instrs[at];
        match instr.op {
            Opcode::NOP => continue,
            Opcode::BUILD_LIST if instr.oparg == 0 && expect_append => {
                let parts = &mut block.instrs[at..i];
                let loads = parts.iter().filter(|x| loads_const(x.op));
                let items = loads.map(|x| const_value(x.op, x.oparg, consts));
                let items = items.collect::<Result<Vec<Constant>, CompileError>>()?;
                let used = parts.iter_mut().filter(|x| x.op != Opcode::NOP);
                used.for_each(nop_out);
                make_load_const(&mut block.instrs[i], Constant::Tuple(items.into()), consts);
                return Ok(());
            }
            Opcode::LIST_APPEND if instr.oparg == 1 && expect_append => {}
            op if loads_const(op) && !expect_append => {}
            _ => return Ok(()),
        }
        expect_append = !expect_append;
    }
    Ok(())
}

/// A list or set of constants becomes a constant where it is only searched or iterated, and elsewhere is built
/// from one (`optimize_lists_and_sets`).
pub fn fold_list_or_set(
    block: &mut Block,
    i: usize,
    consts: &mut Constants,
) -> Result<(), CompileError> {
    let instr = block.instrs[i];
    let is_list = instr.op == Opcode::BUILD_LIST;
    let size = instr.oparg as usize;
    let contains_or_iter = matches!(block.op_at(i + 1), Opcode::GET_ITER | Opcode::CONTAINS_OP);
    if size > STACK_USE_GUIDELINE || (size < MIN_CONST_SEQUENCE_SIZE && !contains_or_iter) {
        return Ok(());
    }
    let Some(loads) = Loads::before(block, i, size) else {
        if contains_or_iter && is_list {
            block.instrs[i].op = Opcode::BUILD_TUPLE;
        }
        return Ok(());
    };
    let items = loads.values(block, consts)?;
    let value = if is_list {
        Constant::Tuple(items.into())
    } else {
        frozen_set(items)
    };
    let index = consts.add(value);
    loads.nop_out(block);
    if contains_or_iter {
        block.instrs[i].set_op1(Opcode::LOAD_CONST, index);
        return Ok(());
    }
    let extend = if is_list {
        Opcode::LIST_EXTEND
    } else {
        Opcode::SET_UPDATE
    };
    block.instrs[i - 2].loc = instr.loc;
    block.instrs[i - 2].set_op1(instr.op, 0);
    block.instrs[i - 1].set_op1(Opcode::LOAD_CONST, index);
    block.instrs[i].set_op1(extend, 1);
    Ok(())
}

/// Items of a set display in order of first appearance, equal ones once: 1, 1.0 and True are equal here, unlike
/// as constants.
fn frozen_set(items: Vec<Constant>) -> Constant {
    let mut distinct: Vec<Constant> = Vec::with_capacity(items.len());
    for item in items {
        if !distinct.iter().any(|d| super::eval::equal(d, &item)) {
            distinct.push(item);
        }
    }
    Constant::FrozenSet(distinct.into())
}

/// `fold_const_binop`
pub fn fold_binary(
    block: &mut Block,
    i: usize,
    consts: &mut Constants,
) -> Result<(), CompileError> {
    if let Some(loads) = Loads::before(block, i, 2) {
        let operands = loads.values(block, consts)?;
        if let Some(value) = binary(&operands[0], block.instrs[i].oparg, &operands[1]) {
            loads.nop_out(block);
            make_load_const(&mut block.instrs[i], value, consts);
        }
    }
    Ok(())
}

/// `fold_const_unaryop`
pub fn fold_unary(block: &mut Block, i: usize, consts: &mut Constants) -> Result<(), CompileError> {
    if let Some(loads) = Loads::before(block, i, 1) {
        let operand = loads.values(block, consts)?;
        if let Some(value) = unary(block.instrs[i].op, &operand[0]) {
            loads.nop_out(block);
            make_load_const(&mut block.instrs[i], value, consts);
        }
    }
    Ok(())
}
