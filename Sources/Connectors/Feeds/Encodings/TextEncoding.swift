/// The encoding of a document, found as browsers find it: a byte order mark, the `charset` of HTTP, the document's own
/// declaration, and otherwise UTF-8 or, where it cannot be that, Windows-1252.
///
/// Servers and templates often claim a wrong encoding. A document that is well-formed UTF-8 and not only ASCII is
/// UTF-8, whatever a claim of a single-byte encoding says: no other text of any length looks like it by chance.
struct TextEncoding: Equatable {
  /// The name in lower case, such as `utf-8` or `windows-1252`.
  let name: String
  /// The bytes of the mark at the front.
  let markLength: Int

  /// Finds the encoding of a document.
  ///
  /// - Parameters:
  ///   - document: all bytes of it.
  ///   - charset: the parameter of HTTP's `Content-Type`; nil if there is none.
  init(of document: [UInt8], charset: String? = nil) {
    if document.starts(with: [0xEF, 0xBB, 0xBF]) {
      self.init(name: "utf-8", markLength: 3)
    } else if document.starts(with: [0xFF, 0xFE]) {
      self.init(name: "utf-16le", markLength: 2)
    } else if document.starts(with: [0xFE, 0xFF]) {
      self.init(name: "utf-16be", markLength: 2)
    } else if document.starts(with: [0x3C, 0x00]) {
      self.init(name: "utf-16le", markLength: 0)
    } else if document.starts(with: [0x00, 0x3C]) {
      self.init(name: "utf-16be", markLength: 0)
    } else {
      let claimed = (charset.map(Self.canonical) ?? Self.declared(in: document).map(Self.canonical))
      self.init(name: Self.checked(claimed, document), markLength: 0)
    }
  }

  private init(name: String, markLength: Int) {
    self.name = name
    self.markLength = markLength
  }

  /// Returns the encoding that a document without a mark has, if it claims this one.
  private static func checked(_ claimed: String?, _ document: [UInt8]) -> String {
    let isUTF8 = String(validating: document, as: UTF8.self) != nil
    // UTF-16 would have begun with a zero byte in its first two.
    guard let claimed, !claimed.hasPrefix("utf-16"), !claimed.hasPrefix("utf-32") else {
      return isUTF8 ? "utf-8" : "windows-1252"
    }
    if claimed == "utf-8" || (isUTF8 && Self.isSingleByte(claimed)) { return "utf-8" }
    return claimed
  }

  /// Returns a name in lower case; ASCII and Latin-1 mean Windows-1252, as everywhere on the web (WHATWG Encoding).
  private static func canonical(_ label: String) -> String {
    let name = label.lowercased().filter { !$0.isWhitespace && $0 != "\"" && $0 != "'" }
    switch name {
    case "utf8", "unicode-1-1-utf-8": return "utf-8"
    case "ascii", "us-ascii", "iso-8859-1", "iso8859-1", "latin1", "l1", "cp1252", "x-cp1252": return "windows-1252"
    default: return name
    }
  }

  private static func isSingleByte(_ name: String) -> Bool {
    ["windows-125", "iso-8859-", "koi8-", "cp125", "macintosh"].contains { name.hasPrefix($0) }
  }

  /// Returns the name in `<?xml … encoding="…"?>`; nil if there is none.
  private static func declared(in document: [UInt8]) -> String? {
    let head = String(decoding: document.prefix(256), as: UTF8.self)
    guard let start = head.firstRange(of: "<?xml"), let end = head[start.upperBound...].firstRange(of: "?>"),
      let word = head[start.upperBound..<end.lowerBound].firstRange(of: "encoding")
    else { return nil }
    let parts = head[word.upperBound..<end.lowerBound].split(
      omittingEmptySubsequences: false, whereSeparator: { $0 == "\"" || $0 == "'" })
    return parts.count > 1 ? String(parts[1]) : nil
  }

  /// Returns false if the document is to be read as UTF-8 and is not. O(length).
  func isValid(_ document: [UInt8]) -> Bool {
    name != "utf-8" || String(validating: document.dropFirst(markLength), as: UTF8.self) != nil
  }

  /// Returns the document in UTF-8, without its mark. Invalid bytes become U+FFFD; nil if the
  /// encoding is unknown.
  func decode(_ document: [UInt8]) -> [UInt8]? {
    let body = document.dropFirst(markLength)
    switch name {
    case "utf-8":
      return String(validating: body, as: UTF8.self) != nil
        ? Array(body) : Array(String(decoding: body, as: UTF8.self).utf8)
    case "utf-16le", "utf-16be": return Self.decodeUTF16(body, isBigEndian: name == "utf-16be")
    case "windows-1252": return Self.decodeWindows1252(body)
    default: return EncodingTable.decode(Array(body), from: name)
    }
  }

  private static func decodeUTF16(_ bytes: ArraySlice<UInt8>, isBigEndian: Bool) -> [UInt8] {
    var units: [UInt16] = []
    units.reserveCapacity(bytes.count / 2)
    var position = bytes.startIndex
    while position + 1 < bytes.endIndex {
      let (first, second) = (UInt16(bytes[position]), UInt16(bytes[position + 1]))
      units.append(isBigEndian ? first << 8 | second : second << 8 | first)
      position += 2
    }
    return Array(String(decoding: units, as: UTF16.self).utf8)
  }

  private static func decodeWindows1252(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count + bytes.count / 8)
    for byte in bytes {
      guard byte >= 0x80 else {
        output.append(byte)
        continue
      }
      let value = byte < 0xA0 ? windows1252[Int(byte - 0x80)] : UInt16(byte)
      if let scalar = Unicode.Scalar(value) { output += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter }
    }
    return output
  }

  /// 0x80 to 0x9F of Windows-1252; bytes without a meaning stay controls, as in WHATWG's index.
  private static let windows1252: [UInt16] = [
    0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D, 0x017D,
    0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D,
    0x017E, 0x0178,
  ]
}
