//! Every folder of `tests/cases` as a test: the path is translated into one script, run, and judged.

use std::collections::BTreeSet;
use std::time::Duration;

use crate::case::{Case, folder};
use crate::judge::judge;
use crate::stage::Stage;

/// Cases that are not run, each with the reason.
const LEFT_OUT: &[(&str, &str)] = &[];

/// Cases that crash or block a page: they have a browser of their own.
const ALONE: &[&str] = &["time-crash", "time-click-loop"];

/// Makes a test of each name; the folder has dashes where the name has underscores.
macro_rules! cases {
    ($($name:ident)*) => {
        $(#[test] fn $name() { run(&stringify!($name).replace('_', "-")); })*
        const RUN: &[&str] = &[$(stringify!($name)),*];
    };
}

cases! {
    click_alert
    click_badge_on_centre
    click_canvas_seat
    click_consent_wall
    click_drawn_checkbox
    click_enabled_late
    click_hover_menu
    click_leave_unsaved
    click_nested_scrollers
    click_new_tab
    click_only_once
    click_pointerdown_menu
    click_prompt
    click_scaled_frame
    click_sliding_drawer
    click_sticky_bars
    click_stretched_card
    click_through_glass
    click_trusted_only
    click_wrapped_link
    input_astral_text
    input_async_combobox
    input_controlled
    input_debounced_search
    input_inline_completion
    input_maxlength
    input_native_kinds
    input_not_typable
    input_number_letters
    input_otp_boxes
    input_owned_editor
    input_password_hidden
    input_phone_mask
    input_prefilled
    input_rtl_text
    input_select_multiple
    input_select_no_match
    input_self_replacing
    input_textarea_lines
    ref_frame_reloads
    ref_id_recycled
    ref_inbox_resort
    ref_insert_above
    ref_kanban_move
    ref_lookalike_page
    ref_modal_hidden
    ref_own_label_changes
    ref_pushstate_shell
    ref_replaced_twin
    ref_same_name_rows
    ref_two_renderers
    time_alert_on_load
    time_attachment
    time_click_loop
    time_client_redirects
    time_crash
    time_long_task
    time_never_idle
    time_offline_shell
    time_redirect_loop
    time_refused
    time_server_error_page
    time_slow_fade_in
    time_stuck_image
    time_ticker_churn
    tree_aria_hidden_left_on
    tree_aria_owns
    tree_closed_in_open_in_frame
    tree_cross_site_card
    tree_deep_divs
    tree_display_contents
    tree_four_thousand_cards
    tree_frames_three_deep
    tree_hidden_kinds
    tree_label_sources
    tree_layout_table
    tree_lone_surrogate
    tree_long_names
    tree_modal_inert
    tree_plain_div_buttons
    tree_popover_menu
    tree_radio_groups
    tree_select_10k
    tree_select_twins
    tree_skipped_sections
    tree_slots
    tree_spoofed_line
    tree_states
    tree_world_names
}

#[track_caller]
fn run(id: &str) {
    let case = Case::read(id);
    let mut stage = Stage::blank().script(&case.script());
    if let Some(limits) = case.limits {
        stage = stage.deadline(Duration::from_secs(limits.max_seconds));
    }
    if ALONE.contains(&id) {
        // `chrome://crash` is no address of the web.
        stage = stage.own_browser().flag("--allow-all");
    }
    judge(&case, &stage.run());
}

#[test]
fn no_case_is_forgotten() {
    let folders: BTreeSet<_> = std::fs::read_dir(folder())
        .expect("the cases")
        .flatten()
        .filter(|entry| entry.path().is_dir())
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    let left_out = LEFT_OUT.iter().map(|(id, _)| (*id).to_owned());
    let listed: BTreeSet<_> = RUN.iter().map(|name| name.replace('_', "-")).chain(left_out).collect();
    assert_eq!(listed, folders);
    for (id, reason) in LEFT_OUT {
        assert!(reason.len() > 20, "{id} is left out without a reason");
    }
}
