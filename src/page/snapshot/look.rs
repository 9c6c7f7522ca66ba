//! How a box is painted, as far as it decides whether people can see a text: opacity, colours, clipping, position.

use super::layout::LOOKS;

/// Red, green and blue, and how opaque, each from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Colour {
    pub rgb: [f64; 3],
    pub alpha: f64,
}

/// What becomes of content that is larger than its box.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Overflow {
    #[default]
    Visible,
    Hidden,
    /// People can scroll to it.
    Scroll,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Position {
    #[default]
    Static,
    /// Stays in the flow, is a frame of reference for what is absolute inside.
    Relative,
    Absolute,
    /// Stays in view while the page scrolls.
    Fixed,
    Sticky,
}

/// The look of a box; boxes with the same styles share one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Look {
    /// With that of filters, without that of the boxes around.
    pub opacity: f64,
    /// `None` where the colour is written in a way that is not read here.
    pub colour: Option<Colour>,
    pub background: Option<Colour>,
    pub has_image: bool,
    /// In CSS pixels.
    pub font_size: f64,
    /// Whether a clip path leaves nothing.
    pub clipped_away: bool,
    pub overflow: Overflow,
    pub position: Position,
}

impl Default for Look {
    fn default() -> Self {
        Self {
            opacity: 1.0,
            colour: None,
            background: None,
            has_image: false,
            font_size: 16.0,
            clipped_away: false,
            overflow: Overflow::Visible,
            position: Position::Static,
        }
    }
}

impl Look {
    /// Reads computed values: the last ones of [`super::STYLES`].
    pub fn read(styles: [&str; LOOKS]) -> Self {
        let [opacity, filter, colour, background, image, font_size, clip_path, overflow_x, overflow_y, position] =
            styles;
        Self {
            opacity: opacity.parse().unwrap_or(1.0) * filter_opacity(filter),
            colour: Colour::read(colour),
            background: Colour::read(background),
            has_image: !matches!(image, "none" | ""),
            font_size: font_size.strip_suffix("px").and_then(|size| size.parse().ok()).unwrap_or(16.0),
            clipped_away: leaves_nothing(clip_path),
            overflow: overflow(overflow_x, overflow_y),
            position: match position {
                "relative" => Position::Relative,
                "absolute" => Position::Absolute,
                "fixed" => Position::Fixed,
                "sticky" => Position::Sticky,
                _ => Position::Static,
            },
        }
    }
}

impl Colour {
    pub const WHITE: Self = Self { rgb: [1.0; 3], alpha: 1.0 };

    /// Reads `rgb(…)` and `rgba(…)`, in which computed colours are written unless the page uses a wider colour space.
    pub fn read(text: &str) -> Option<Self> {
        let (kind, rest) = text.split_once('(')?;
        if !matches!(kind, "rgb" | "rgba") {
            return None;
        }
        let numbers: Vec<f64> =
            rest.trim_end_matches(')').split([',', ' ', '/']).filter_map(|number| number.parse().ok()).collect();
        let &[red, green, blue, ref alpha @ ..] = numbers.as_slice() else { return None };
        let part = |value: f64| (value / 255.0).clamp(0.0, 1.0);
        let alpha = alpha.first().copied().unwrap_or(1.0).clamp(0.0, 1.0);
        Some(Self { rgb: [part(red), part(green), part(blue)], alpha })
    }

    /// Returns this colour laid over another one.
    pub fn over(self, below: Self) -> Self {
        let mix = |over: f64, below: f64| over * self.alpha + below * (1.0 - self.alpha);
        let [red, green, blue] = self.rgb;
        let [under_red, under_green, under_blue] = below.rgb;
        Self { rgb: [mix(red, under_red), mix(green, under_green), mix(blue, under_blue)], alpha: 1.0 }
    }

    /// Returns the relative luminance, from 0 to 1 (WCAG 2.2).
    pub fn luminance(self) -> f64 {
        let linear = |part: f64| if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) };
        let [red, green, blue] = self.rgb.map(linear);
        0.2126 * red + 0.7152 * green + 0.0722 * blue
    }

    /// Returns the contrast ratio of two opaque colours, from 1 to 21 (WCAG 2.2).
    pub fn contrast(self, other: Self) -> f64 {
        let (one, other) = (self.luminance(), other.luminance());
        (one.max(other) + 0.05) / (one.min(other) + 0.05)
    }
}

/// Returns what `opacity(…)` in a list of filters leaves.
fn filter_opacity(filter: &str) -> f64 {
    let opacity = filter.split_once("opacity(").and_then(|(_, rest)| rest.split(')').next()?.parse().ok());
    opacity.unwrap_or(1.0)
}

/// Returns whether a clip path is an inset from both sides past the middle, or a shape of no size.
fn leaves_nothing(clip_path: &str) -> bool {
    let Some((shape, rest)) = clip_path.split_once('(') else { return false };
    let numbers: Vec<(f64, bool)> = rest
        .split([',', ' ', ')'])
        .filter_map(|word| Some((word.trim_end_matches(['%', 'p', 'x']).parse().ok()?, word.ends_with('%'))))
        .collect();
    match (shape, numbers.as_slice()) {
        ("inset", &[(all, true)]) => all >= 50.0,
        ("inset", &[(down, true), (across, true), ..]) => down >= 50.0 || across >= 50.0,
        ("circle" | "ellipse", &[(radius, _), ..]) => radius == 0.0,
        ("polygon", numbers) => numbers.iter().all(|(number, _)| *number == 0.0),
        _ => false,
    }
}

fn overflow(across: &str, down: &str) -> Overflow {
    let scrolls = |word: &str| matches!(word, "auto" | "scroll");
    let hides = |word: &str| matches!(word, "hidden" | "clip");
    match () {
        // One direction that scrolls makes `visible` in the other `auto`, so `hidden` beside it was asked for.
        () if scrolls(across) || scrolls(down) => Overflow::Scroll,
        () if hides(across) || hides(down) => Overflow::Hidden,
        () => Overflow::Visible,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_read_and_compared() {
        let colour = |text| Colour::read(text).unwrap();
        assert_eq!(colour("rgba(255, 0, 0, 0.5)"), Colour { rgb: [1.0, 0.0, 0.0], alpha: 0.5 });
        assert_eq!(Colour::read("oklch(0.7 0.1 200)"), None);
        assert!(colour("rgb(0, 0, 0)").contrast(Colour::WHITE) > 20.9);
        assert!(colour("rgba(0, 0, 0, 0.02)").over(Colour::WHITE).contrast(Colour::WHITE) < 1.2);
    }

    #[test]
    fn clip_paths_that_leave_nothing_are_known() {
        for path in
            ["inset(100%)", "inset(50%)", "inset(0% 50%)", "circle(0px at 50% 50%)", "polygon(0px 0px, 0px 0px)"]
        {
            assert!(leaves_nothing(path), "{path}");
        }
        for path in ["none", "inset(10%)", "circle(50%)", "polygon(0px 0px, 10px 0px, 0px 10px)", "url(\"#x\")"] {
            assert!(!leaves_nothing(path), "{path}");
        }
    }

    #[test]
    fn filters_and_scrollers_are_told() {
        assert!(filter_opacity("blur(2px) opacity(0.05)") < 0.1 && filter_opacity("none") > 0.9);
        assert_eq!(overflow("auto", "hidden"), Overflow::Scroll);
        assert_eq!(overflow("hidden", "hidden"), Overflow::Hidden);
    }
}
