/// Finds links as twitter-text 3.1.0 does (`extract_urls_with_indices`), by hand instead of by a regular expression,
/// whose cost nobody knows: O(n) but for hosts of very many labels.
///
/// A link has `http://` or `https://` before it, or ends its host in a top-level domain that there is
/// (``TopLevelDomains``); one without may not have a "-", "_", "." or "/" before it, and of its host what is ASCII
/// counts.
struct LinkFinder {
  /// A link that was found.
  struct Link: Equatable {
    /// Scalars.
    var range: Range<Int>
    var hasScheme: Bool
  }

  /// Scalars of a link, `https://` among them.
  private static let lengthLimit = 4_096
  /// Letters of what a shortened link is known by at t.co.
  private static let shortNameLimit = 40

  private let text: ScalarText
  /// A host behind a scheme need not end in a domain that there is, if it has the shape of one.
  private let takesAnyHost: Bool
  private var links: [Link] = []
  /// Where the next may begin: the character before it must not be in a link either.
  private var end = 0
  /// Before it no host begins that has no scheme.
  private var hostless = 0

  private init(_ text: ScalarText, takesAnyHost: Bool) {
    self.text = text
    self.takesAnyHost = takesAnyHost
  }

  /// The links of `text`, in order.
  static func find(in text: ScalarText, takesAnyHost: Bool) -> [Link] {
    guard text.scalars.contains(where: { $0 == "." || $0 == ":" }) else { return [] }
    var finder = LinkFinder(text, takesAnyHost: takesAnyHost)
    var index = 0
    while index < text.count {
      finder.look(at: index)
      index = max(index + 1, finder.end)
    }
    return finder.links
  }

  /// Takes the link that begins at `start`, if one does.
  private mutating func look(at start: Int) {
    guard text.scalars[start].isDomain, mayBegin(at: start) else { return }
    let scheme = text.has("http://", at: start) ? 7 : text.has("https://", at: start) ? 8 : 0
    if scheme > 0 { return takeLink(at: start, host: start + scheme) }
    guard start >= hostless, let host = domain(at: start, notesFailure: true) else { return }
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

  private mutating func takeLink(at start: Int, host begin: Int) {
    guard let host = domain(at: begin, notesFailure: false) ?? (takesAnyHost ? plausibleHost(at: begin) : nil) else {
      return
    }
    let rest = tail(after: host.upperBound)
    end = rest.end
    var last = rest.end
    if host.count == 4, text.has("t.co/", at: begin) {
      let name = begin + 5..<text.end(from: begin + 5, below: rest.end) { $0.isASCIILetterOrDigit }
      if name.count > Self.shortNameLimit { return }
      // Nothing but what follows a "?" belongs to a short link.
      if !name.isEmpty, text[name.upperBound] != "?" { last = name.upperBound }
    }
    if isSound(host, length: last - start) { links.append(Link(range: start..<last, hasScheme: true)) }
    end = last
  }

  /// Whether what stands before `start` may stand before a link.
  private func mayBegin(at start: Int) -> Bool {
    if start == 0 { return true }
    guard start > end || end == 0 else { return false }
    let before = text.scalars[start - 1]
    if before.isASCIILetterOrDigit || before.isAtSign || before.isHashSign || before == "$" { return false }
    return ![0xFFFE, 0xFEFF, 0xFFFF].contains(before.value)
  }

  // MARK: Hosts

  /// The longest host at `start` that ends in a top-level domain. With `notesFailure`, where there is none, `hostless`
  /// passes what cannot be the beginning of another.
  private mutating func domain(at start: Int, notesFailure: Bool) -> Range<Int>? {
    var dots: [Int] = []
    var label = start
    while true {
      let run = text.end(from: label) { $0.isDomain || $0 == "-" || $0 == "_" }
      guard text[run] == ".", run > label, text.scalars[label].isDomain, text.scalars[run - 1].isDomain else {
        if notesFailure { hostless = max(label + 1, run > label && text.scalars[label].isDomain ? run : label) }
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

  /// The end of a top-level domain at `index`; nil where none is there.
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

  /// The hosts of ASCII and Latin letters inside of a host.
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

  /// What has the shape of a host: labels of letters, digits and "-", of which "-" neither begins nor ends one.
  private func plausibleHost(at start: Int) -> Range<Int>? {
    let end = text.end(from: start) { $0.isASCIILetterOrDigit || $0 == "-" || $0 == "." }
    var host = start..<end
    while let last = host.last, text.scalars[last] == "." { host = start..<last }
    if let next = text[end], next.isDomain || next == "_" { return nil }
    let labels = text.scalars[host].split(separator: ".", omittingEmptySubsequences: false)
    guard labels.allSatisfy({ !$0.isEmpty && $0.first != "-" && $0.last != "-" }) else { return nil }
    return host
  }

  /// Whether a host can be one where names are asked for: as Punycode each label has at most 63 letters.
  private func isSound(_ host: Range<Int>, length: Int) -> Bool {
    var length = length
    for label in text.scalars[host].split(separator: ".", omittingEmptySubsequences: false) {
      guard let encoded = Punycode.length(of: label), encoded <= 63 else { return false }
      length += encoded - label.count
    }
    return length <= Self.lengthLimit
  }

  // MARK: What follows a host

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

  /// The end of a path: behind the last character, or group in parentheses, with which one may end.
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

  /// The end of characters in parentheses, in which there may be others once more.
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
