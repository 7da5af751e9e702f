/// What one connection may cost, at either end. Times are durations, and what ends with `Bytes` is in bytes.
public struct ConnectionLimits: Sendable, Hashable {
  /// Limits of the streams, each of which carries one call.
  public struct Streams: Sendable, Hashable {
    /// Streams a client may have open at once. Without a number nghttp2 has no limit at all.
    public var concurrent: UInt32 = 128
    /// Bytes of a header list as RFC 9113 section 6.5.2 counts them: names, values and 32 for each field.
    public var headerListBytes = 8192
    /// Bytes a peer may send on one stream ahead of us.
    public var windowBytes: Int32 = 65536
    /// Bytes a peer may send on all streams ahead of us. They are credited as they arrive; streams are what holds a
    /// peer back.
    public var connectionWindowBytes: Int32 = 1 << 20
  }

  /// Limits of the messages, which are checked before a message is kept.
  public struct Messages: Sendable, Hashable {
    /// Bytes of one message received, unless its call says otherwise.
    public var receivedBytes = 65536
    /// Bytes of one message sent. What is larger ends its call: gRPC libraries refuse it by default, and lose the whole
    /// stream.
    public var sentBytes = 4 << 20
    /// Bytes of messages that may wait in a call that pushes; a call that pulls has none waiting.
    public var queuedBytes = 1 << 20
  }

  /// Limits of waiting.
  public struct Times: Sendable, Hashable {
    /// How long a client may take from connecting to the end of its first SETTINGS frame.
    public var preface = Duration.seconds(10)
    /// How long a client that the connection does not identify, `Peer.unknown`, may be without a call that is being
    /// served and before one that authenticates it; nil for as long as any other.
    public var authentication: Duration?
    /// How long a connection without calls is kept.
    public var idle = Duration.seconds(15 * 60)
    /// How long a client may take nothing of what a call that has ended still has for it, before the stream is reset.
    public var linger = Duration.seconds(60)
  }

  /// Limits of what costs the peer little and us much. A peer above one loses its connection.
  public struct Floods: Sendable, Hashable {
    /// A client may ping this often, with or without calls.
    public var pingInterval = Duration.seconds(10)
    /// Pings sooner than that, since we last sent a header or a message, before the connection is ended.
    public var pingStrikes = 3
    /// Streams that may end with an error at once, and in each second after that: given up by the client
    /// (CVE-2023-44487) with any code, reset by us for what the client did (CVE-2025-8671), refused, or ended by a
    /// deadline.
    public var resetBurst = 200
    /// See `resetBurst`.
    public var resetsPerSecond = 20
    /// Bytes of frames that carry nothing (SETTINGS, PING, WINDOW_UPDATE, PRIORITY, RST_STREAM, unknown ones, padding,
    /// DATA without data) that a client may send at once, and in each second after that. Every byte of a message, either
    /// way, allows one more.
    public var overheadBurstBytes = 65536
    /// See `overheadBurstBytes`.
    public var overheadBytesPerSecond = 1024
    /// CONTINUATION frames in one header block (CVE-2024-28182), which are taken however they are cut. Up to nine times
    /// as many may pass when they come whole.
    public var continuations = 8
    /// Entries in one SETTINGS frame.
    public var settingsEntries = 32
    /// Answers to SETTINGS and PING that may wait to be sent.
    public var queuedAcknowledgements = 100
    /// Bytes of the heap that nghttp2 may have for one connection: ten times what 128 calls need.
    public var memoryBytes = 1 << 20
  }

  /// Limits of the streams.
  public var streams = Streams()
  /// Limits of the messages.
  public var messages = Messages()
  /// Limits of waiting.
  public var times = Times()
  /// Limits of what is cheap to send and dear to receive.
  public var floods = Floods()

  /// The defaults.
  public init() {}
}
