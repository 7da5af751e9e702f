/// Decides how much of what a peer has sent on one stream is credited back to it, so that it may send more.
///
/// Automatic: at once. Manual: while at most `allowance` bytes of delivered messages are unconsumed; beyond that the
/// stream's window runs out. Incomplete messages do not count, or one larger than the window could never arrive; the
/// request limit bounds those.
struct ReceiveWindow {
  /// Bytes of delivered messages that may be unconsumed while the peer keeps sending; nil for automatic.
  var allowance: Int?
  /// Bytes of delivered messages that the application has not consumed.
  private(set) var unconsumed = 0
  /// Bytes that have arrived and have not been credited.
  private(set) var uncredited = 0

  /// Counts bytes that arrived. Returns how many to credit now.
  mutating func received(_ bytes: Int) -> Int {
    uncredited += bytes
    return credit()
  }

  /// Counts a message handed to the application.
  mutating func delivered(_ bytes: Int) {
    if allowance != nil { unconsumed += bytes }
  }

  /// Counts bytes that the application has processed. Returns how many to credit now.
  mutating func consumed(_ bytes: Int) -> Int {
    unconsumed = max(0, unconsumed - bytes)
    return credit()
  }

  /// Switches to automatic crediting. Returns how many bytes to credit now.
  mutating func becomeAutomatic() -> Int {
    allowance = nil
    unconsumed = 0
    return credit()
  }

  private mutating func credit() -> Int {
    if let allowance, unconsumed > allowance { return 0 }
    defer { uncredited = 0 }
    return uncredited
  }
}
