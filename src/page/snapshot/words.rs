//! The element and attribute names that the rules speak of, as small numbers.

/// Declares an enum of words; `Other` is every word not in the list.
macro_rules! words {
    ($(#[$note:meta])* $name:ident: $($variant:ident $text:literal),* $(,)?) => {
        $(#[$note])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
        pub(crate) enum $name {
            $($variant,)*
            #[default]
            Other,
        }

        impl $name {
            /// The words, in the order of the enum.
            const WORDS: &[(&str, Self)] = &[$(($text, Self::$variant),)*];

            /// Finds the word, whose letters must be in lower case.
            pub(crate) fn of(text: &str) -> Self {
                Self::WORDS.iter().find(|(word, _)| *word == text).map_or(Self::Other, |&(_, found)| found)
            }
        }
    };
}

words! {
    /// An element name of HTML; `Svg` and `Math` are the roots of foreign content.
    Tag: A "a", Abbr "abbr", Address "address", Area "area", Article "article", Aside "aside", Audio "audio", B "b",
    Blockquote "blockquote", Body "body", Br "br", Button "button", Canvas "canvas", Caption "caption", Cite "cite", Code "code",
    Col "col", Colgroup "colgroup", Datalist "datalist", Dd "dd", Del "del", Details "details", Dfn "dfn",
    Dialog "dialog", Dir "dir", Div "div", Dl "dl", Dt "dt", Em "em", Embed "embed", Fieldset "fieldset",
    Figcaption "figcaption", Figure "figure", Footer "footer", Form "form", Frame "frame", Frameset "frameset",
    H1 "h1", H2 "h2", H3 "h3", H4 "h4", H5 "h5", H6 "h6", Head "head", Header "header", Hgroup "hgroup",
    Hr "hr", Html "html", I "i", Iframe "iframe", Img "img", Input "input", Ins "ins", Kbd "kbd",
    Label "label", Legend "legend", Li "li", Link "link", Main "main", Map "map", Mark "mark", Math "math", Menu "menu",
    Meta "meta", Meter "meter", Nav "nav", Noscript "noscript", Object "object", Ol "ol", Optgroup "optgroup",
    Option "option", Output "output", P "p", Pre "pre", Progress "progress", Q "q", Rp "rp", Rt "rt",
    Ruby "ruby", S "s", Samp "samp", Script "script", Search "search", Section "section", Select "select", Selectedcontent "selectedcontent",
    Slot "slot", Small "small", Span "span", Strong "strong", Style "style", Sub "sub", Summary "summary",
    Sup "sup", Svg "svg", Table "table", Tbody "tbody", Td "td", Template "template", Textarea "textarea",
    Tfoot "tfoot", Th "th", Thead "thead", Time "time", Title "title", Tr "tr", Tt "tt", U "u", Ul "ul", Var "var",
    Video "video", Wbr "wbr",
}

words! {
    /// An attribute that the rules look at.
    Attribute: Abbr "abbr", Alt "alt", AriaAtomic "aria-atomic", AriaBraillelabel "aria-braillelabel", AriaBusy "aria-busy",
    AriaChecked "aria-checked", AriaControls "aria-controls", AriaCurrent "aria-current",
    AriaDescribedby "aria-describedby", AriaDescription "aria-description", AriaDetails "aria-details", AriaDisabled "aria-disabled",
    AriaDropeffect "aria-dropeffect", AriaErrormessage "aria-errormessage", AriaExpanded "aria-expanded",
    AriaFlowto "aria-flowto", AriaGrabbed "aria-grabbed", AriaHaspopup "aria-haspopup", AriaHidden "aria-hidden",
    AriaInvalid "aria-invalid", AriaKeyshortcuts "aria-keyshortcuts", AriaLabel "aria-label",
    AriaLabelledby "aria-labelledby", AriaLabeledby "aria-labeledby", AriaLevel "aria-level", AriaLive "aria-live",
    AriaModal "aria-modal", AriaMultiline "aria-multiline", AriaMultiselectable "aria-multiselectable", AriaOwns "aria-owns", AriaPlaceholder "aria-placeholder", AriaPressed "aria-pressed",
    AriaReadonly "aria-readonly", AriaRelevant "aria-relevant", AriaRequired "aria-required",
    AriaRoledescription "aria-roledescription", AriaSelected "aria-selected", AriaValuemax "aria-valuemax", AriaValuemin "aria-valuemin", AriaValuenow "aria-valuenow",
    AriaValuetext "aria-valuetext", Autocomplete "autocomplete", Checked "checked", Class "class",
    Contenteditable "contenteditable", Controls "controls", Data "data", Dir "dir", Disabled "disabled", For "for", Headers "headers",
    Hidden "hidden", Href "href", Id "id", Inert "inert", Inputmode "inputmode", Label "label", List "list",
    Max "max", Maxlength "maxlength", Min "min", Multiple "multiple", Name "name", Open "open", Placeholder "placeholder",
    Popover "popover", Popovertarget "popovertarget", Readonly "readonly", Required "required", Role "role",
    Rowspan "rowspan", Scope "scope", Size "size", Slot "slot", Src "src", Start "start", Summary "summary", Tabindex "tabindex", Title "title",
    Type "type", Usemap "usemap", Value "value", XlinkHref "xlink:href",
}

impl Tag {
    /// Returns the element name; `None` for `Other`.
    pub(crate) fn text(self) -> Option<&'static str> {
        Self::WORDS.get(self as usize).map(|&(word, _)| word)
    }

    /// Returns whether text inside is never shown.
    pub(crate) fn has_no_content(self) -> bool {
        matches!(
            self,
            Self::Script
                | Self::Style
                | Self::Head
                | Self::Noscript
                | Self::Template
                | Self::Link
                | Self::Meta
                | Self::Title
                | Self::Datalist
        )
    }

    /// Returns whether `disabled` means something on the element.
    pub(crate) fn can_be_disabled(self) -> bool {
        matches!(
            self,
            Self::Button | Self::Fieldset | Self::Input | Self::Optgroup | Self::Option | Self::Select | Self::Textarea
        )
    }

    /// Returns whether a `label` can name the element.
    pub(crate) fn can_be_labelled(self) -> bool {
        matches!(
            self,
            Self::Button | Self::Input | Self::Meter | Self::Output | Self::Progress | Self::Select | Self::Textarea
        )
    }
}
