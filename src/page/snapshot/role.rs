//! The roles: ARIA's, and for elements without one Chromium's own in lower case.

use super::words::Tag;

/// Declares the roles with their name on a line and the name in Chromium's tree.
macro_rules! roles {
    ($($variant:ident $text:literal $chromium:literal),* $(,)?) => {
        /// What an element is.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
        pub(crate) enum Role {
            $($variant,)*
            /// Nothing that the tree tells.
            #[default]
            None,
        }

        impl Role {
            /// Returns the name as it stands on a line.
            pub(crate) fn text(self) -> &'static str {
                match self {
                    $(Self::$variant => $text,)*
                    Self::None => "none",
                }
            }

            /// Returns what Chromium's accessibility tree calls it.
            pub(crate) fn chromium(self) -> &'static str {
                match self {
                    $(Self::$variant => $chromium,)*
                    Self::None => "none",
                }
            }

            /// Finds a role by the name on a line.
            pub(crate) fn of(text: &str) -> Option<Self> {
                match text {
                    $($text => Some(Self::$variant),)*
                    _ => None,
                }
            }

            /// Finds a role by the name in Chromium's tree.
            pub(crate) fn of_chromium(text: &str) -> Option<Self> {
                match text {
                    $($chromium => Some(Self::$variant),)*
                    _ => None,
                }
            }
        }
    };
}

roles! {
    Abbr "abbr" "Abbr", Alert "alert" "alert", Alertdialog "alertdialog" "alertdialog",
    Application "application" "application", Article "article" "article", Audio "audio" "Audio",
    Banner "banner" "banner", Blockquote "blockquote" "blockquote", Button "button" "button",
    Canvas "canvas" "Canvas", Caption "caption" "caption", Cell "cell" "cell", Checkbox "checkbox" "checkbox",
    Code "code" "code", Colorwell "colorwell" "ColorWell", Columnheader "columnheader" "columnheader",
    Combobox "combobox" "combobox", Comment "comment" "comment", Complementary "complementary" "complementary",
    Contentinfo "contentinfo" "contentinfo", Date "date" "Date", Datetime "datetime" "DateTime",
    Definition "definition" "definition", Deletion "deletion" "deletion",
    Descriptionlist "descriptionlist" "DescriptionList", Dialog "dialog" "dialog",
    Document "document" "document", Embed "embed" "EmbeddedObject", Emphasis "emphasis" "emphasis",
    Feed "feed" "feed", Figcaption "figcaption" "Figcaption", Figure "figure" "figure", Form "form" "form",
    Generic "generic" "generic", Grid "grid" "grid", Gridcell "gridcell" "gridcell", Group "group" "group",
    Heading "heading" "heading", Iframe "iframe" "Iframe", Image "image" "image",
    Insertion "insertion" "insertion", Label "label" "LabelText", Legend "legend" "Legend",
    Linebreak "linebreak" "LineBreak", Link "link" "link", List "list" "list", Listbox "listbox" "listbox",
    Listitem "listitem" "listitem", Log "log" "log", Main "main" "main", Mark "mark" "mark",
    Marquee "marquee" "marquee", Math "math" "MathMLMath", Menu "menu" "menu", Menubar "menubar" "menubar",
    Menuitem "menuitem" "menuitem", Menuitemcheckbox "menuitemcheckbox" "menuitemcheckbox",
    Menuitemradio "menuitemradio" "menuitemradio", Meter "meter" "meter", Navigation "navigation" "navigation",
    Note "note" "note", Object "object" "PluginObject", Option "option" "option",
    Paragraph "paragraph" "paragraph", Progressbar "progressbar" "progressbar", Radio "radio" "radio",
    Radiogroup "radiogroup" "radiogroup", Region "region" "region", Row "row" "row",
    Rowgroup "rowgroup" "rowgroup", Rowheader "rowheader" "rowheader", Ruby "ruby" "Ruby",
    Scrollbar "scrollbar" "scrollbar", Search "search" "search", Searchbox "searchbox" "searchbox",
    Sectionfooter "sectionfooter" "sectionfooter", Sectionheader "sectionheader" "sectionheader",
    Separator "separator" "separator", Slider "slider" "slider", Spinbutton "spinbutton" "spinbutton",
    Status "status" "status", Strong "strong" "strong", Subscript "subscript" "subscript",
    Suggestion "suggestion" "suggestion", Summary "summary" "DisclosureTriangle",
    Superscript "superscript" "superscript", Svg "svg" "SvgRoot", Switch "switch" "switch", Tab "tab" "tab",
    Table "table" "table", Tablist "tablist" "tablist", Tabpanel "tabpanel" "tabpanel", Term "term" "term",
    Textbox "textbox" "textbox", Time "time" "time", Timefield "timefield" "InputTime", Timer "timer" "timer",
    Toolbar "toolbar" "toolbar", Tooltip "tooltip" "tooltip", Tree "tree" "tree", Treegrid "treegrid" "treegrid",
    Treeitem "treeitem" "treeitem", Video "video" "Video",
}

