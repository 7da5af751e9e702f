extension ServerConnection {
  /// The phase of a connection's life.
  enum Phase {
    /// The client has not shown that it speaks HTTP/2.
    case awaitingPreface(until: Duration)
    case serving
    /// GOAWAY has been announced; the ping that follows it has not been acknowledged.
    case announcedShutDown(until: Duration, callsUntil: Duration)
    /// New streams are refused; open calls have until then.
    case draining(callsUntil: Duration)
    /// The calls that were still open have been ended; their statuses must be sent by then.
    case ending(until: Duration)
    /// The last GOAWAY must be sent by then.
    case closing(until: Duration)
    /// Nothing more is sent or received.
    case over

    /// The time at which the phase ends by itself; nil for never.
    var deadline: Duration? {
      switch self {
      case .awaitingPreface(let until), .draining(let until), .ending(let until), .closing(let until): until
      case .announcedShutDown(let until, let callsUntil): min(until, callsUntil)
      case .serving, .over: nil
      }
    }

    /// True until the GOAWAY that names the last accepted stream is sent.
    var takesCalls: Bool {
      switch self {
      case .awaitingPreface, .serving, .announcedShutDown: true
      case .draining, .ending, .closing, .over: false
      }
    }
  }
}
