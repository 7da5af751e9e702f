internal import Dates
internal import HTTPSupport

/// The dates that feeds write: those of the standards (RFC 822, RFC 3339, W3CDTF), asctime, and what people type.
///
/// The text is read word by word, so order and punctuation do not matter where the words themselves say what they are:
/// a month has a name, a year four digits, a time a colon. Without a zone it is UTC, without a time midnight.
enum FeedDate {
  /// Returns the instant; nil if there is no date in the text, or one that does not exist. O(length); at most 128 bytes
  /// are read.
  static func parse(_ text: [UInt8]) -> Instant? {
    let text = Array(text.prefix(128))
    if let instant = iso8601(text) { return instant }
    var parts = Parts()
    for word in words(text) where !parts.read(word) { return nil }
    return parts.instant
  }

  /// Reads a text that begins with a year: RFC 3339, W3CDTF (also a year or a month alone), and the basic form
  /// `20040101`.
  private static func iso8601(_ text: [UInt8]) -> Instant? {
    if let instant = Instant(iso8601: text) { return instant }
    guard let year = number(text, 0..<4) else { return nil }
    if text.count == 4 { return instant(year: year, month: 1, day: 1) }
    if text.count == 8, let month = number(text, 4..<6), let day = number(text, 6..<8) {
      return instant(year: year, month: month, day: day)
    }
    guard text.count >= 7, text[4] == UInt8(ascii: "-"), let month = number(text, 5..<7) else { return nil }
    if text.count == 7 { return instant(year: year, month: month, day: 1) }
    // A civil time is taken as UTC.
    guard let civil = CivilTime(iso8601: text.span) else { return nil }
    return Instant(milliseconds: Int64(civil.date.daysSinceEpoch) * 86_400_000 + Int64(civil.millisecondOfDay))
  }

  private static func instant(year: Int, month: Int, day: Int) -> Instant? {
    CivilDate(year: year, month: month, day: day).map { Instant(seconds: Int64($0.daysSinceEpoch) * 86_400) }
  }

  private static func number(_ text: [UInt8], _ range: Range<Int>) -> Int? {
    guard range.upperBound <= text.count, text[range].allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
    return text[range].reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }

  /// Splits a text at spaces and commas, and before a sign that follows a time or a name (`15:04:05+0200`, `GMT+2`).
  private static func words(_ text: [UInt8]) -> [ArraySlice<UInt8>] {
    var words: [ArraySlice<UInt8>] = []
    for piece in text.split(whereSeparator: { $0 <= 0x20 || $0 == UInt8(ascii: ",") || $0 == 0x28 || $0 == 0x29 }) {
      let sign = piece.dropFirst().firstIndex { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") }
      guard let sign, piece.first.map({ !(0x30...0x39 ~= $0) }) == true || piece.contains(UInt8(ascii: ":")) else {
        words.append(piece)
        continue
      }
      words += [piece[..<sign], piece[sign...]]
    }
    return words
  }

  /// The parts of a date found so far.
  private struct Parts {
    private var year: Int?
    private var month: Int?
    private var day: Int?
    private var secondOfDay = 0
    private var offset = 0
    private var isAfternoon: Bool?

    /// Reads a word. Returns false if it belongs to no date.
    mutating func read(_ word: ArraySlice<UInt8>) -> Bool {
      guard let first = word.first else { return true }
      if first == UInt8(ascii: "+") || first == UInt8(ascii: "-") { return readOffset(word) }
      if word.contains(UInt8(ascii: ":")) { return readTime(word) }
      if 0x30...0x39 ~= first { return readNumber(word) }
      return readName(String(decoding: word, as: UTF8.self).lowercased())
    }

    private mutating func readNumber(_ word: ArraySlice<UInt8>) -> Bool {
      let digits = word.prefix { 0x30...0x39 ~= $0 }
      let rest = String(decoding: word[digits.endIndex...], as: UTF8.self).lowercased()
      let value = digits.reduce(0) { min(99_999, $0 * 10 + Int($1 - 0x30)) }
      // 1st, 2nd; a date with dashes or slashes, such as 2-Jan-2004 or 2004-01-02.
      guard rest.isEmpty || ["st", "nd", "rd", "th", "."].contains(rest) else { return readDashed(word) }
      if digits.count == 4 {
        guard year == nil else { return false }
        year = value
      } else if day == nil, digits.count <= 2 {
        day = value
      } else if year == nil, digits.count == 2 {
        // RFC 2822, section 4.3.
        year = value < 50 ? 2000 + value : 1900 + value
      } else {
        return false
      }
      return true
    }

    private mutating func readDashed(_ word: ArraySlice<UInt8>) -> Bool {
      let parts = word.split { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "/") }
      guard parts.count == 3 else { return false }
      if parts[0].count == 4, let date = CivilDate(iso8601: Array(parts.joined(separator: [UInt8(ascii: "-")]))) {
        (year, month, day) = (date.year, date.month, date.day)
        return true
      }
      // The month must have a name: 1/2/2004 means two days.
      guard parts[1].first.map({ !(0x30...0x39 ~= $0) }) == true else { return false }
      return parts.allSatisfy { read($0) }
    }

    private mutating func readTime(_ word: ArraySlice<UInt8>) -> Bool {
      var word = word
      let end = word.lastIndex { 0x30...0x39 ~= $0 }.map { $0 + 1 } ?? word.startIndex
      var suffix = word[end...]
      word = word[..<end]
      if suffix.first == UInt8(ascii: ".") { suffix = [] }
      let parts = word.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false).map { part -> Int? in
        let digits = part.prefix { 0x30...0x39 ~= $0 }
        guard !digits.isEmpty, digits.count <= 2 else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
      }
      guard parts.count == 2 || parts.count == 3, let hour = parts[0], let minute = parts[1], hour <= 24, minute < 60,
        let second = parts.count == 3 ? parts[2] : 0, second <= 60
      else { return false }
      secondOfDay = hour * 3600 + minute * 60 + second
      return suffix.isEmpty || readName(String(decoding: suffix, as: UTF8.self).lowercased())
    }

