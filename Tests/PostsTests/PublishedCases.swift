import Glibc

/// A published case of twitter-text (Tests/Fixtures/twitter-text), as far as it applies here.
struct PublishedCase: Sendable, CustomStringConvertible {
  /// The group of the case: `urls`, `hashtags` and so on.
  var group: String
  /// The published description.
  var description: String
  var text = ""
  /// The expected spans without their sign; lists are left out.
  var found: [String] = []
  var weightedLength: Int?

  /// Reads the cases of a file. Supports only the YAML in these files.
  static func read(_ file: String) -> [PublishedCase] {
    var cases: [PublishedCase] = []
    var group = ""
    for line in lines(file) {
      let indent = line.prefix { $0 == " " }.count
      var words = line.dropFirst(indent)
      if words.hasPrefix("#") { continue }
      let isItem = words.hasPrefix("- ")
      if isItem { words = words.dropFirst(2) }
      guard let colon = words.firstIndex(of: ":") else { continue }
      let key = String(words[..<colon])
      let value = words[words.index(after: colon)...].drop { $0 == " " }
      switch key {
      case "description": cases.append(PublishedCase(group: group, description: strings(value).first ?? ""))
      case "text": cases[cases.count - 1].text = strings(value).first ?? ""
      case "expected": cases[cases.count - 1].found = strings(value)
      case "url", "hashtag", "screen_name": cases[cases.count - 1].found += strings(value)
      case "list_slug": if strings(value) != [""] { cases[cases.count - 1].found.removeLast() }
      case "weightedLength": cases[cases.count - 1].weightedLength = Int(value)
      default: if indent == 2, !isItem, value.isEmpty { group = key }
      }
    }
    return cases
  }

  /// Returns the double-quoted strings of a line.
  private static func strings(_ words: Substring) -> [String] {
    var found: [String] = []
    var string: String.UnicodeScalarView?
    var scalars = String(words).unicodeScalars.makeIterator()
    while let scalar = scalars.next() {
      switch (scalar, string) {
      case ("\"", nil): string = String.UnicodeScalarView()
      case ("\"", let whole?):
        found.append(String(whole))
        string = nil
      case ("\\", .some): string!.append(escaped(&scalars))
      case (_, .some): string!.append(scalar)
      default: break
      }
    }
    return found
  }

  private static func escaped(_ scalars: inout String.UnicodeScalarView.Iterator) -> Unicode.Scalar {
    let kind = scalars.next()
    if kind == "n" { return "\n" }
    let digits = kind == "u" ? 4 : kind == "U" ? 8 : 0
    guard digits > 0 else { return kind ?? "\\" }
    let number = (0..<digits).reduce(0) { number, _ in
      number * 16 + (scalars.next().flatMap { Character($0).hexDigitValue } ?? 0)
    }
    return Unicode.Scalar(UInt32(number)) ?? "\u{FFFD}"
  }

  private static func lines(_ name: String) -> [Substring] {
    let root = "/" + "\(#filePath)".split(separator: "/").dropLast(3).joined(separator: "/")
    guard let file = unsafe fopen("\(root)/Tests/Fixtures/twitter-text/\(name)", "rb") else { return [] }
    defer { unsafe fclose(file) }
    var content: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = unsafe fread(&chunk, 1, chunk.count, file)
      guard count > 0 else { break }
      content += chunk[..<count]
    }
    return String(decoding: content, as: UTF8.self).split(separator: "\n")
  }
}
