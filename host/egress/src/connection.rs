//! One HTTP/1.1 connection: hyper on a stream that we dialled ourselves.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll};

use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::client::conn::http1::{Builder, SendRequest};
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::task::JoinHandle;

use crate::limits::{RESPONSE_HEAD_BYTES, RESPONSE_HEADERS};

/// A stream to the other side, plain or TLS.
pub(crate) trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Stream for T {}

/// A connection and the task that drives it. Dropping it closes it, also in the middle of an answer.
pub(crate) struct Connection {
    sender: SendRequest<Full<Bytes>>,
    received: Arc<AtomicU64>,
    driver: JoinHandle<()>,
}

impl Connection {
    pub(crate) async fn open(stream: Box<dyn Stream>) -> Result<Self, hyper::Error> {
        let received = Arc::new(AtomicU64::new(0));
        let metered = Metered {
            stream,
            received: Arc::clone(&received),
        };
        let (sender, connection) = Builder::new()
            .max_header_size(RESPONSE_HEAD_BYTES)
            .max_buf_size(4 * RESPONSE_HEAD_BYTES)
            .max_headers(RESPONSE_HEADERS)
            .handshake(TokioIo::new(metered))
            .await?;
        let driver = tokio::spawn(async move {
            // An error reaches the request that is waiting; an idle connection needs no report.
            let _ = connection.await;
        });
        Ok(Self {
            sender,
            received,
            driver,
        })
    }

    /// Bytes the other side has sent so far.
    pub(crate) fn received(&self) -> u64 {
        self.received.load(Ordering::Relaxed)
    }

    /// Whether another request can still be sent; known only after the driver has seen the stream.
    pub(crate) fn is_open(&self) -> bool {
        !self.sender.is_closed()
    }

    pub(crate) async fn send(
        &mut self,
        request: Request<Full<Bytes>>,
    ) -> Result<Response<Incoming>, hyper::Error> {
        self.sender.ready().await?;
        self.sender.send_request(request).await
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.driver.abort();
    }
}

/// Counts what arrives: whether an answer had begun decides whether a request may be sent again.
struct Metered {
    stream: Box<dyn Stream>,
    received: Arc<AtomicU64>,
}

impl AsyncRead for Metered {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let polled = Pin::new(&mut self.stream).poll_read(context, buffer);
        let arrived = buffer.filled().len().saturating_sub(before);
        self.received.fetch_add(arrived as u64, Ordering::Relaxed);
        polled
    }
}

impl AsyncWrite for Metered {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
