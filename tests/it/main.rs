//! Tests of the built program.

mod worker;
