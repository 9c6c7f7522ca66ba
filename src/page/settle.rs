//! Every wait of the page layer: for a state of the world, and for a moment. Nothing else in pageboy sleeps.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::watch;

use super::world::World;
use crate::budget::Budget;
use crate::cdp::Event;

/// The world as it is now, and the signal that it changed.
#[derive(Debug)]
pub struct Live {
    world: Mutex<World>,
    changed: watch::Sender<()>,
}

/// The budget ended before the state came about.
#[derive(Debug, PartialEq, Eq)]
pub struct Spent;

impl Default for Live {
    fn default() -> Self {
        Self::new()
    }
}

impl Live {
    pub fn new() -> Self {
        Self { world: Mutex::new(World::default()), changed: watch::Sender::new(()) }
    }

    pub fn fold(&self, event: Event) {
        self.change(|world| world.fold(event));
    }

    pub fn read<T>(&self, look: impl FnOnce(&World) -> T) -> T {
        look(&self.world.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub fn change<T>(&self, alter: impl FnOnce(&mut World) -> T) -> T {
        let result = alter(&mut self.world.lock().unwrap_or_else(PoisonError::into_inner));
        self.changed.send_replace(());
        result
    }

    /// Alters the world without waking those who wait for it.
    pub fn change_quietly<T>(&self, alter: impl FnOnce(&mut World) -> T) -> T {
        alter(&mut self.world.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub fn changes(&self) -> watch::Receiver<()> {
        self.changed.subscribe()
    }

    /// Waits until `look` finds what it looks for.
    ///
    /// # Errors
    /// [`Spent`] when the budget ends first.
    pub async fn until<T>(&self, budget: &Budget, mut look: impl FnMut(&World) -> Option<T>) -> Result<T, Spent> {
        let mut changes = self.changes();
        loop {
            changes.mark_unchanged();
            if let Some(found) = self.read(&mut look) {
                return Ok(found);
            }
            tokio::select! {
                changed = changes.changed() => changed.map_err(|_| Spent)?,
                () = budget.spent() => return Err(Spent),
            }
        }
    }
}

/// Waits a moment between two looks at a page, less where the budget ends earlier.
///
/// # Errors
/// [`Spent`] when the budget ended.
#[expect(clippy::disallowed_methods, reason = "the one place that sleeps")]
pub async fn pause(moment: Duration, budget: &Budget) -> Result<(), Spent> {
    tokio::select! {
        () = tokio::time::sleep(moment) => Ok(()),
        () = budget.spent() => Err(Spent),
    }
}
