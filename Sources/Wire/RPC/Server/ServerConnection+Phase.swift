extension ServerConnection {
  /// Where a connection is in its life.
  enum Phase {
    /// The client has not shown that it speaks HTTP/2.
    case awaitingPreface(until: Duration)
    case serving
    /// GOAWAY has been announced; the ping that follows it has not come back.
    case announcedShutDown(until: Duration, callsUntil: Duration)
    /// New streams are refused; the calls that are open have until then.
    case draining(callsUntil: Duration)
    /// The calls that were still open have been told to end, which must have been sent by then.
    case ending(until: Duration)
    /// The last GOAWAY is due, which must have been sent by then.
    case closing(until: Duration)
    /// Nothing more is sent or received.
    case over

    /// When the phase ends by itself; nil for never.
    var deadline: Duration? {
      switch self {
      case .awaitingPreface(let until), .draining(let until), .ending(let until), .closing(let until): until
      case .announcedShutDown(let until, let callsUntil): min(until, callsUntil)
      case .serving, .over: nil
      }
    }

    /// Whether the GOAWAY that names the last stream that counts is still to come.
    var takesCalls: Bool {
      switch self {
      case .awaitingPreface, .serving, .announcedShutDown: true
      case .draining, .ending, .closing, .over: false
      }
    }
  }
}
