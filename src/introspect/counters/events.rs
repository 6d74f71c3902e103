//! Which events are counted, and how each processor calls the one that matters most here.

use std::fs;
use std::path::Path;

/// An event as the kernel wants it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    pub name: &'static str,
    kind: u32,
    config: u64,
}

const HARDWARE: u32 = 0;
const SOFTWARE: u32 = 1;
const RAW: u32 = 4;

pub const CYCLES: Event = hardware("cycles", 0);
pub const INSTRUCTIONS: Event = hardware("instructions", 1);
pub const BRANCHES: Event = hardware("branches", 4);
pub const BRANCH_MISSES: Event = hardware("branch misses", 5);

const fn hardware(name: &'static str, config: u64) -> Event {
    Event {
        name,
        kind: HARDWARE,
        config,
    }
}

const fn software(name: &'static str, config: u64) -> Event {
    Event {
        name,
        kind: SOFTWARE,
        config,
    }
}

/// Events of the kernel, which every machine has.
pub const SOFTWARE_GROUPS: &[&[Event]] = &[
    &[software("task clock, ns", 1), software("page faults", 2)],
    &[software("context switches", 3), software("migrations", 4)],
];

impl Event {
    pub fn attributes(&self) -> (u32, u64) {
        (self.kind, self.config)
    }
}

/// The groups that are counted one after the other: each fits the fewest counters that processors have.
pub fn hardware_groups() -> Vec<Vec<Event>> {
    let mut groups = vec![vec![CYCLES, INSTRUCTIONS], vec![BRANCHES, BRANCH_MISSES]];
    groups.extend(indirect_misses().map(|event| vec![event]));
    groups
}

/// Mispredicted indirect branches of this processor.
fn indirect_misses() -> Result<Event, String> {
    let cpuinfo = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let pmu = |name: &str| {
        let path = Path::new("/sys/bus/event_source/devices")
            .join(name)
            .join("type");
        fs::read_to_string(path).ok()?.trim().parse().ok()
    };
    indirect_misses_of(&cpuinfo, &pmu)
}

pub const INDIRECT_MISSES: &str = "indirect misses";

/// Intel processors of family 6 whose large cores have BR_MISP_RETIRED.INDIRECT: Ice Lake and later.
const INTEL_MODELS: &[u32] = &[
    0x6a, 0x6c, 0x7d, 0x7e, 0x8c, 0x8d, 0x8f, 0x97, 0x9a, 0xa7, 0xaa, 0xac, 0xad, 0xae, 0xb5, 0xb7,
    0xba, 0xbd, 0xbf, 0xc5, 0xc6, 0xcf,
];
/// Those that consist of small cores alone.
const INTEL_SMALL: &[u32] = &[0xbe, 0xaf, 0xb6];

/// On processors with both kinds of core, counts on the large ones: pin the process to one kind.
fn indirect_misses_of(cpuinfo: &str, pmu: &dyn Fn(&str) -> Option<u32>) -> Result<Event, String> {
    let field = |name: &str| {
        let is_field = |line: &&str| line.split(':').next().is_some_and(|key| key.trim() == name);
        let line = cpuinfo.lines().find(is_field)?;
        Some(line.split_once(':')?.1.trim())
    };
    let number = |name: &str| field(name).and_then(|text| text.parse::<u32>().ok());
    let event = |kind, config| {
        Ok(Event {
            name: INDIRECT_MISSES,
            kind,
            config,
        })
    };
    let (family, model) = (number("cpu family"), number("model"));
    match (field("vendor_id"), family, model) {
        // ex_ret_brn_ind_misp: Zen 1 to Zen 5.
        (Some("AuthenticAMD"), Some(0x17 | 0x19 | 0x1a), _) => event(RAW, 0xca),
        (Some("GenuineIntel"), Some(6), Some(model)) if INTEL_MODELS.contains(&model) => {
            event(pmu("cpu_core").unwrap_or(RAW), 0x80c5)
        }
        (Some("GenuineIntel"), Some(6), Some(model)) if INTEL_SMALL.contains(&model) => {
            event(pmu("cpu_atom").unwrap_or(RAW), 0xebc5)
        }
        // BR_INDNR_MIS_PRED_RETIRED: without returns. Armv9 cores have it, and some of Armv8.
        _ if field("CPU implementer").is_some() => event(RAW, 0x8117),
        _ => Err("no event for mispredicted indirect branches is known for this processor".into()),
    }
}

/// Why the event of this processor is not known, if it is not.
pub fn unknown_event() -> Option<String> {
    indirect_misses().err()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(cpuinfo: &str, hybrid: bool) -> Option<(u32, u64)> {
        let pmu = |name: &str| match name {
            "cpu_core" if hybrid => Some(4),
            "cpu_atom" if hybrid => Some(10),
            _ => None,
        };
        indirect_misses_of(cpuinfo, &pmu)
            .ok()
            .map(|event| event.attributes())
    }

    #[test]
    fn each_processor_has_its_event() {
        let intel = |model: u32| {
            format!("vendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: {model}\n")
        };
        assert_eq!(found(&intel(0x97), true), Some((4, 0x80c5)));
        assert_eq!(found(&intel(0x8f), false), Some((4, 0x80c5)));
        assert_eq!(found(&intel(0xbe), true), Some((10, 0xebc5)));
        assert_eq!(found(&intel(0x55), false), None);
        let amd = "vendor_id\t: AuthenticAMD\ncpu family\t: 25\nmodel\t\t: 1\n";
        assert_eq!(found(amd, false), Some((4, 0xca)));
        let arm = "processor\t: 0\nCPU implementer\t: 0x41\nCPU part\t: 0xd4f\n";
        assert_eq!(found(arm, false), Some((4, 0x8117)));
        assert_eq!(found("", false), None);
    }
}
