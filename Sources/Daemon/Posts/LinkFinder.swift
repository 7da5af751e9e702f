/// Finds links as twitter-text 3.1.0 does (`extract_urls_with_indices`).
///
/// Written by hand, because the cost of the regular expression is unknown. O(n) except for hosts of very many labels.
///
/// A link begins with `http://` or `https://`, or its host ends in an existing top-level domain (``TopLevelDomains``).
/// Without a scheme it must not follow "-", "_", "." or "/", and only the ASCII part of its host counts.
///
/// An address that names a user (`http://user:password@host`) is not a link, and neither is a part of it: it shows one
/// host and leads to another. twitter-text takes `http://example.com` for a link in `http://example.com:x@host`; in
/// lengths it counts as one.
struct LinkFinder {
  /// A link found in the text.
  struct Link: Equatable {
    /// In scalars.
    var range: Range<Int>
    var hasScheme: Bool
  }

  /// The maximum length of a link in scalars, including `https://`.
  private static let lengthLimit = 4_096
  /// The maximum length of the name of a shortened link at t.co.
  private static let shortNameLimit = 40

  private let text: ScalarText
  /// True if a host after a scheme may end in any domain, as long as it is shaped like a host.
  private let takesAnyHost: Bool
  private var links: [Link] = []
  /// The end of the last link. The next one begins after it, with at least one character in between.
  private var end = 0
  /// No host without a scheme begins before this index.
  private var hostless = 0

  private init(_ text: ScalarText, takesAnyHost: Bool) {
    self.text = text
    self.takesAnyHost = takesAnyHost
  }

  /// Returns the links of `text`, in order.
  static func find(in text: ScalarText, takesAnyHost: Bool) -> [Link] {
    guard text.scalars.contains(where: { $0 == "." || $0 == ":" }) else { return [] }
    var finder = LinkFinder(text, takesAnyHost: takesAnyHost)
    var index = 0
    while index < text.count {
      finder.addLinks(at: index)
      index = max(index + 1, finder.end)
    }
    return finder.links
  }

  /// Adds the link that begins at `start`, or the links in the host there.
  private mutating func addLinks(at start: Int) {
    guard text.scalars[start].isDomain, mayBegin(at: start) else { return }
    let scheme = text.has("http://", at: start) ? 7 : text.has("https://", at: start) ? 8 : 0
    if scheme > 0 { return addLink(at: start, host: start + scheme) }
    guard start >= hostless, let host = domain(at: start, recordsFailure: true) else { return }
    let rest = tail(after: host.upperBound)
    end = rest.end
    if start > 0, "-_./".unicodeScalars.contains(text.scalars[start - 1]) { return }
    var found: [Link] = []
    for part in asciiDomains(in: host) where isSound(part, length: rest.end - start + 8) {
      found.append(Link(range: part, hasScheme: false))
    }
    guard let last = found.popLast() else { return }
    links += found
    links.append(
      Link(range: last.range.lowerBound..<(rest.hasPath ? rest.end : last.range.upperBound), hasScheme: false))
  }

  private mutating func addLink(at start: Int, host begin: Int) {
    if takesAnyHost, let sign = userEnd(from: begin) {
      end = sign
      return
    }
    guard let host = domain(at: begin, recordsFailure: false) ?? (takesAnyHost ? plausibleHost(at: begin) : nil) else {
      return
    }
    let rest = tail(after: host.upperBound)
    end = rest.end
    var last = rest.end
    if host.count == 4, text.has("t.co/", at: begin) {
      let name = begin + 5..<text.end(from: begin + 5, below: rest.end) { $0.isASCIILetterOrDigit }
      if name.count > Self.shortNameLimit { return }
      // A short link includes a query after its name, and nothing else.
      if !name.isEmpty, text[name.upperBound] != "?" { last = name.upperBound }
    }
    if isSound(host, length: last - start) { links.append(Link(range: start..<last, hasScheme: true)) }
    end = last
  }

  /// Returns the position of the "@" after the user in an address (RFC 3986, section 3.2.1); nil if it names none.
  private func userEnd(from start: Int) -> Int? {
    let end = text.end(from: start) { $0.isUser }
    return text[end] == "@" ? end : nil
  }

  /// True if the character before `start` may precede a link.
  private func mayBegin(at start: Int) -> Bool {
    if start == 0 { return true }
    guard start > end || end == 0 else { return false }
    let before = text.scalars[start - 1]
    if before.isASCIILetterOrDigit || before.isAtSign || before.isHashSign || before == "$" { return false }
    return ![0xFFFE, 0xFEFF, 0xFFFF].contains(before.value)
  }

  // MARK: Hosts

