//! The two side tables of a code object: source locations (`co_linetable`) and exception handlers
//! (`co_exceptiontable`), packed and unpacked as CPython's `assemble.c` and `codeobject.c` do. Offsets and
//! lengths are in code units.

use std::fmt;

/// A source range; columns are byte offsets into the line's UTF-8 (`_Py_SourceLocation`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Location {
    pub lineno: i32,
    pub end_lineno: i32,
    pub col_offset: i32,
    pub end_col_offset: i32,
}

impl Location {
    /// The instruction belongs to no line; a pass may give it one.
    pub const NO_LOCATION: Location = Location::all(-1);
    /// The instruction takes the location of the one after it.
    pub const NEXT_LOCATION: Location = Location::all(-2);

    const fn all(value: i32) -> Location {
        Location {
            lineno: value,
            end_lineno: value,
            col_offset: value,
            end_col_offset: value,
        }
    }
}

/// A table that ends in the middle of an entry, or does not start with one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MalformedTable {
    /// Byte of the table where reading stopped.
    pub at: usize,
}

impl fmt::Display for MalformedTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "malformed table at byte {}", self.at)
    }
}

impl std::error::Error for MalformedTable {}

/// Instructions `start..end` are handled at `target`, after the stack is cut to `depth`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ExceptionEntry {
    pub start: u32,
    pub end: u32,
    pub target: u32,
    pub depth: u32,
    /// The offset of the failing instruction is pushed before the exception.
    pub lasti: bool,
}

/// Set on the first byte of an entry of the exception table.
const ENTRY_START: u8 = 0x80;
const CONTINUATION: u8 = 0x40;

/// Big-endian groups of six bits (`assemble_emit_exception_table_item`).
fn write_exception_item(out: &mut Vec<u8>, value: u32, entry_start: bool) {
    let mut mark = if entry_start { ENTRY_START } else { 0 };
    for shift in [24, 18, 12, 6] {
        if value >> shift != 0 {
            out.push((value >> shift) as u8 & 0x3f | CONTINUATION | mark);
            mark = 0;
        }
    }
    out.push(value as u8 & 0x3f | mark);
}

/// `assemble_emit_exception_table_entry`
pub fn write_exception_entry(out: &mut Vec<u8>, entry: &ExceptionEntry) {
    write_exception_item(out, entry.start, true);
    write_exception_item(out, entry.end - entry.start, false);
    write_exception_item(out, entry.target, false);
    write_exception_item(out, entry.depth << 1 | u32::from(entry.lasti), false);
}

/// All entries, in the order of the table (`dis._parse_exception_table`).
pub fn read_exception_table(table: &[u8]) -> Result<Vec<ExceptionEntry>, MalformedTable> {
    let (mut at, mut entries) = (0, Vec::new());
    while at < table.len() {
        entries.push(read_exception_entry(table, &mut at)?);
    }
    Ok(entries)
}

/// The entry at a byte of the table, which moves behind it.
fn read_exception_entry(table: &[u8], at: &mut usize) -> Result<ExceptionEntry, MalformedTable> {
    if table[*at] & ENTRY_START == 0 {
        return Err(MalformedTable { at: *at });
    }
    let start = read_exception_item(table, at)?;
    let length = read_exception_item(table, at)?;
    let target = read_exception_item(table, at)?;
    let depth_lasti = read_exception_item(table, at)?;
    Ok(ExceptionEntry {
        start,
        end: start
            .checked_add(length)
            .ok_or(MalformedTable { at: *at })?,
        target,
        depth: depth_lasti >> 1,
        lasti: depth_lasti & 1 != 0,
    })
}

#[inline]
fn read_exception_item(table: &[u8], at: &mut usize) -> Result<u32, MalformedTable> {
    let mut value: u32 = 0;
    loop {
        let byte = *table.get(*at).ok_or(MalformedTable { at: *at })?;
        *at += 1;
        if value >> 26 != 0 {
            return Err(MalformedTable { at: *at });
        }
        value = value << 6 | u32::from(byte & 0x3f);
        if byte & CONTINUATION == 0 {
            return Ok(value);
        }
    }
}

