//! Blocks that nothing leads to lose their instructions (`remove_unreachable`).

use crate::compiler::cfg::Cfg;

/// Counts every block's predecessors and empties the blocks that have none.
pub fn remove_unreachable(cfg: &mut Cfg) {
    let mut cursor = Some(cfg.entry());
    while let Some(b) = cursor {
        cfg[b].predecessors = 0;
        cursor = cfg[b].next;
    }
    let mut work = cfg.traversal();
    let entry = cfg.entry();
    cfg[entry].predecessors = 1;
    cfg.visit(entry, &mut work);
    while let Some(b) = work.pop() {
        if let (Some(next), true) = (cfg[b].next, cfg[b].has_fallthrough()) {
            cfg.visit(next, &mut work);
            cfg[next].predecessors += 1;
        }
        let instrs = std::mem::take(&mut cfg[b].instrs);
        // Only block pushes lead away from the middle of a block.
        let leads = match cfg.has_handlers {
            true => &instrs[..],
            false => instrs.last().map_or(&[][..], std::slice::from_ref),
        };
        for target in leads.iter().filter_map(|i| i.target) {
            cfg.visit(target, &mut work);
            cfg[target].predecessors += 1;
        }
        cfg[b].instrs = instrs;
    }
    cfg.recycle(work);
    let mut cursor = Some(entry);
    while let Some(b) = cursor {
        let block = &mut cfg[b];
        if block.predecessors == 0 {
            block.instrs.clear();
            block.except_handler = false;
        }
        cursor = block.next;
    }
}
