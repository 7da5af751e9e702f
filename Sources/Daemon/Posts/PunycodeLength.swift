/// The length of host names in ASCII (RFC 3492).
enum PunycodeLength {
  /// Returns the length of a label in ASCII, including `xn--`; nil if it cannot be encoded.
  ///
  /// O(n²) for labels with non-ASCII characters; those longer than 63 scalars are rejected at once.
  static func of(_ label: ArraySlice<Unicode.Scalar>) -> Int? {
    let basic = label.count { $0.value < 0x80 }
    if basic == label.count { return basic }
    // A label that begins with `xn--` must be all ASCII.
    if label.count >= 4, label.prefix(4).map(\.lowercased) == [0x78, 0x6E, 0x2D, 0x2D] { return nil }
    guard label.count <= 63 else { return nil }
    var (delta, bias, handled, next) = (0, 72, basic, 0x80)
    var length = 4 + basic + (basic > 0 ? 1 : 0)
    while handled < label.count {
      let least = label.lazy.map { Int($0.value) }.filter { $0 >= next }.min()!
      delta += (least - next) * (handled + 1)
      next = least
      for scalar in label {
        if scalar.value < next { delta += 1 }
        guard scalar.value == next else { continue }
        length += digits(of: delta, bias)
        bias = adapted(delta, handled + 1, isFirst: handled == basic)
        delta = 0
        handled += 1
      }
      delta += 1
      next += 1
    }
    return length
  }

  private static func digits(of delta: Int, _ bias: Int) -> Int {
    var (rest, step, digits) = (delta, 36, 1)
    while true {
      let threshold = min(max(step - bias, 1), 26)
      if rest < threshold { return digits }
      rest = (rest - threshold) / (36 - threshold)
      digits += 1
      step += 36
    }
  }

  private static func adapted(_ delta: Int, _ count: Int, isFirst: Bool) -> Int {
    var delta = isFirst ? delta / 700 : delta / 2
    delta += delta / count
    var steps = 0
    while delta > 455 {
      delta /= 35
      steps += 36
    }
    return steps + 36 * delta / (delta + 38)
  }
}
