/// International names of hosts in ASCII (IDNA, RFC 5891; Punycode, RFC 3492).
enum Punycode {
  /// Returns a name in lower case with each label in ASCII, such as `xn--bcher-kva.example` for `bücher.example`. A name
  /// with characters that IDNA maps to others is left as it is: that takes tables, and what asks for it has them. O(n²)
  /// for labels, which are short.
  static func ascii(_ host: String) -> String {
    guard host.utf8.contains(where: { $0 >= 0x80 }), host.unicodeScalars.allSatisfy(isSettled) else { return host }
    let labels = host.split(separator: ".", omittingEmptySubsequences: false).map { label in
      label.utf8.allSatisfy { $0 < 0x80 } ? String(label) : "xn--" + encode(Array(label.unicodeScalars))
    }
    // Longer labels are not names (RFC 1035, section 2.3.4).
    return labels.allSatisfy { $0.utf8.count <= 63 } ? labels.joined(separator: ".") : host
  }

  /// True for a character that neither a mapping nor a composition changes.
  private static func isSettled(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.value < 0x80 { return true }
    let properties = scalar.properties
    guard !properties.changesWhenNFKCCaseFolded, properties.canonicalCombiningClass == .notReordered else {
      return false
    }
    switch properties.generalCategory {
    // Jamo compose.
    case .otherLetter: return !(0x1100...0x11FF).contains(scalar.value)
    case .lowercaseLetter, .decimalNumber: return true
    default: return false
    }
  }

  private static let base = 36

  /// RFC 3492, section 6.3.
  private static func encode(_ label: [Unicode.Scalar]) -> String {
    var output = String(String.UnicodeScalarView(label.filter(\.isASCII)))
    let basic = output.utf8.count
    if basic > 0 { output += "-" }
    var (next, delta, bias, handled) = (UInt32(128), 0, 72, basic)
    while handled < label.count {
      let least = label.map(\.value).filter { $0 >= next }.min() ?? next
      delta += Int(least - next) * (handled + 1)
      next = least
      for scalar in label {
        if scalar.value < next { delta += 1 }
        guard scalar.value == next else { continue }
        output += digits(delta, bias: bias)
        bias = adapted(delta, count: handled + 1, isFirst: handled == basic)
        delta = 0
        handled += 1
      }
      delta += 1
      next += 1
    }
    return output
  }

  private static func digits(_ delta: Int, bias: Int) -> String {
    var (output, left, position) = ("", delta, base)
    while true {
      let threshold = min(max(position - bias, 1), 26)
      guard left >= threshold else { return output + digit(left) }
      output += digit(threshold + (left - threshold) % (base - threshold))
      left = (left - threshold) / (base - threshold)
      position += base
    }
  }

  private static func digit(_ value: Int) -> String { String(value < 26 ? value + 10 : value - 26, radix: base) }

  /// RFC 3492, section 6.1.
  private static func adapted(_ delta: Int, count: Int, isFirst: Bool) -> Int {
    var delta = isFirst ? delta / 700 : delta / 2
    delta += delta / count
    var bias = 0
    while delta > (base - 1) * 26 / 2 {
      delta /= base - 1
      bias += base
    }
    return bias + base * delta / (delta + 38)
  }
}
