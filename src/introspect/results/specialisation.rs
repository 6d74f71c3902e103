//! What criterion said of the bench `specialisation`: programs with it on and off, and sites that meet one type or more.

use super::criterion::Bench;
use super::data::Folder;
use crate::introspect::race::geometric_mean;
use crate::introspect::table::Table;

/// The form whose figures are shown.
const FORM: &str = "tail";
const MEETS: [&str; 3] = ["monomorphic", "two_types", "many_types"];

pub fn section(folder: &Folder) -> String {
    let benches = &folder.specialisation;
    if benches.is_empty() {
        return String::new();
    }
    let median = |id: String| {
        let bench = benches.iter().find(|bench| bench.id == id)?;
        Some(bench.estimates.median.point_estimate / 1e6)
    };
    let mut programs = Table::new(&["ms", "on", "off", "off / on"]);
    let mut ratios = Vec::new();
    for program in names(benches, "specialisation_") {
        let of = |switch| median(format!("specialisation_{program}/{switch}/{FORM}"));
        if let (Some(on), Some(off)) = (of("on"), of("off")) {
            ratios.push(off / on);
            programs.row([
                program.to_owned(),
                format!("{on:.2}"),
                format!("{off:.2}"),
                format!("{:.2}", off / on),
            ]);
        }
    }
    if let Some(mean) = geometric_mean(&ratios) {
        programs.row(["geometric mean", "", "", &format!("{mean:.2}")].map(str::to_owned));
    }
    let mut sites = Table::new(&["ms", "one type", "two", "many", "two / one", "many / one"]);
    for site in names(benches, "site_") {
        let [Some(one), Some(two), Some(many)] =
            MEETS.map(|meets| median(format!("site_{site}/{meets}/{FORM}")))
        else {
            continue;
        };
        let mut cells = vec![site.to_owned()];
        cells.extend([one, two, many, two / one, many / one].map(|value| format!("{value:.2}")));
        sites.row(cells);
    }
    format!(
        "\n### Specialisation\n\nMilliseconds of the {FORM} form, criterion's medians; `cargo bench --bench specialisation`. \
         Programs at sizes of their own, with specialisation on and off:\n\n{}\nSites that meet one type, two in turn, or \
         many:\n\n{}",
        programs.markdown(),
        sites.markdown()
    )
}

/// What follows the prefix in the benches' groups, in order.
fn names<'a>(benches: &'a [Bench], prefix: &str) -> Vec<&'a str> {
    let mut names: Vec<&str> = Vec::new();
    for bench in benches {
        let group = bench.id.split('/').next().unwrap_or_default();
        if let Some(name) = group.strip_prefix(prefix)
            && !names.contains(&name)
        {
            names.push(name);
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_off_is_compared_with_what_is_on() {
        let bench = |id: &str, ns: f64| {
            let text = format!(
                r#"{{"id": "{id}", "estimates": {{"median": {{"point_estimate": {ns},
                "confidence_interval": {{"lower_bound": {ns}, "upper_bound": {ns}}}}}}}}}"#
            );
            serde_json::from_str::<Bench>(&text).expect("JSON")
        };
        let folder = Folder {
            specialisation: vec![
                bench("specialisation_fib/on/tail", 2e6),
                bench("specialisation_fib/off/tail", 8e6),
                bench("site_call/monomorphic/tail", 1e6),
                bench("site_call/two_types/tail", 2e6),
                bench("site_call/many_types/tail", 3e6),
            ],
            ..Folder::default()
        };
        let text = section(&folder);
        for row in [
            "| fib | 2.00 | 8.00 | 4.00 |",
            "| call | 1.00 | 2.00 | 3.00 | 2.00 | 3.00 |",
        ] {
            assert!(text.contains(row), "{text}");
        }
        assert!(section(&Folder::default()).is_empty());
    }
}
