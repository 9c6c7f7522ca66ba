//! Downloads from a server on loopback: whole ones, torn ones, two at once.

use std::io::Cursor;
use std::os::unix::fs::PermissionsExt;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use zip::write::SimpleFileOptions;

use super::*;
use crate::budget::Layer;

const VERSION: &str = "131.0.6778.204";

/// Makes an archive with one program of that name.
fn archive(program: &str) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    writer.start_file(program, SimpleFileOptions::default().unix_permissions(0o755)).unwrap();
    writer.write_all(&b"#!/bin/sh\n# a stand-in\n".repeat(2000)).unwrap();
    writer.finish().unwrap().into_inner()
}

/// Serves the list and an archive of which `told` bytes are announced; returns the address of the list.
async fn serve(archive: Vec<u8>, told: usize, status: &'static str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let home = format!("http://{}", listener.local_addr().unwrap());
    let list = serde_json::json!({ "channels": { "Stable": { "version": VERSION, "downloads": { "chrome": [
        { "platform": "win64", "url": "http://127.0.0.1:1/wrong" },
        { "platform": "linux64", "url": format!("{home}/chrome.zip") },
    ] } } } })
    .to_string();
    tokio::spawn(async move {
        loop {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut request = [0; 2000];
            let length = stream.read(&mut request).await.unwrap();
            let (status, body, told) = if String::from_utf8_lossy(&request[..length]).starts_with("GET /chrome.zip") {
                (status, archive.clone(), told)
            } else {
                ("200 OK", list.clone().into_bytes(), list.len())
            };
            let head = format!("HTTP/1.1 {status}\r\nContent-Length: {told}\r\nConnection: close\r\n\r\n");
            stream.write_all(&[head.as_bytes(), &body].concat()).await.unwrap();
        }
    });
    format!("{home}/list.json")
}

fn budget() -> Budget {
    Budget::new(CancellationToken::new()).child(Duration::from_mins(1), Layer::Run)
}

async fn load(list: &str, folder: &Path) -> Result<PathBuf, Error> {
    download_from(list, LINUX, folder, &budget(), &mut |_| {}).await
}

/// Says what a folder holds.
fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[tokio::test(flavor = "multi_thread")]
async fn a_download_is_found_when_it_is_whole_and_tells_how_far_it_is() {
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("pageboy/browsers");
    let bytes = archive(LINUX.program);
    let length = bytes.len() as u64;
    let list = serve(bytes.clone(), bytes.len(), "200 OK").await;
    let mut told = Vec::new();
    let program = download_from(&list, LINUX, &folder, &budget(), &mut |progress| told.push(progress)).await.unwrap();
    assert_eq!(program, folder.join(format!("chrome-{VERSION}/{}", LINUX.program)));
    assert_eq!(newest(&folder, LINUX), Some(program.clone()));
    assert_eq!(program.metadata().unwrap().permissions().mode() & 0o111, 0o111);
    assert_eq!(told.first(), Some(&Progress::Version(VERSION.into())));
    assert!(told.contains(&Progress::Received { bytes: length, whole: Some(length) }), "{told:?}");
    assert_eq!(told.last(), Some(&Progress::Unpacking));
    assert_eq!(names(&folder), [format!("chrome-{VERSION}")]);
}

#[tokio::test(flavor = "multi_thread")]
async fn two_downloads_at_once_both_end_with_the_browser() {
    let folder = tempfile::tempdir().unwrap();
    let bytes = archive(LINUX.program);
    let list = serve(bytes.clone(), bytes.len(), "200 OK").await;
    let (one, other) = tokio::join!(load(&list, folder.path()), load(&list, folder.path()));
    assert_eq!(one.unwrap(), other.unwrap());
    assert_eq!(names(folder.path()), [format!("chrome-{VERSION}")]);
}