    private mutating func readOffset(_ word: ArraySlice<UInt8>) -> Bool {
      let digits = word.dropFirst().filter { $0 != UInt8(ascii: ":") }
      guard digits.count <= 4, digits.allSatisfy({ 0x30...0x39 ~= $0 }) else { return false }
      let value = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
      let minutes = digits.count <= 2 ? value * 60 : value / 100 * 60 + value % 100
      guard minutes < 24 * 60 else { return false }
      offset = (word.first == UInt8(ascii: "-") ? -minutes : minutes) * 60
      return true
    }

    private mutating func readName(_ name: String) -> Bool {
      if let number = HTTPDate.month(name.prefix(3)) {
        guard month == nil else { return false }
        month = number
        return true
      }
      if FeedDate.weekdays.contains(String(name.prefix(3))) || name == "at" || name == "of" || name == "t" {
        return true
      }
      if name == "am" || name == "pm" || name == "a.m." || name == "p.m." {
        isAfternoon = name.hasPrefix("p")
        return true
      }
      guard let hours = FeedDate.zones[name] else {
        // An unknown zone is UTC, as RFC 2822 says of unknown letters.
        return name.utf8.allSatisfy { 0x61...0x7A ~= $0 } && name.count <= 5
      }
      if offset == 0 { offset = Int(hours * 3600) }
      return true
    }

    var instant: Instant? {
      guard let year, let month, let date = CivilDate(year: year, month: month, day: day ?? 1) else {
        return nil
      }
      var seconds = secondOfDay
      if let isAfternoon {
        seconds = seconds % 43_200 + (isAfternoon ? 43_200 : 0)
      }
      return Instant(seconds: Int64(date.daysSinceEpoch) * 86_400 + Int64(seconds - offset))
    }
  }

  private static let weekdays: Set<String> = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
  /// Hours east of UTC of the zones in RFC 822 and of those that feeds name most.
  private static let zones: [String: Double] = [
    "ut": 0, "utc": 0, "gmt": 0, "z": 0, "est": -5, "edt": -4, "cst": -6, "cdt": -5, "mst": -7, "mdt": -6, "pst": -8,
    "pdt": -7, "bst": 1, "wet": 0, "west": 1, "cet": 1, "cest": 2, "met": 1, "mest": 2, "eet": 2, "eest": 3, "msk": 3,
    "jst": 9, "kst": 9, "hkt": 8, "ist": 5.5, "aest": 10, "aedt": 11, "acst": 9.5, "awst": 8, "nzst": 12, "nzdt": 13,
    "hst": -10, "akst": -9, "akdt": -8, "ast": -4, "adt": -3, "nst": -3.5, "ndt": -2.5, "brt": -3, "art": -3,
  ]
}