// `_PyCodeLocationInfoKind`; codes below are short forms, the code holding the high bits of the column.
const ONE_LINE0: u8 = 10;
const ONE_LINE2: u8 = 12;
const NO_COLUMNS: u8 = 13;
const LONG: u8 = 14;
const NONE: u8 = 15;

/// Most code units that one entry of the location table covers.
const MAX_ENTRY_UNITS: usize = 8;

/// Packs a location table from the start of the code to its end (`assemble_location_info`).
#[derive(Debug)]
pub struct LocationWriter {
    out: Vec<u8>,
    /// Line the next entry is relative to.
    line: i32,
}

impl LocationWriter {
    /// Writes into the memory of `out`, whose content goes.
    pub fn new(firstlineno: i32, mut out: Vec<u8>) -> LocationWriter {
        out.clear();
        LocationWriter {
            out,
            line: firstlineno,
        }
    }
    pub fn finish(self) -> Vec<u8> {
        self.out
    }
    /// The next `units` code units are at `loc`.
    pub fn write(&mut self, loc: &Location, units: usize) {
        let mut units = units;
        while units > MAX_ENTRY_UNITS {
            self.entry(loc, MAX_ENTRY_UNITS);
            units -= MAX_ENTRY_UNITS;
        }
        if units > 0 {
            self.entry(loc, units);
        }
    }
    /// `write_location_info_entry`
    fn entry(&mut self, loc: &Location, units: usize) {
        if loc.lineno == Location::NO_LOCATION.lineno {
            self.first_byte(NONE, units);
            return;
        }
        let delta = loc.lineno - self.line;
        let (column, end_column) = (loc.col_offset, loc.end_col_offset);
        let one_line = loc.end_lineno == loc.lineno;
        if column < 0 || end_column < 0 {
            if one_line || loc.end_lineno < 0 {
                self.first_byte(NO_COLUMNS, units);
                self.signed_varint(delta);
                self.line = loc.lineno;
                return;
            }
        } else if one_line {
            let width = end_column - column;
            if delta == 0 && column < 80 && (0..16).contains(&width) {
                self.first_byte((column >> 3) as u8, units);
                self.out.push((column as u8 & 7) << 4 | width as u8);
                return;
            }
            if (0..3).contains(&delta) && column < 128 && end_column < 128 {
                self.first_byte(ONE_LINE0 + delta as u8, units);
                self.out.push(column as u8);
                self.out.push(end_column as u8);
                self.line = loc.lineno;
                return;
            }
        }
        self.first_byte(LONG, units);
        self.signed_varint(delta);
        self.varint((loc.end_lineno - loc.lineno) as u32);
        self.varint((column + 1) as u32);
        self.varint((end_column + 1) as u32);
        self.line = loc.lineno;
    }
    fn first_byte(&mut self, code: u8, units: usize) {
        self.out.push(0x80 | code << 3 | (units - 1) as u8);
    }
    /// Little-endian groups of six bits (`write_varint`).
    fn varint(&mut self, value: u32) {
        let mut value = value;
        while value >= 64 {
            self.out.push(value as u8 & 0x3f | CONTINUATION);
            value >>= 6;
        }
        self.out.push(value as u8);
    }
    fn signed_varint(&mut self, value: i32) {
        let sign = u32::from(value < 0);
        self.varint(value.unsigned_abs() << 1 | sign);
    }
}

/// Code units `start..end` are at `loc`; `lineno` is -1 where there is none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PositionRange {
    pub start: u32,
    pub end: u32,
    pub loc: Location,
}

