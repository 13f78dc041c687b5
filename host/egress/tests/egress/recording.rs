//! What is recorded holds no secret, and what is replayed touches no network.

use sr_egress::{FetchRequest, Hop, Pending, Recorder, Replay, Reply, Transport};
use sr_policy::Failure;
use sr_policy::failure::codes;
use sr_policy::recording::{RecordedBody, Recording};
use sr_policy::request::Phase;

use crate::support::*;

/// A recording of one GET of `url` against a server that answers `bytes`, read back from its JSON.
async fn recorded(url: &str, bytes: Vec<u8>) -> Recording {
    let server = Server::answering(move |_| bytes.clone()).await;
    let recorder = Recorder::new(example_at(&server), 1_700_000_000_000, 7);
    run(&reading(&["example.com"]), &recorder, get(url))
        .await
        .unwrap();
    Recording::from_json(recorder.finish().to_json().unwrap().as_bytes()).unwrap()
}

#[tokio::test]
async fn what_was_recorded_replays_to_the_same_answer_with_the_server_gone() {
    let server = Server::answering(|request| match request.split(' ').nth(1) {
        Some("/start") => to(302, "/end?token=s3cret"),
        _ => reply(
            "200 OK",
            &[("content-type", "text/plain"), ("x-note", "kept")],
            b"\xff\x00 binary",
        ),
    })
    .await;
    let recorder = Recorder::new(example_at(&server), 1_700_000_000_000, 7);
    let policy = reading(&["example.com"]);
    let live = run(&policy, &recorder, get("http://example.com/start"))
        .await
        .unwrap();
    let json = recorder.finish().to_json().unwrap();
    let recording = Recording::from_json(json.as_bytes()).unwrap();
    assert_eq!(
        (recording.clock_ms, recording.seed, recording.synthetic),
        (1_700_000_000_000, 7, false)
    );
    assert_eq!(recording.exchanges.len(), 2);
    assert!(!json.contains("s3cret"), "{json}");

    let seen = server.connections();
    let replay = Replay::new(recording);
    let again = run(&policy, &replay, get("http://example.com/start"))
        .await
        .unwrap();
    assert_eq!(
        (again.status, &again.headers, &again.body),
        (live.status, &live.headers, &live.body)
    );
    assert_eq!(again.url.path(), "/end");
    assert_eq!(replay.missed(), None);
    assert_eq!(server.connections(), seen);
}

#[tokio::test]
async fn secrets_never_enter_a_recording() {
    let server = Server::answering(|_| {
        reply(
            "200 OK",
            &[
                ("set-cookie", "sid=s3cret-cookie"),
                ("www-authenticate", "Basic realm=site"),
            ],
            b"body",
        )
    })
    .await;
    let recorder = Recorder::new(example_at(&server), 0, 0);
    let policy = policy(&["example.com"], Phase::Commit, &[]);
    let mut request = post(
        "http://example.com/a?token=s3cret-query&page=2",
        "pw=s3cret-body",
    );
    request.headers = headers(&[
        ("Authorization", "Bearer s3cret-header"),
        ("Cookie", "a=s3cret-jar"),
        ("X-Api-Key", "s3cret-key"),
        ("X-Note", "kept"),
    ]);
    run(&policy, &recorder, request.clone()).await.unwrap();
    let json = recorder.finish().to_json().unwrap();
    assert!(!json.contains("s3cret"), "{json}");
    assert!(
        json.contains("page=2") && json.contains("kept") && json.contains("<redacted>"),
        "{json}"
    );
    // The site itself got them.
    let sent = &server.requests()[0];
    for secret in [
        "s3cret-query",
        "s3cret-header",
        "s3cret-jar",
        "s3cret-key",
        "s3cret-body",
    ] {
        assert!(sent.contains(secret), "{sent}");
    }
    // And the same request still finds its reply.
    let replay = Replay::new(Recording::from_json(json.as_bytes()).unwrap());
    assert_eq!(run(&policy, &replay, request).await.unwrap().body, b"body");
}

#[tokio::test]
async fn a_replay_miss_is_a_failure_that_names_the_request_and_never_a_request() {
    let recording = recorded("http://example.com/known", ok("known")).await;
    let replay = Replay::new(recording);
    let policy = policy(&["example.com"], Phase::Commit, &[]);
    let missed = run(
        &policy,
        &replay,
        get("http://example.com/unknown?token=s3cret"),
    )
    .await;
    let Err(Failure::Other {
        code,
        message,
        hint,
        retryable,
    }) = missed
    else {
        panic!("{missed:?}")
    };
    assert_eq!((code.as_str(), retryable), ("REPLAY_MISS", false));
    assert!(
        message.contains("GET http://example.com/unknown") && !message.contains("s3cret"),
        "{message}"
    );
    assert!(hint.unwrap().contains("--record"));
    // Method and body are part of what is matched; the first miss is the one that is kept.
    assert_eq!(
        code_of(run(&policy, &replay, post("http://example.com/known", "")).await),
        "REPLAY_MISS"
    );
    let missed = replay.missed().unwrap();
    assert_eq!(
        missed.request,
        "GET http://example.com/unknown?token=<redacted>"
    );
    assert_eq!(
        missed.nearest.as_deref(),
        Some("GET http://example.com/known")
    );
    assert_eq!(
        run(&policy, &replay, get("http://example.com/known"))
            .await
            .unwrap()
            .body,
        b"known"
    );
}