  /// Returns the longest host at `start` that ends in a top-level domain.
  ///
  /// If there is none and `recordsFailure` is set, moves `hostless` past everything that cannot begin another host.
  private mutating func domain(at start: Int, recordsFailure: Bool) -> Range<Int>? {
    var dots: [Int] = []
    var label = start
    while true {
      let run = text.end(from: label) { $0.isDomain || $0 == "-" || $0 == "_" }
      guard text[run] == ".", run > label, text.scalars[label].isDomain, text.scalars[run - 1].isDomain else {
        if recordsFailure { hostless = max(label + 1, run > label && text.scalars[label].isDomain ? run : label) }
        break
      }
      dots.append(run)
      label = run + 1
    }
    for (number, dot) in dots.enumerated().reversed() {
      let name = (number == 0 ? start : dots[number - 1] + 1)..<dot
      guard !text.scalars[name].contains("_"), let last = topLevelDomain(at: dot + 1, below: text.count) else {
        continue
      }
      return start..<last
    }
    return nil
  }

  /// Returns the end of a top-level domain at `index`; nil if there is none.
  private func topLevelDomain(at index: Int, below limit: Int) -> Int? {
    if text.has("xn--", at: index), index + 4 < limit {
      let end = text.end(from: index + 4, below: limit) { $0.isASCIILetterOrDigit }
      if end > index + 4 { return end }
    }
    let letters = text.end(from: index, below: limit) { $0.isASCIILetter }
    let end: Int
    if letters > index {
      var name = String.UnicodeScalarView()
      for scalar in text.scalars[index..<letters] { name.append(Unicode.Scalar(scalar.lowercased)!) }
      guard letters - index <= 24, TopLevelDomains.contains(ascii: String(name)) else { return nil }
      end = letters
    } else {
      guard let length = TopLevelDomains.prefixLength(of: text.scalars[index..<limit]) else { return nil }
      end = index + length
    }
    if end < limit, text.scalars[end].isASCIILetterOrDigit || "@+-".unicodeScalars.contains(text.scalars[end]) {
      return nil
    }
    return end
  }

  /// Returns the hosts of ASCII and Latin letters within a host.
  private func asciiDomains(in host: Range<Int>) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var start = host.lowerBound
    while start < host.upperBound {
      var dots: [Int] = []
      var label = start
      while true {
        let run = text.end(from: label, below: host.upperBound) { $0.isName || $0 == "-" || $0.isLatinAccent }
        guard run > label, run < host.upperBound, text.scalars[run] == "." else {
          label = max(run, label)
          break
        }
        dots.append(run)
        label = run + 1
      }
      if let last = dots.reversed().lazy.compactMap({ topLevelDomain(at: $0 + 1, below: host.upperBound) }).first {
        found.append(start..<last)
        start = last
      } else {
        start = max(label, start + 1)
      }
    }
    return found
  }

  /// Returns a range shaped like a host: labels of letters, digits and "-" that neither begin nor end with "-".
  private func plausibleHost(at start: Int) -> Range<Int>? {
    let end = text.end(from: start) { $0.isASCIILetterOrDigit || $0 == "-" || $0 == "." }
    var host = start..<end
    while let last = host.last, text.scalars[last] == "." { host = start..<last }
    if let next = text[end], next.isDomain || next == "_" { return nil }
    let labels = text.scalars[host].split(separator: ".", omittingEmptySubsequences: false)
    guard labels.allSatisfy({ !$0.isEmpty && $0.first != "-" && $0.last != "-" }) else { return nil }
    return host
  }

  /// True if a host can exist in the DNS: in Punycode each label has at most 63 letters.
  private func isSound(_ host: Range<Int>, length: Int) -> Bool {
    var length = length
    for label in text.scalars[host].split(separator: ".", omittingEmptySubsequences: false) {
      guard let encoded = PunycodeLength.of(label), encoded <= 63 else { return false }
      length += encoded - label.count
    }
    return length <= Self.lengthLimit
  }

  // MARK: Port, path and query

  private func tail(after host: Int) -> (end: Int, hasPath: Bool) {
    var end = host
    if text[end] == ":" {
      let port = text.end(from: end + 1) { $0.isASCIIDigit }
      if port > end + 1 { end = port }
    }
    let hasPath = text[end] == "/"
    if hasPath { end = path(from: end + 1) }
    if text[end] == "?" {
      var query = text.end(from: end + 1) { $0.isQuery }
      while query > end + 1, !text.scalars[query - 1].isQueryEnd { query -= 1 }
      if query > end + 1 { end = query }
    }
    return (end, hasPath)
  }

  /// Returns the end of a path: after the last character or parenthesised group that a path may end with.
  private func path(from start: Int) -> Int {
    var (index, end) = (start, start)
    while let scalar = text[index] {
      if scalar == "(", let behind = group(at: index) {
        (index, end) = (behind, behind)
      } else if scalar.isPath {
        index += 1
        if scalar.isPathEnd { end = index }
      } else {
        break
      }
    }
    return end
  }

  /// Returns the end of a parenthesised group, which may contain one nested group.
  private func group(at start: Int) -> Int? {
    let first = text.end(from: start + 1) { $0.isPath }
    if text[first] == ")" { return first > start + 1 ? first + 1 : nil }
    guard text[first] == "(" else { return nil }
    let second = text.end(from: first + 1) { $0.isPath }
    guard second > first + 1, text[second] == ")" else { return nil }
    let third = text.end(from: second + 1) { $0.isPath }
    return text[third] == ")" ? third + 1 : nil
  }
}