/// The entries of a location table (`co_positions`, one item per entry instead of per unit).
pub fn read_locations(
    table: &[u8],
    firstlineno: i32,
) -> Result<Vec<PositionRange>, MalformedTable> {
    let mut reader = Reader { table, at: 0 };
    let mut ranges = Vec::new();
    let mut line = firstlineno;
    let mut start = 0;
    while reader.at < table.len() {
        let malformed = MalformedTable { at: reader.at };
        let first = reader.byte()?;
        if first & 0x80 == 0 {
            return Err(malformed);
        }
        let end = start + u32::from(first & 7) + 1;
        let code = first >> 3 & 15;
        let mut loc = Location::NO_LOCATION;
        if code != NONE {
            let delta = match code {
                NO_COLUMNS | LONG => reader.signed_varint()?,
                ONE_LINE0..=ONE_LINE2 => i32::from(code - ONE_LINE0),
                _ => 0,
            };
            line = line.checked_add(delta).ok_or(malformed)?;
            loc.lineno = line;
            loc.end_lineno = line;
        }
        match code {
            NONE | NO_COLUMNS => {}
            LONG => {
                let lines = reader.varint()?;
                loc.end_lineno = line.checked_add_unsigned(lines).ok_or(malformed)?;
                loc.col_offset = reader.varint()? as i32 - 1;
                loc.end_col_offset = reader.varint()? as i32 - 1;
            }
            ONE_LINE0..=ONE_LINE2 => {
                loc.col_offset = i32::from(reader.byte()?);
                loc.end_col_offset = i32::from(reader.byte()?);
            }
            _ => {
                let second = reader.byte()?;
                loc.col_offset = i32::from(code << 3 | second >> 4);
                loc.end_col_offset = loc.col_offset + i32::from(second & 15);
            }
        }
        ranges.push(PositionRange { start, end, loc });
        start = end;
    }
    Ok(ranges)
}

struct Reader<'a> {
    table: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn byte(&mut self) -> Result<u8, MalformedTable> {
        let byte = *self
            .table
            .get(self.at)
            .ok_or(MalformedTable { at: self.at })?;
        self.at += 1;
        Ok(byte)
    }
    fn varint(&mut self) -> Result<u32, MalformedTable> {
        let mut value = 0;
        let mut shift = 0;
        loop {
            let byte = self.byte()?;
            if shift > 30 {
                return Err(MalformedTable { at: self.at });
            }
            value |= u32::from(byte & 0x3f) << shift;
            if byte & CONTINUATION == 0 {
                return Ok(value);
            }
            shift += 6;
        }
    }
    fn signed_varint(&mut self) -> Result<i32, MalformedTable> {
        let value = self.varint()?;
        let magnitude = (value >> 1) as i32;
        Ok(if value & 1 != 0 {
            -magnitude
        } else {
            magnitude
        })
    }
}

/// A run of code units on one line, or on none (`co_lines`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LineRange {
    pub start: u32,
    pub end: u32,
    pub line: Option<i32>,
}

/// `co_lines`: neighbours on the same line are one range.
pub fn read_lines(table: &[u8], firstlineno: i32) -> Result<Vec<LineRange>, MalformedTable> {
    let mut lines: Vec<LineRange> = Vec::new();
    for range in read_locations(table, firstlineno)? {
        let line = (range.loc.lineno >= 0).then_some(range.loc.lineno);
        match lines.last_mut() {
            Some(last) if last.line == line => last.end = range.end,
            _ => lines.push(LineRange {
                start: range.start,
                end: range.end,
                line,
            }),
        }
    }
    Ok(lines)
}

/// So many bytes of a table are read from their start (`MAX_LINEAR_SEARCH`).
const MAX_LINEAR_SEARCH: usize = 40;