impl Role {
    /// Reads one word of a `role` attribute, in lower case. Roles of our own are no ARIA roles.
    pub(crate) fn of_aria(word: &str) -> Option<Self> {
        match word {
            "img" => Some(Self::Image),
            "directory" => Some(Self::List),
            "presentation" | "none" => Some(Self::None),
            "math" => Some(Self::Math),
            _ => Self::of(word).filter(|role| role.chromium() == word),
        }
    }

    /// Reads a role as scripts write it: ARIA's name, ours or Chromium's.
    pub(crate) fn of_script(word: &str) -> Option<Self> {
        match word {
            "DisclosureTriangleGrouped" => Some(Self::Summary),
            "LayoutTable" => Some(Self::Table),
            "LayoutTableRow" => Some(Self::Row),
            "LayoutTableCell" => Some(Self::Cell),
            "img" => Some(Self::Image),
            _ => Self::of(word).or_else(|| Self::of_chromium(word)).or_else(|| Self::of(&word.to_ascii_lowercase())),
        }
    }

    /// Returns whether the name may come from the content.
    pub(crate) fn is_named_by_content(self) -> bool {
        matches!(
            self,
            Self::Button
                | Self::Link
                | Self::Heading
                | Self::Cell
                | Self::Gridcell
                | Self::Columnheader
                | Self::Rowheader
                | Self::Checkbox
                | Self::Radio
                | Self::Switch
                | Self::Tab
                | Self::Option
                | Self::Menuitem
                | Self::Menuitemcheckbox
                | Self::Menuitemradio
                | Self::Treeitem
                | Self::Tooltip
                | Self::Term
                | Self::Summary
        )
    }

    /// Returns whether a walk that gathers text takes only an own label and never the content.
    pub(crate) fn keeps_its_text(self) -> bool {
        matches!(
            self,
            Self::Article
                | Self::Complementary
                | Self::Dialog
                | Self::Alertdialog
                | Self::Figure
                | Self::Form
                | Self::Table
                | Self::Grid
                | Self::Log
                | Self::Main
                | Self::Menu
                | Self::Menubar
                | Self::Navigation
                | Self::Region
                | Self::Search
                | Self::Tablist
                | Self::Tabpanel
                | Self::Toolbar
                | Self::Tree
                | Self::Treegrid
                | Self::Radiogroup
                | Self::Application
                | Self::Document
        )
    }

    /// Returns whether `title` never names it.
    pub(crate) fn takes_no_title(self) -> bool {
        matches!(
            self,
            Self::Generic
                | Self::None
                | Self::Paragraph
                | Self::Code
                | Self::Emphasis
                | Self::Strong
                | Self::Subscript
                | Self::Superscript
                | Self::Insertion
                | Self::Deletion
                | Self::Caption
        )
    }

