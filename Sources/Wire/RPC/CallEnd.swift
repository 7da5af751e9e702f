/// Why a call ended other than by the server's `finish`.
public enum CallInterruption: Sendable, Hashable {
  /// The client reset the stream, with this HTTP/2 error code; 8 is a plain cancel.
  case cancelledByClient(errorCode: UInt32)
  /// The deadline passed. The client is told DEADLINE_EXCEEDED.
  case deadlineExceeded
  /// The request broke a rule or a limit, or what let it in was taken back, and the client was told this status.
  case refused(Status)
  /// The connection is gone.
  case connectionLost
  /// The server is shutting down, and its patience is at an end. The client is told UNAVAILABLE.
  case shutDown
}

/// Why `send` did not take a message.
public enum SendError: Error, Sendable, Hashable {
  /// As many bytes wait as may: the peer does not read fast enough.
  case queueFull
  /// The call has ended, or has been finished or half-closed.
  case callEnded
}
