extension HTTP2Session {
  /// The error codes that this module uses (RFC 9113 section 7).
  enum ErrorCode {
    /// A graceful end.
    static let none: UInt32 = 0
    /// The peer broke a rule.
    static let protocolError: UInt32 = 1
    /// The connection cannot continue, through no fault of the peer.
    static let internalError: UInt32 = 2
    /// The peer opened a window too far.
    static let flowControlError: UInt32 = 3
    /// The peer sent a frame on a stream that it had ended.
    static let streamClosed: UInt32 = 5
    /// The stream was not processed, and may be retried elsewhere.
    static let refusedStream: UInt32 = 7
    /// The stream is no longer wanted.
    static let cancel: UInt32 = 8
    /// The peer costs too much.
    static let enhanceYourCalm: UInt32 = 11
  }
}