    /// Returns whether people operate it.
    pub(crate) fn is_control(self) -> bool {
        matches!(
            self,
            Self::Button
                | Self::Checkbox
                | Self::Colorwell
                | Self::Combobox
                | Self::Date
                | Self::Datetime
                | Self::Link
                | Self::Listbox
                | Self::Menuitem
                | Self::Menuitemcheckbox
                | Self::Menuitemradio
                | Self::Option
                | Self::Radio
                | Self::Searchbox
                | Self::Slider
                | Self::Spinbutton
                | Self::Summary
                | Self::Switch
                | Self::Tab
                | Self::Textbox
                | Self::Timefield
                | Self::Treeitem
        )
    }

    /// Returns whether an element of this role tells something even without a name.
    pub(crate) fn has_meaning(self) -> bool {
        !matches!(
            self,
            Self::None
                | Self::Generic
                | Self::Paragraph
                | Self::Code
                | Self::Emphasis
                | Self::Strong
                | Self::Subscript
                | Self::Superscript
                | Self::Insertion
                | Self::Deletion
                | Self::Mark
                | Self::Time
                | Self::Abbr
                | Self::Rowgroup
                | Self::Caption
                | Self::Figcaption
                | Self::Legend
                | Self::Label
                | Self::Linebreak
                | Self::Ruby
                | Self::Svg
                | Self::Suggestion
                | Self::Descriptionlist
                | Self::Sectionheader
                | Self::Sectionfooter
        )
    }

    /// Returns whether its text value is what was typed into it.
    pub(crate) fn is_text_field(self) -> bool {
        matches!(self, Self::Textbox | Self::Searchbox | Self::Combobox | Self::Spinbutton)
    }
}

/// Returns the role that an HTML element has by itself, where that needs no look around.
pub(crate) fn native(tag: Tag) -> Option<Role> {
    Some(match tag {
        Tag::Abbr => Role::Abbr,
        Tag::Address | Tag::Details | Tag::Fieldset | Tag::Hgroup | Tag::Optgroup => Role::Group,
        Tag::Article => Role::Article,
        Tag::Audio => Role::Audio,
        Tag::Blockquote => Role::Blockquote,
        Tag::Br => Role::Linebreak,
        Tag::Button => Role::Button,
        Tag::Canvas => Role::Canvas,
        Tag::Caption => Role::Caption,
        Tag::Code => Role::Code,
        Tag::Datalist => Role::Listbox,
        Tag::Dd => Role::Definition,
        Tag::Del | Tag::S => Role::Deletion,
        Tag::Dfn | Tag::Dt => Role::Term,
        Tag::Dialog => Role::Dialog,
        Tag::Dl => Role::Descriptionlist,
        Tag::Em => Role::Emphasis,
        Tag::Embed => Role::Embed,
        Tag::Figcaption => Role::Figcaption,
        Tag::Figure => Role::Figure,
        Tag::Form => Role::Form,
        Tag::H1 | Tag::H2 | Tag::H3 | Tag::H4 | Tag::H5 | Tag::H6 => Role::Heading,
        Tag::Hr => Role::Separator,
        Tag::Iframe | Tag::Frame => Role::Iframe,
        Tag::Ins => Role::Insertion,
        Tag::Label => Role::Label,
        Tag::Legend => Role::Legend,
        Tag::Main => Role::Main,
        Tag::Mark => Role::Mark,
        Tag::Math => Role::Math,
        Tag::Menu | Tag::Ol | Tag::Ul | Tag::Dir => Role::List,
        Tag::Meter => Role::Meter,
        Tag::Nav => Role::Navigation,
        Tag::Object => Role::Object,
        Tag::Option => Role::Option,
        Tag::Output => Role::Status,
        Tag::P => Role::Paragraph,
        Tag::Progress => Role::Progressbar,
        Tag::Ruby => Role::Ruby,
        Tag::Search => Role::Search,
        Tag::Strong => Role::Strong,
        Tag::Sub => Role::Subscript,
        Tag::Sup => Role::Superscript,
        Tag::Table => Role::Table,
        Tag::Textarea => Role::Textbox,
        Tag::Time => Role::Time,
        Tag::Video => Role::Video,
        _ => return None,
    })
}
