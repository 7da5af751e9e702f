extension HTTP2Session {
  /// The error codes that the callers here use (RFC 9113 section 7).
  enum ErrorCode {
    /// In good order.
    static let none: UInt32 = 0
    /// The peer broke a rule.
    static let protocolError: UInt32 = 1
    /// We cannot go on, through no fault of the peer's.
    static let internalError: UInt32 = 2
    /// The peer opened a window too far.
    static let flowControlError: UInt32 = 3
    /// The stream was not looked at, and may be tried again elsewhere.
    static let refusedStream: UInt32 = 7
    /// The stream is not wanted any more.
    static let cancel: UInt32 = 8
    /// The peer costs too much.
    static let enhanceYourCalm: UInt32 = 11
  }
}
