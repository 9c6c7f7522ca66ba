//! Radio buttons that exclude each other: one field, named by the box around them or by what they share.

use super::{Beside, Field, Fields, Kind, Level, Needle, Side, bare, bare_name};

/// What radio buttons exclude each other in.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Choice {
    Native {
        frame: u32,
        form: Option<u32>,
        name: String,
    },
    /// The node of the `radiogroup`.
    Aria(u32),
}

impl Fields<'_> {
    /// Puts radio buttons together: by the named box around them, else by the attribute that they share.
    pub(super) fn groups(&self, radios: impl Iterator<Item = u32>, beside: &Beside<'_>) -> Vec<Field> {
        let mut boxes: Vec<(u32, Vec<u32>)> = Vec::new();
        let mut sets: Vec<(Option<Choice>, Vec<u32>)> = Vec::new();
        for radio in radios {
            if let Some(around) = self.box_around(radio) {
                match boxes.iter_mut().find(|(at, _)| *at == around) {
                    Some((_, inside)) => inside.push(radio),
                    None => boxes.push((around, vec![radio])),
                }
            }
            if let Some(choice @ Choice::Native { .. }) = self.choice(radio) {
                match sets.iter_mut().find(|(of, _)| of.as_ref() == Some(&choice)) {
                    Some((_, inside)) => inside.push(radio),
                    None => sets.push((Some(choice), vec![radio])),
                }
            }
        }
        let name_of = |radios: &[u32]| {
            radios.first().and_then(|first| self.controls.get(first)).and_then(|control| control.name.as_deref())
        };
        let mut groups: Vec<Field> = Vec::new();
        for (around, radios) in boxes {
            let label = self.tree.get(around).map(|node| node.name.as_str());
            let shares = sets.iter().position(|(_, set)| *set == radios);
            let attribute = shares.and_then(|at| name_of(&sets.remove(at).1));
            let names = [label, None, attribute, None, None].map(bare_name);
            groups.push(Field { node: around, kind: Kind::Group, radios, names });
        }
        for (_, radios) in sets {
            let Some(&first) = radios.first() else { continue };
            let [words, _] = beside.words(first, Side::Before);
            let names = [None, None, name_of(&radios), words, None].map(bare_name);
            groups.push(Field { node: first, kind: Kind::Group, radios, names });
        }
        groups
    }

    fn box_around(&self, radio: u32) -> Option<u32> {
        self.tree.ancestors(radio).find(|&above| {
            self.tree
                .get(above)
                .is_some_and(|node| matches!(node.role, "radiogroup" | "group") && !node.name.is_empty())
        })
    }

    /// Returns what is chosen when a radio button is: two of one choice exclude each other.
    pub fn choice(&self, radio: u32) -> Option<Choice> {
        let node = self.tree.get(radio)?;
        let native = self.controls.get(&radio).and_then(|control| {
            let name = control.name.clone()?;
            Some(Choice::Native { frame: node.frame, form: control.form, name })
        });
        let of_aria = || {
            let is_group = |&above: &u32| self.tree.get(above).is_some_and(|node| node.role == "radiogroup");
            self.tree.ancestors(radio).find(is_group).map(Choice::Aria)
        };
        native.or_else(of_aria)
    }

    /// Returns the group of radio buttons that a node is, or is one of.
    pub fn group_of(&self, node: u32) -> Option<&Field> {
        let groups = || self.all.iter().filter(|field| field.kind == Kind::Group);
        groups().find(|field| field.node == node).or_else(|| groups().find(|field| field.radios.contains(&node)))
    }

    /// Returns the radio buttons of a group that a text names, by label or value.
    pub fn radios_named(&self, group: &Field, text: &str) -> Vec<u32> {
        let needle = Needle::new(bare(text));
        let level = |radio: u32| needle.level(&self.label(radio)).filter(|level| *level != Level::Part);
        let best = group.radios.iter().filter_map(|&radio| level(radio)).min();
        let by_label = |radio: &u32| best.is_some() && level(*radio) == best;
        let by_value =
            |radio: &u32| self.controls.get(radio).and_then(|control| control.value.as_deref()) == Some(text);
        let named: Vec<u32> = group.radios.iter().copied().filter(by_label).collect();
        if named.is_empty() { group.radios.iter().copied().filter(by_value).collect() } else { named }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::snapshot::testing;

    #[test]
    fn radio_buttons_are_one_field_by_legend_and_by_attribute() {
        let html = r#"<fieldset><legend>Size *</legend><label><input type="radio" name="s" value="1">Small</label><label><input type="radio" name="s" value="2">Large</label></fieldset>"#;
        let tree = testing::tree(html);
        let fields = Fields::new(&tree);
        for key in ["Size", "s"] {
            let found = fields.named(key);
            let group = &fields.all[found[0]];
            assert_eq!((found.len(), group.kind, group.radios.len()), (1, Kind::Group, 2), "{key}");
            assert_eq!(fields.radios_named(group, "large"), fields.radios_named(group, "2"));
            assert_eq!(fields.radios_named(group, "Larg"), [0; 0]);
        }
        let own = fields.named("Large");
        assert_eq!((own.len(), fields.all[own[0]].kind), (1, Kind::Radio));
        let choices: Vec<_> = fields.all[fields.named("Size")[0]].radios.iter().map(|&at| fields.choice(at)).collect();
        assert!(choices[0].is_some() && choices[0] == choices[1]);
    }
}
