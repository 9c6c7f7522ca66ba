//! Runs a program with a deadline: its own process group, both streams read, no test waits for ever.

use std::io::Read;
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process, kill_process_group};

/// A program under way.
#[derive(Debug)]
pub struct Running {
    child: Child,
    stdout: Option<JoinHandle<Vec<u8>>>,
    stderr: Option<JoinHandle<Vec<u8>>>,
    what: String,
}

/// What a program left behind.
#[derive(Debug)]
pub struct Ended {
    pub stdout: String,
    pub stderr: String,
    pub status: ExitStatus,
}

impl Ended {
    /// Returns the exit code as a shell shows it: 128 and the signal's number for a program that was killed.
    pub fn exit(&self) -> i32 {
        self.status.code().unwrap_or_else(|| 128 + self.status.signal().unwrap_or(0))
    }
}

impl Running {
    #[track_caller]
    pub fn start(command: &mut Command) -> Self {
        let what = format!("{command:?}");
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
        let mut child = command.spawn().unwrap_or_else(|error| panic!("can't start {what}: {error}"));
        let stdout = child.stdout.take().map(drain);
        let stderr = child.stderr.take().map(drain);
        Self { child, stdout, stderr, what }
    }

    /// Kills it with no chance to tidy up.
    pub fn kill(&self) {
        kill_process(self.pid(), Signal::KILL).expect("the program is still running");
    }

    pub fn interrupt(&self) {
        kill_process(self.pid(), Signal::INT).expect("the program is still running");
    }

    /// Waits for the end. Past the deadline the whole process group is killed and the test fails with what
    /// was printed until then.
    #[track_caller]
    pub fn end_within(mut self, deadline: Duration) -> Ended {
        let start = Instant::now();
        let (status, overdue) = loop {
            match self.child.try_wait().expect("a child can be waited for") {
                Some(status) => break (status, false),
                None if start.elapsed() < deadline => thread::sleep(Duration::from_millis(3)),
                None => {
                    // It may have ended between the two calls; then there is nothing to kill.
                    let _ = kill_process_group(self.pid(), Signal::KILL);
                    break (self.child.wait().expect("a killed child ends"), true);
                }
            }
        };
        let text = |stream: Option<JoinHandle<Vec<u8>>>| {
            let bytes = stream.map_or_else(Vec::new, |reader| reader.join().expect("the reader only reads"));
            String::from_utf8(bytes).expect("what pageboy prints is UTF-8")
        };
        let ended = Ended { stdout: text(self.stdout.take()), stderr: text(self.stderr.take()), status };
        assert!(
            !overdue,
            "{} did not end within {deadline:?}\n--- stdout\n{}\n--- stderr\n{}",
            self.what, ended.stdout, ended.stderr
        );
        ended
    }

    fn pid(&self) -> Pid {
        Pid::from_child(&self.child)
    }
}

fn drain(mut stream: impl Read + Send + 'static) -> JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).expect("a pipe can be read");
        bytes
    })
}

/// Returns the command lines of all processes that mention `text`. Empty where there is no `/proc`.
pub fn processes_with(text: &str) -> Vec<String> {
    let Ok(folders) = std::fs::read_dir("/proc") else { return Vec::new() };
    folders
        .flatten()
        .filter(|folder| folder.file_name().to_string_lossy().bytes().all(|byte| byte.is_ascii_digit()))
        .filter_map(|folder| std::fs::read(folder.path().join("cmdline")).ok())
        .map(|line| String::from_utf8_lossy(&line).replace('\0', " "))
        .filter(|line| line.contains(text))
        .collect()
}
