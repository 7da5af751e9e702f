internal import UV

extension Loop {
  /// Runs the loop for `time`.
  func wait(_ time: Duration) {
    var isOver = false
    guard let timer = try? UV.Timer(loop: self, { isOver = true }) else { return }
    timer.arm(after: time)
    while !isOver { run(.once) }
    timer.close()
  }

  /// The monotonic clock, in milliseconds.
  static var monotonicMilliseconds: Int64 {
    let parts = now.components
    return parts.seconds * 1000 + parts.attoseconds / 1_000_000_000_000_000
  }
}