fn code_of<T: std::fmt::Debug>(result: Result<T, Failure>) -> String {
    code(result)
}

#[tokio::test]
async fn a_replay_is_under_the_same_policy_and_limits() {
    let recording = recorded("http://example.com/", ok("0123456789")).await;
    let replay = Replay::new(recording.clone());
    let denied = denial(
        run(
            &reading(&["other.test"]),
            &replay,
            get("http://example.com/"),
        )
        .await,
    );
    assert_eq!(denied.code, codes::DOMAIN_NOT_ALLOWED);
    let small = FetchRequest {
        max_bytes: 9,
        ..get("http://example.com/")
    };
    assert_eq!(
        code(run(&reading(&["example.com"]), &replay, small).await),
        "RESPONSE_TOO_LARGE"
    );
    assert_eq!(replay.missed(), None);

    let mut elsewhere = recording;
    elsewhere.exchanges[0].response.status = 302;
    elsewhere.exchanges[0].response.headers = headers(&[("Location", "http://evil.test/")]);
    let denied = denial(
        run(
            &reading(&["example.com"]),
            &Replay::new(elsewhere),
            get("http://example.com/"),
        )
        .await,
    );
    assert!(
        denied
            .subject
            .contains("evil.test (redirect 1 from example.com)"),
        "{denied:?}"
    );
}

#[tokio::test]
async fn a_recording_keeps_the_order_in_which_requests_left() {
    let server = Server::speaking(|mut stream, _| async move {
        while let Some(request) = read_request(&mut stream).await {
            // The first one is answered last.
            let slow = request.starts_with("GET /first");
            tokio::time::sleep(std::time::Duration::from_millis(if slow { 40 } else { 0 })).await;
            let _ = tokio::io::AsyncWriteExt::write_all(&mut stream, &ok("done")).await;
        }
    })
    .await;
    let recorder = Recorder::new(example_at(&server), 0, 0);
    let policy = reading(&["example.com"]);
    let (first, second) = tokio::join!(
        run(&policy, &recorder, get("http://example.com/first")),
        run(&policy, &recorder, get("http://example.com/second")),
    );
    first.unwrap();
    second.unwrap();
    let urls: Vec<String> = recorder
        .finish()
        .exchanges
        .into_iter()
        .map(|exchange| exchange.request.url)
        .collect();
    assert_eq!(
        urls,
        ["http://example.com/first", "http://example.com/second"]
    );
}

#[tokio::test]
async fn a_failed_request_is_not_recorded() {
    let server = Server::answering(|_| Vec::new()).await;
    let recorder = Recorder::new(example_at(&server), 0, 0);
    unavailable(
        run(
            &reading(&["example.com"]),
            &recorder,
            get("http://example.com/"),
        )
        .await,
    );
    assert!(recorder.finish().exchanges.is_empty());
}

#[tokio::test]
async fn a_compressed_reply_is_recorded_as_its_text() {
    use std::io::Write as _;
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(b"plain").unwrap();
    let packed = encoder.finish().unwrap();
    let recording = recorded(
        "http://example.com/",
        reply("200 OK", &[("content-encoding", "gzip")], &packed),
    )
    .await;
    assert_eq!(
        recording.exchanges[0].response.body,
        RecordedBody::Text("plain".to_owned())
    );
}

/// Answers everything with the same large body.
struct Large;

impl Transport for Large {
    fn exchange<'a>(&'a self, _: Hop<'a>) -> Pending<'a, Result<Reply, Failure>> {
        let reply = Reply {
            status: 200,
            headers: vec![],
            body: vec![b'x'; 16 * 1024 * 1024],
        };
        Box::pin(std::future::ready(Ok(reply)))
    }
}

#[tokio::test]
async fn a_recorder_that_is_full_keeps_no_more_and_the_run_goes_on() {
    let recorder = Recorder::new(Large, 0, 0);
    let policy = reading(&["example.com"]);
    let request = || FetchRequest {
        max_bytes: 16 * 1024 * 1024,
        ..get("http://example.com/large")
    };
    for _ in 0..4 {
        run(&policy, &recorder, request()).await.unwrap();
    }
    assert!(!recorder.is_full());
    let last = run(&policy, &recorder, request()).await.unwrap();
    assert_eq!(last.body.len(), 16 * 1024 * 1024);
    assert!(recorder.is_full());
    assert_eq!(recorder.finish().exchanges.len(), 4);
}