/// The handler of the instruction at `unit`: the entry whose range holds it (`get_exception_handler`). Ranges are
/// ordered and do not overlap. None also for a malformed table, which no verified code has.
pub fn find_handler(table: &[u8], unit: u32) -> Option<ExceptionEntry> {
    // The entry is not before `low` and begins before `high`; both are where entries begin, or the end.
    let (mut low, mut high) = (0, table.len());
    while high - low > MAX_LINEAR_SEARCH {
        let middle = low + (high - low) / 2;
        let Some(middle) = (low + 1..=middle).rfind(|&at| table[at] & ENTRY_START != 0) else {
            break;
        };
        if read_exception_item(table, &mut { middle }).ok()? > unit {
            high = middle;
        } else {
            low = middle;
        }
    }
    while low < high {
        let entry = read_exception_entry(table, &mut low).ok()?;
        if entry.start > unit {
            return None;
        }
        if unit < entry.end {
            return Some(entry);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exception_entries_survive() {
        let entries = [
            ExceptionEntry {
                start: 0,
                end: 1,
                target: 63,
                depth: 0,
                lasti: false,
            },
            ExceptionEntry {
                start: 64,
                end: 5000,
                target: 1 << 20,
                depth: 7,
                lasti: true,
            },
            ExceptionEntry {
                start: (1 << 26) + 5,
                end: (1 << 26) + 6,
                target: (1 << 29) + 3,
                depth: 0,
                lasti: true,
            },
        ];
        let mut table = Vec::new();
        for entry in &entries {
            write_exception_entry(&mut table, entry);
        }
        assert_eq!(read_exception_table(&table).unwrap(), entries);
        assert_eq!(table[..4], [0x80, 1, 63, 0]);
        assert!(read_exception_table(&table[..table.len() - 1]).is_err());
        assert!(read_exception_table(&[1, 2, 3, 4]).is_err());
    }

    #[test]
    fn handlers_are_found_in_long_tables() {
        let entry = |nth: u32| ExceptionEntry {
            start: 5 * nth * nth,
            end: 5 * nth * nth + 3,
            target: 70 * nth,
            depth: nth % 3,
            lasti: nth.is_multiple_of(2),
        };
        for count in [0, 1, 9, 10, 11, 300] {
            let mut table = Vec::new();
            let entries: Vec<ExceptionEntry> = (0..count).map(entry).collect();
            for entry in &entries {
                write_exception_entry(&mut table, entry);
            }
            for unit in 0..5 * count * count + 10 {
                let mut entries = entries.iter().copied();
                let expected = entries.find(|entry| (entry.start..entry.end).contains(&unit));
                assert_eq!(
                    find_handler(&table, unit),
                    expected,
                    "{count} entries, {unit}"
                );
            }
        }
    }

    #[test]
    fn locations_survive_in_every_form() {
        let at = |lineno, end_lineno, col_offset, end_col_offset| Location {
            lineno,
            end_lineno,
            col_offset,
            end_col_offset,
        };
        let locations = [
            (at(10, 10, 4, 9), 1),
            (at(10, 10, 79, 94), 3),
            (at(11, 11, 4, 127), 8),
            (at(9, 9, 4, 9), 2),
            (at(12, 20, 0, 1), 1),
            (Location::NO_LOCATION, 2),
            (at(300, 300, -1, -1), 21),
            (at(300, 300, 200, 70000), 1),
        ];
        let mut writer = LocationWriter::new(10, Vec::new());
        for (loc, units) in &locations {
            writer.write(loc, *units);
        }
        let table = writer.finish();
        let mut read: Vec<(Location, usize)> = Vec::new();
        for range in read_locations(&table, 10).unwrap() {
            let units = (range.end - range.start) as usize;
            match read.last_mut() {
                Some(last) if last.0 == range.loc => last.1 += units,
                _ => read.push((range.loc, units)),
            }
        }
        assert_eq!(read, locations);
        assert!(read_locations(&table[..table.len() - 1], 10).is_err());
        let lines = read_lines(&table, 10).unwrap();
        let lines: Vec<_> = lines.iter().map(|l| (l.start, l.line)).collect();
        let expected = [
            (0, Some(10)),
            (4, Some(11)),
            (12, Some(9)),
            (14, Some(12)),
            (15, None),
            (17, Some(300)),
        ];
        assert_eq!(lines, expected);
    }
}
