//! Plots of lines as SVG.

use plotters::prelude::*;

/// One line of a plot.
pub struct Line {
    pub name: String,
    pub points: Vec<(f64, f64)>,
}

/// What stands at the axes.
pub struct Axes<'a> {
    pub title: &'a str,
    pub x: &'a str,
    pub y: &'a str,
    /// Each step along the horizontal axis doubles.
    pub doubling: bool,
}

const COLOURS: [RGBColor; 12] = [
    RGBColor(0xd6, 0x27, 0x28),
    RGBColor(0x1f, 0x77, 0xb4),
    RGBColor(0x2c, 0xa0, 0x2c),
    RGBColor(0xff, 0x7f, 0x0e),
    RGBColor(0x94, 0x67, 0xbd),
    RGBColor(0x8c, 0x56, 0x4b),
    RGBColor(0xe3, 0x77, 0xc2),
    RGBColor(0x7f, 0x7f, 0x7f),
    RGBColor(0xbc, 0xbd, 0x22),
    RGBColor(0x17, 0xbe, 0xcf),
    RGBColor(0x39, 0x3b, 0x79),
    RGBColor(0x63, 0x79, 0x39),
];

/// The plot as the text of an SVG file; equal data give equal text.
pub fn lines(axes: &Axes<'_>, lines: &[Line]) -> Result<String, String> {
    let mut text = String::new();
    draw(&mut text, axes, lines).map_err(|error| format!("{}: {error}", axes.title))?;
    Ok(text)
}

fn draw(
    text: &mut String,
    axes: &Axes<'_>,
    lines: &[Line],
) -> Result<(), Box<dyn std::error::Error>> {
    let points = || lines.iter().flat_map(|line| line.points.iter().copied());
    let largest = |of: fn((f64, f64)) -> f64| points().map(of).fold(0.0, f64::max);
    let smallest = points().map(|(x, _)| x).fold(f64::INFINITY, f64::min);
    let (right, top) = (largest(|p| p.0), largest(|p| p.1) * 1.05);
    if !(right > 0.0 && top > 0.0) {
        return Err("nothing to draw".into());
    }
    let root = SVGBackend::with_string(text, (860, 480)).into_drawing_area();
    root.fill(&WHITE)?;
    let mut builder = ChartBuilder::on(&root);
    builder
        .caption(axes.title, ("sans-serif", 18))
        .margin(12)
        .x_label_area_size(40)
        .y_label_area_size(52);
    let position = |x: f64| if axes.doubling { x.log2() } else { x };
    let left = if axes.doubling {
        position(smallest) - 0.1
    } else {
        0.0
    };
    let mut chart = builder.build_cartesian_2d(left..position(right) + 0.1, 0.0..top)?;
    let label = |x: &f64| {
        let x = if axes.doubling { x.exp2() } else { *x };
        format!("{}", (x * 100.0).round() / 100.0)
    };
    chart
        .configure_mesh()
        .x_desc(axes.x)
        .y_desc(axes.y)
        .x_label_formatter(&label)
        .light_line_style(RGBColor(0xf0, 0xf0, 0xf0))
        .draw()?;
    for (n, line) in lines.iter().enumerate() {
        let colour = COLOURS[n % COLOURS.len()];
        let at: Vec<(f64, f64)> = line.points.iter().map(|&(x, y)| (position(x), y)).collect();
        chart
            .draw_series(LineSeries::new(at.iter().copied(), colour.stroke_width(2)).point_size(3))?
            .label(&line.name)
            .legend(move |(x, y)| {
                PathElement::new(vec![(x, y), (x + 18, y)], colour.stroke_width(2))
            });
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperLeft)
        .background_style(WHITE.mix(0.8))
        .border_style(RGBColor(0xcc, 0xcc, 0xcc))
        .draw()?;
    root.present()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_data_give_equal_text() {
        let axes = |doubling| Axes {
            title: "ns per dispatch",
            x: "opcodes",
            y: "ns",
            doubling,
        };
        let data = || {
            [Line {
                name: "tail".into(),
                points: vec![(4.0, 1.0), (16.0, 1.5), (200.0, 2.5)],
            }]
        };
        for doubling in [false, true] {
            let text = lines(&axes(doubling), &data()).expect("a plot");
            assert!(text.starts_with("<svg") && text.contains("tail"), "{text}");
            assert_eq!(
                lines(&axes(doubling), &data()).as_deref(),
                Ok(text.as_str())
            );
        }
        assert!(lines(&axes(false), &[]).is_err());
    }
}
