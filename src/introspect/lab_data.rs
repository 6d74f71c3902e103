//! What the lab measured: nanoseconds per dispatch along three axes.

use crate::introspect::race::{Estimate, Machine};
use crate::introspect::table::Table;
use serde::{Deserialize, Serialize};

/// What a sweep changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Sweep {
    Entropy,
    Opcodes,
    Body,
}

impl Sweep {
    pub const ALL: [Sweep; 3] = [Sweep::Entropy, Sweep::Opcodes, Sweep::Body];

    pub fn name(self) -> &'static str {
        match self {
            Sweep::Entropy => "entropy",
            Sweep::Opcodes => "opcodes",
            Sweep::Body => "body",
        }
    }

    pub fn axis(self) -> &'static str {
        match self {
            Sweep::Entropy => "bits per dispatch",
            Sweep::Opcodes => "opcodes",
            Sweep::Body => "instructions in a body",
        }
    }
}

/// The times of one form at one point.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Series {
    pub form: String,
    /// Nanoseconds per dispatch, one for each round.
    pub ns: Vec<f64>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Point {
    pub sweep: Sweep,
    pub opcodes: usize,
    pub body: usize,
    pub surprise: f64,
    pub entropy: f64,
    pub dispatches: u64,
    pub series: Vec<Series>,
}

impl Point {
    /// Where it lies on the sweep's axis.
    pub fn x(&self) -> f64 {
        match self.sweep {
            Sweep::Entropy => self.entropy,
            Sweep::Opcodes => self.opcodes as f64,
            Sweep::Body => self.body as f64,
        }
    }
}

/// Everything that the lab measured, and on what.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Lab {
    pub machine: Machine,
    pub compilers: Vec<String>,
    /// Peers that are not there, with the reason.
    pub missing: Vec<String>,
    pub length: usize,
    pub points: Vec<Point>,
}

impl Lab {
    pub fn from_json(text: &str) -> serde_json::Result<Lab> {
        serde_json::from_str(text)
    }

    pub fn points(&self, sweep: Sweep) -> impl Iterator<Item = &Point> {
        self.points.iter().filter(move |point| point.sweep == sweep)
    }

    /// Median nanoseconds per dispatch, a row a point and a column a form.
    pub fn table(&self, sweep: Sweep) -> Table {
        let forms: Vec<&str> = self.points(sweep).next().map_or_else(Vec::new, |point| {
            point.series.iter().map(|s| s.form.as_str()).collect()
        });
        let mut table = Table::new(&[&[sweep.axis()], forms.as_slice()].concat());
        for point in self.points(sweep) {
            let x = match sweep {
                Sweep::Entropy => format!("{:.2}", point.x()),
                _ => format!("{}", point.x()),
            };
            let median = |series: &Series| {
                Estimate::of(&series.ns).map_or_else(String::new, |e| format!("{:.2}", e.median))
            };
            table.row(
                [x].into_iter()
                    .chain(point.series.iter().map(median))
                    .collect::<Vec<_>>(),
            );
        }
        table
    }
}
