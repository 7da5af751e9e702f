internal import Dates

/// The phase of a login.
enum LoginPhase: Equatable {
  /// Nothing is asked: there is no token, or it is not valid.
  case signedOut
  /// Connects at a time.
  case waiting(Instant)
  /// The server's document is read, then the stream is opened.
  case opening
  case reading
  /// The timelines have been read; the newest pages are read again at a time.
  case resting(Instant)

  /// True if the server cannot be asked at present.
  var isFailing: Bool {
    switch self {
    case .signedOut, .waiting: true
    case .opening, .reading, .resting: false
    }
  }

  /// The time at which it ends by itself; nil for none.
  var deadline: Instant? {
    switch self {
    case .waiting(let time), .resting(let time): time
    case .signedOut, .opening, .reading: nil
    }
  }
}
