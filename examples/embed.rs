//! A program that embeds a VM: it gives Python code functions of its own, runs it, and looks at what came out.
//!
//! `cargo run --example embed`

use rattail::compiler::{self, Mode};
use rattail::interp::{self, Dispatch};
use rattail::runtime::native::{Convention, Exception, Value};
use rattail::runtime::vm::{Machine, Options};
use std::cell::RefCell;
use std::rc::Rc;

const PROGRAM: &str = r#"
for name, price in [("tea", 3.5), ("cake", 12)]:
    order(name, price, urgent=name == "cake")
print("total", total())
print(each([1, 2, 3], lambda x: x * x))
try:
    order("nothing", -1)
except ValueError as error:
    print("refused:", error)
"#;

fn main() {
    let vm = Machine::new(Options {
        compile: Some(rattail::cli::compile),
        ..Options::default()
    })
    .expect("memory for a VM");
    interp::select(vm.thread(), Dispatch::COMPILED[0], false);

    // What a closure shares with the program around it is its own affair: here, a list of orders.
    let orders: Rc<RefCell<Vec<(String, f64, bool)>>> = Rc::default();
    let kept = orders.clone();
    vm.function("order", move |args| {
        args.expect(2, 2)?;
        args.expect_names(&["urgent"])?;
        let price: f64 = args.get(1)?;
        if price < 0.0 {
            return Err(Exception::value_error(args, "a price is not negative"));
        }
        let urgent = args.named("urgent")?.unwrap_or(false);
        kept.borrow_mut().push((args.get(0)?, price, urgent));
        args.ok(())
    })
    .expect("memory for a function");

    let kept = orders.clone();
    vm.function_as(Convention::NoArgs, "total", move |args| {
        args.ok(kept.borrow().iter().map(|order| order.1).sum::<f64>())
    })
    .expect("memory for a function");

    vm.function_as(Convention::Fast, "each", |args| {
        let (items, function): (Vec<Value>, Value) = (args.get(0)?, args.get(1)?);
        let results = items.into_iter().map(|item| function.call(&[item]));
        args.ok(results.collect::<Result<Vec<Value>, _>>()?)
    })
    .expect("memory for a function");

    let code = compiler::compile(
        PROGRAM.as_bytes(),
        "orders.py",
        Mode::Exec,
        Default::default(),
    )
    .unwrap_or_else(|error| panic!("{}", error.render()));
    vm.register_source("orders.py", PROGRAM.as_bytes());
    let outcome = vm.run_main(&code);
    if let Some(report) = outcome.report {
        eprint!("{report}");
    }
    println!("{:?}", orders.borrow());
    std::process::exit(outcome.status);
}
