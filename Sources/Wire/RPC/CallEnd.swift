/// The reason a call ended other than by the server's `finish`.
public enum CallInterruption: Sendable, Hashable {
  /// The client reset the stream, with this HTTP/2 error code; 8 is a plain cancel.
  case cancelledByClient(errorCode: UInt32)
  /// The deadline passed. The client receives DEADLINE_EXCEEDED.
  case deadlineExceeded
  /// The request broke a rule or a limit, or its authorization was revoked; the client received this status.
  case refused(Status)
  /// The connection was lost.
  case connectionLost
  /// The server is shutting down and the grace period is over. The client receives UNAVAILABLE.
  case shutDown
}

/// The reason `send` did not accept a message.
public enum SendError: Error, Sendable, Hashable {
  /// The queue is at its byte limit: the peer does not read fast enough.
  case queueFull
  /// The call has ended, or has been finished or half-closed.
  case callEnded
}
