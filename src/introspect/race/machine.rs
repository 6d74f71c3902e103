//! What a figure depends on besides the program: processor, kernel, compiler, flags.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::fs;

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Machine {
    pub processor: String,
    pub cores: usize,
    pub kernel: String,
    pub rustc: String,
    pub llvm: String,
    pub flags: String,
    pub profile: String,
    pub target: String,
}

impl Machine {
    /// This machine, and the compiler that this binary came from.
    pub fn here() -> Machine {
        Machine {
            processor: fs::read_to_string("/proc/cpuinfo")
                .ok()
                .and_then(|text| processor(&text))
                .unwrap_or_else(unknown),
            cores: std::thread::available_parallelism().map_or(0, |n| n.get()),
            kernel: fs::read_to_string("/proc/sys/kernel/osrelease")
                .map_or_else(|_| unknown(), |s| s.trim().into()),
            rustc: noted(option_env!("RATTAIL_RUSTC")),
            llvm: noted(option_env!("RATTAIL_LLVM")),
            flags: noted(option_env!("RATTAIL_FLAGS")),
            profile: noted(option_env!("RATTAIL_PROFILE")),
            target: noted(option_env!("RATTAIL_TARGET")),
        }
    }
}

fn unknown() -> String {
    "unknown".into()
}

/// What the build script noted.
fn noted(value: Option<&str>) -> String {
    value.map_or_else(unknown, str::to_owned)
}

/// The processor's name from the text of `/proc/cpuinfo`; AArch64 kernels give numbers instead.
fn processor(cpuinfo: &str) -> Option<String> {
    let field = |name: &str| {
        let line = cpuinfo
            .lines()
            .find(|line| line.split(':').next().is_some_and(|key| key.trim() == name))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    };
    field("model name").or_else(|| {
        Some(format!(
            "implementer {} part {}",
            field("CPU implementer")?,
            field("CPU part")?
        ))
    })
}

impl fmt::Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "compiler   {}, LLVM {}", self.rustc, self.llvm)?;
        let flags = if self.flags.is_empty() {
            "none"
        } else {
            &self.flags
        };
        writeln!(
            f,
            "flags      {flags}; profile {}, target {}",
            self.profile, self.target
        )?;
        writeln!(
            f,
            "processor  {}, {} cores, kernel {}",
            self.processor, self.cores, self.kernel
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_processor_has_a_name_or_numbers() {
        let x86 = "processor\t: 0\nvendor_id\t: GenuineIntel\nmodel\t\t: 85\nmodel name\t: Xeon W-2255 @ 3.70GHz\n";
        assert_eq!(processor(x86).as_deref(), Some("Xeon W-2255 @ 3.70GHz"));
        let arm =
            "processor\t: 0\nCPU implementer\t: 0x41\nCPU architecture: 8\nCPU part\t: 0xd0c\n";
        assert_eq!(
            processor(arm).as_deref(),
            Some("implementer 0x41 part 0xd0c")
        );
        assert_eq!(processor(""), None);
    }

    #[test]
    fn this_machine_is_described() {
        let machine = Machine::here();
        assert!(!machine.processor.is_empty() && machine.cores > 0 && !machine.rustc.is_empty());
        assert_eq!(machine.to_string().lines().count(), 3);
    }
}
