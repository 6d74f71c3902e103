//! An executable: its architecture, its functions by demangled name, and the bytes at an address.

use super::Error;
use object::{Object, ObjectSection, ObjectSymbol, SymbolKind};
use std::path::Path;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arch {
    X86_64,
    AArch64,
}

impl Arch {
    pub fn name(self) -> &'static str {
        match self {
            Arch::X86_64 => "x86_64",
            Arch::AArch64 => "aarch64",
        }
    }
}

/// A function symbol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    pub path: String,
    pub address: u64,
    pub size: u64,
}

impl Function {
    pub fn contains(&self, address: u64) -> bool {
        (self.address..self.address + self.size).contains(&address)
    }
}

struct Section {
    address: u64,
    data: Vec<u8>,
}

pub struct Binary {
    pub arch: Arch,
    /// Sorted by path, then by address.
    pub functions: Vec<Function>,
    sections: Vec<Section>,
}

impl Binary {
    pub fn open(path: &Path) -> Result<Binary, Error> {
        let data = std::fs::read(path).map_err(|error| Error::Read(path.to_owned(), error))?;
        Binary::parse(&data)
    }

    fn parse(data: &[u8]) -> Result<Binary, Error> {
        let malformed = |error: object::Error| Error::Malformed(error.to_string());
        let file = object::File::parse(data).map_err(malformed)?;
        let arch = match file.architecture() {
            object::Architecture::X86_64 => Arch::X86_64,
            object::Architecture::Aarch64 => Arch::AArch64,
            other => return Err(Error::Architecture(format!("{other:?}"))),
        };
        let mut sections = Vec::new();
        for section in file.sections() {
            // Sections without an address (debug information) are not loaded: nothing points into them.
            if section.address() != 0 {
                let data = section.data().map_err(malformed)?.to_vec();
                sections.push(Section {
                    address: section.address(),
                    data,
                });
            }
        }
        let mut functions = Vec::new();
        for symbol in file
            .symbols()
            .filter(|s| s.kind() == SymbolKind::Text && s.size() > 0)
        {
            if let Ok(name) = symbol.name() {
                functions.push(Function {
                    path: demangle(name),
                    address: symbol.address(),
                    size: symbol.size(),
                });
            }
        }
        if functions.is_empty() {
            return Err(Error::NoSymbols);
        }
        functions.sort_by(|a, b| (&a.path, a.address).cmp(&(&b.path, b.address)));
        Ok(Binary {
            arch,
            functions,
            sections,
        })
    }

    #[cfg(test)]
    pub fn from_parts(arch: Arch, functions: Vec<Function>, sections: &[(u64, &[u8])]) -> Binary {
        let section = |&(address, data): &(u64, &[u8])| Section {
            address,
            data: data.to_vec(),
        };
        Binary {
            arch,
            functions,
            sections: sections.iter().map(section).collect(),
        }
    }

    /// The bytes from `address` on, `size` of them; None where the file holds fewer.
    pub fn bytes(&self, address: u64, size: u64) -> Option<&[u8]> {
        self.sections.iter().find_map(|section| {
            let start = usize::try_from(address.checked_sub(section.address)?).ok()?;
            let end = start.checked_add(usize::try_from(size).ok()?)?;
            section.data.get(start..end)
        })
    }

    pub fn function_at(&self, address: u64) -> Option<&Function> {
        self.functions.iter().find(|f| f.address == address)
    }
}

/// The path of an item without the hash: both of rustc's mangling schemes, other names as they are.
fn demangle(name: &str) -> String {
    format!("{:#}", rustc_demangle::demangle(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_mangling_schemes_lose_their_hash() {
        assert_eq!(
            demangle("_ZN7rattail6interp4tail8handlers9LOAD_FAST17h0123456789abcdefE"),
            "rattail::interp::tail::handlers::LOAD_FAST"
        );
        assert_eq!(
            demangle("_RNvCs2phz2YttYF4_11three_forms9run_match"),
            "three_forms::run_match"
        );
        assert_eq!(demangle("memcpy"), "memcpy");
    }

    #[test]
    fn this_test_binary_has_functions_with_bytes() {
        let binary = Binary::open(&std::env::current_exe().expect("own path")).expect("readable");
        let main = binary
            .functions
            .iter()
            .find(|f| f.path == "main")
            .expect("main");
        let bytes = binary
            .bytes(main.address, main.size)
            .expect("bytes of main");
        assert_eq!(bytes.len() as u64, main.size);
        assert_eq!(binary.function_at(main.address), Some(main));
        assert!(main.contains(main.address) && !main.contains(main.address + main.size));
        assert_eq!(binary.bytes(main.address, u64::MAX), None);
        assert_eq!(binary.bytes(1, 1), None);
    }

    #[test]
    fn what_is_no_object_file_is_refused() {
        assert!(matches!(
            Binary::parse(b"not an object"),
            Err(Error::Malformed(_))
        ));
        assert!(matches!(
            Binary::open(Path::new("/nonexistent/x")),
            Err(Error::Read(..))
        ));
    }
}