#[tokio::test(flavor = "multi_thread")]
async fn half_a_browser_is_none() {
    let folder = tempfile::tempdir().unwrap();
    let good = archive(LINUX.program);
    let half = good[..good.len() / 2].to_vec();
    let other = archive("README");
    for (bytes, told, status, words, trouble) in [
        (half.clone(), good.len(), "200 OK", "", InstallTrouble::Network),
        (half.clone(), half.len(), "200 OK", "can't be unpacked", InstallTrouble::Answer),
        (other.clone(), other.len(), "200 OK", "holds no program", InstallTrouble::Answer),
        (b"gone".to_vec(), 4, "404 Not Found", "HTTP status 404", InstallTrouble::Answer),
    ] {
        let list = serve(bytes, told, status).await;
        let error = load(&list, folder.path()).await.unwrap_err();
        let Error::BrowserInstall { trouble: found, .. } = &error else { panic!("{error}") };
        assert_eq!(*found, trouble, "{error}");
        assert!(error.to_string().contains(words) && error.to_string().contains("/chrome.zip"), "{error}");
        assert_eq!((error.code(), error.exit_code()), ("browser::missing", 5));
        assert_eq!((newest(folder.path(), LINUX), names(folder.path())), (None, Vec::new()), "{error}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_not_there_is_told_with_the_cause() {
    let folder = tempfile::tempdir().unwrap();
    let error = load("http://127.0.0.1:1/list.json", folder.path()).await.unwrap_err();
    assert!(error.to_string().contains("refused") && error.help().contains("connection"), "{error}");
    assert_eq!(names(folder.path()), Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cancelled_download_leaves_nothing_and_a_dead_one_is_swept() {
    let folder = tempfile::tempdir().unwrap();
    let dead = folder.path().join(".unfinished-dead");
    fs::create_dir(&dead).unwrap();
    fs::write(dead.join("pageboy.lock"), "").unwrap();
    // It announces more than it sends and keeps the connection open.
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let silent = format!("http://{}/chrome.zip", listener.local_addr().unwrap());
    let list = serde_json::json!({ "channels": { "Stable": { "version": VERSION, "downloads": { "chrome": [
        { "platform": "linux64", "url": silent },
    ] } } } });
    let list = list.to_string();
    tokio::spawn(async move {
        let mut open = Vec::new();
        loop {
            let (mut stream, _) = listener.accept().await.unwrap();
            assert!(stream.read(&mut [0; 2000]).await.unwrap() > 0);
            let body = if open.is_empty() { list.as_str() } else { "half" };
            let told = if open.is_empty() { list.len() } else { 1000 };
            let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {told}\r\nConnection: close\r\n\r\n{body}");
            stream.write_all(head.as_bytes()).await.unwrap();
            open.push(stream);
        }
    });
    let cancel = CancellationToken::new();
    let budget = Budget::new(cancel.clone());
    let from = silent.replace("chrome.zip", "list.json");
    let mut hear = |progress| {
        if matches!(progress, Progress::Received { bytes: 4, .. }) {
            cancel.cancel();
        }
    };
    let error = download_from(&from, LINUX, folder.path(), &budget, &mut hear).await.unwrap_err();
    assert_eq!(error, Error::RunCancelled { during: None });
    assert_eq!(names(folder.path()), Vec::<String>::new());
}

#[test]
fn odd_lists_are_refused_in_words() {
    let with = |version: &str, platform: &str| {
        let list = serde_json::json!({ "channels": { "Stable": { "version": version, "downloads": { "chrome": [
            { "platform": platform, "url": "http://h/x.zip" },
        ] } } } });
        choice(list.to_string().as_bytes(), LINUX)
    };
    assert_eq!(with("1.2", "linux64"), Ok(Choice { version: "1.2".into(), url: "http://h/x.zip".into() }));
    assert!(with("../../x", "linux64").is_err_and(|reason| reason.contains("is no version")));
    assert!(with("1.2", "win64").is_err_and(|reason| reason.contains("not there for linux64")));
    assert!(choice(b"<html>", LINUX).is_err_and(|reason| reason.contains("no list of versions")));
}

#[test]
fn the_newest_whole_version_is_found() {
    let folder = tempfile::tempdir().unwrap();
    for (name, mode) in [
        ("chrome-99.0.1.2", 0o755),
        ("chrome-131.0.2.10", 0o755),
        ("chrome-131.0.2.9", 0o755),
        ("chrome-140.0.0.0", 0o644),
        (".unfinished-x", 0o755),
        ("other", 0o755),
    ] {
        let program = folder.path().join(name).join(LINUX.program);
        fs::create_dir_all(program.parent().unwrap()).unwrap();
        fs::write(&program, "").unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(mode)).unwrap();
    }
    assert_eq!(newest(folder.path(), LINUX), Some(folder.path().join("chrome-131.0.2.10").join(LINUX.program)));
    assert_eq!(newest(Path::new("/nowhere"), LINUX), None);
}
