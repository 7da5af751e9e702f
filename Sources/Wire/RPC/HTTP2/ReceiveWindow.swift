/// Decides how much of what a peer has sent on one stream is credited back to it, so that it may send more.
///
/// Automatic: at once. Manual: while at most `allowance` bytes of delivered messages have not been consumed; beyond
/// that the stream's window is left to run out. Messages that are still incomplete do not count, or one larger than the
/// window could never arrive; the request limit bounds those.
struct ReceiveWindow {
  /// Bytes of delivered messages that may be unconsumed while the peer goes on; nil for automatic.
  var allowance: Int?
  /// Bytes of delivered messages that the application has not consumed.
  private(set) var unconsumed = 0
  /// Bytes that have arrived and have not been credited.
  private(set) var withheld = 0

  /// Bytes have arrived: how many to credit now.
  mutating func received(_ bytes: Int) -> Int {
    withheld += bytes
    return credit()
  }

  /// A message has been handed to the application.
  mutating func delivered(_ bytes: Int) {
    if allowance != nil { unconsumed += bytes }
  }

  /// The application has done with bytes of messages: how many to credit now.
  mutating func consumed(_ bytes: Int) -> Int {
    unconsumed = max(0, unconsumed - bytes)
    return credit()
  }

  /// Goes on by itself from now on: how many bytes to credit now.
  mutating func becomeAutomatic() -> Int {
    allowance = nil
    unconsumed = 0
    return credit()
  }

  private mutating func credit() -> Int {
    if let allowance, unconsumed > allowance { return 0 }
    defer { withheld = 0 }
    return withheld
  }
}
