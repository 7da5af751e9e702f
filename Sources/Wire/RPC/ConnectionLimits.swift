/// Limits on what one connection may cost, at either end. Times are durations; names that end with `Bytes` count bytes.
public struct ConnectionLimits: Sendable, Hashable {
  /// Limits of the streams, each of which carries one call.
  public struct Streams: Sendable, Hashable {
    /// Maximum number of streams a client may have open at once. nghttp2 has no limit unless one is set.
    public var concurrent: UInt32 = 128
    /// Bytes of a header list, as RFC 9113 section 6.5.2 counts them: names, values and 32 for each field.
    public var headerListBytes = 8192
    /// Bytes a peer may send on one stream ahead of us.
    public var windowBytes: Int32 = 65536
    /// Bytes a peer may send on all streams ahead of us. They are credited as they arrive; the stream windows hold a
    /// peer back.
    public var connectionWindowBytes: Int32 = 1 << 20
  }

  /// Limits of the messages, checked before a message is buffered.
  public struct Messages: Sendable, Hashable {
    /// Bytes of one received message, unless its call sets another limit.
    public var receivedBytes = 65536
    /// Bytes of one sent message. A larger message ends its call: gRPC libraries refuse it by default, and lose the
    /// whole stream.
    public var sentBytes = 4 << 20
    /// Bytes of messages that may be queued in a call that pushes; a call that pulls queues none.
    public var queuedBytes = 1 << 20
  }

  /// Limits of waiting.
  public struct Times: Sendable, Hashable {
    /// Time a client has from connecting to the end of its first SETTINGS frame.
    public var preface = Duration.seconds(10)
    /// Time a client that the connection does not identify (`Peer.unknown`) may be without an active call before a call
    /// authenticates it; nil for no limit.
    public var authentication: Duration?
    /// Time a connection without calls is kept open.
    public var idle = Duration.seconds(15 * 60)
    /// Time after which the stream of a finished call is reset if its client reads none of the bytes that remain.
    public var linger = Duration.seconds(60)
  }

  /// Limits of what is cheap for the peer and expensive for us. A peer that exceeds one loses its connection.
  public struct Floods: Sendable, Hashable {
    /// The minimum time between pings from a client, with or without calls.
    public var pingInterval = Duration.seconds(10)
    /// Pings sooner than that, since we last sent a header or a message, before the connection is ended.
    public var pingStrikes = 3
    /// Streams that may end with an error at once, and in each further second: cancelled by the client (CVE-2023-44487)
    /// with any code, reset by us for what the client did (CVE-2025-8671), refused, or ended by a deadline.
    public var resetBurst = 200
    /// See `resetBurst`.
    public var resetsPerSecond = 20
    /// Bytes of frames without payload (SETTINGS, PING, WINDOW_UPDATE, PRIORITY, RST_STREAM, unknown ones, padding,
    /// DATA without data) that a client may send at once, and in each further second. Every byte of a message, either
    /// way, allows one more.
    public var overheadBurstBytes = 65536
    /// See `overheadBurstBytes`.
    public var overheadBytesPerSecond = 1024
    /// CONTINUATION frames accepted in one header block (CVE-2024-28182), however their bytes are split. Up to nine
    /// times as many may pass when they arrive whole.
    public var continuations = 8
    /// Entries in one SETTINGS frame.
    public var settingsEntries = 32
    /// Acknowledgements of SETTINGS and PING that may be queued for sending.
    public var queuedAcknowledgements = 100
    /// Heap bytes that nghttp2 may have for one connection: ten times what 128 calls need.
    public var memoryBytes = 1 << 20
  }

  /// Limits of the streams.
  public var streams = Streams()
  /// Limits of the messages.
  public var messages = Messages()
  /// Limits of waiting.
  public var times = Times()
  /// Limits of what is cheap to send and expensive to receive.
  public var floods = Floods()

  /// The defaults.
  public init() {}
}
