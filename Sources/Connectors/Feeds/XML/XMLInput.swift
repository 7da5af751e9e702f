internal import Ingest

/// A document in UTF-8 prepared for libxml2: without a document type, controls and names of HTML entities.
///
/// Feeds are written by templates, so a bare `&`, `&nbsp;` and stray controls are common, and all of them would end or
/// cut the document. A document type could declare entities that unfold into gigabytes; no feed needs one.
struct XMLInput {
  /// The most attributes of an element. libxml2 compares each with all others; a document ends before an element that has
  /// more.
  static let attributeLimit = 1_000

  /// The document, from its first `<` on.
  let bytes: [UInt8]
  /// True if the document declares entities and refers to some that are not HTML's: these references stay as they are.
  let hasOwnEntities: Bool

  /// Prepares a document in UTF-8. O(length).
  init(_ document: [UInt8]) {
    var output: [UInt8] = []
    output.reserveCapacity(document.count + document.count / 16)
    var position = document.firstIndex(of: UInt8(ascii: "<")) ?? document.count
    var hasType = false
    var declaresEntities = false
    var hasUnknown = false
    while position < document.count {
      let byte = document[position]
      switch byte {
      case UInt8(ascii: "<") where Self.isDocumentType(document, position):
        let end = hasType ? Self.end(document, position, of: ">") : Self.endOfDocumentType(document, position)
        declaresEntities = declaresEntities || (position..<end).contains { Self.starts(document, $0, "<!ENTITY") }
        hasType = true
        position = end
      case UInt8(ascii: "<"): position = Self.copyMarkup(document, at: position, to: &output)
      case UInt8(ascii: "&"):
        let end = Self.copyReference(document, at: position, to: &output)
        hasUnknown = hasUnknown || end == position + 1
        position = end
      case 0x00..<0x20 where byte != 0x09 && byte != 0x0A && byte != 0x0D:
        output.append(0x20)
        position += 1
      default:
        output.append(byte)
        position += 1
      }
    }
    output.removeSubrange(Self.endOfReadable(output)...)
    bytes = output
    hasOwnEntities = declaresEntities && hasUnknown
  }

  /// Returns the position of the first tag with more than ``attributeLimit`` attributes, or the end. Attributes are
  /// counted as long as libxml2 reads on in a tag: each has a value in quotes, without a `<`.
  private static func endOfReadable(_ document: [UInt8]) -> Int {
    var position = 0
    var tag: Int?
    var count = 0
    var quote: UInt8?
    while position < document.count {
      let byte = document[position]
      switch byte {
      case UInt8(ascii: "<") where starts(document, position, "<![CDATA["):
        (tag, quote) = (nil, nil)
        position = end(document, position, of: "]]>")
        continue
      case UInt8(ascii: "<"): (tag, count, quote) = (position, 0, nil)
      case _ where tag == nil: break
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        if let open = quote {
          if byte == open { quote = nil }
        } else {
          quote = byte
          count += 1
          if count > attributeLimit, let tag { return tag }
        }
      case UInt8(ascii: ">") where quote == nil: tag = nil
      default: break
      }
      position += 1
    }
    return document.count
  }

  /// Copies what begins with the `<` at `position` as far as it must stay unchanged. Returns where to go on.
  private static func copyMarkup(_ document: [UInt8], at position: Int, to output: inout [UInt8]) -> Int {
    if starts(document, position, "<![CDATA[") { return copy(document, position, through: "]]>", to: &output) }
    if starts(document, position, "<!--") { return end(document, position + 4, of: "-->") }
    // The declaration tells the encoding before the document was decoded.
    if starts(document, position, "<?xml ") || starts(document, position, "<?xml\t") {
      return end(document, position, of: "?>")
    }
    output.append(document[position])
    return position + 1
  }

  /// Copies the reference that begins with the `&` at `position`, a known name as its number, or the sign alone.
  private static func copyReference(_ document: [UInt8], at position: Int, to output: inout [UInt8]) -> Int {
    guard let (text, end) = Entities.decode(document, at: position),
      let scalar = String(decoding: text, as: UTF8.self).unicodeScalars.first
    else {
      output += "&amp;".utf8
      return position + 1
    }
    // XML 1.0 allows no other controls, not even as references.
    let isAllowed = scalar.value >= 0x20 && scalar.value != 0xFFFE && scalar.value != 0xFFFF
    output += isAllowed || [0x09, 0x0A, 0x0D].contains(scalar.value) ? "&#\(scalar.value);".utf8 : " ".utf8
    return end
  }

  private static func starts(_ document: [UInt8], _ position: Int, _ word: StaticString) -> Bool {
    position + word.utf8CodeUnitCount <= document.count
      && word.withUTF8Buffer { unsafe $0.elementsEqual(document[position..<position + $0.count]) }
  }

  /// Copies bytes up to and with `terminator`, controls as spaces. Returns the position after it, or the end.
  private static func copy(
    _ document: [UInt8], _ position: Int, through terminator: StaticString, to output: inout [UInt8]
  ) -> Int {
    let end = end(document, position, of: terminator)
    for byte in document[position..<end] {
      output.append(byte < 0x20 && byte != 0x09 && byte != 0x0A && byte != 0x0D ? 0x20 : byte)
    }
    return end
  }

  /// Returns the position after the next `terminator`, or the end.
  private static func end(_ document: [UInt8], _ start: Int, of terminator: StaticString) -> Int {
    let first = unsafe terminator.utf8Start.pointee
    var position = start
    while position < document.count {
      if document[position] == first, starts(document, position, terminator) {
        return position + terminator.utf8CodeUnitCount
      }
      position += 1
    }
    return document.count
  }

  private static func isDocumentType(_ document: [UInt8], _ position: Int) -> Bool {
    starts(document, position, "<!DOCTYPE") || starts(document, position, "<!doctype")
  }

  /// Returns the position after a document type, with the declarations in its brackets. One without an end is over at
  /// the first ">". A document has one; of any other only that much is left out.
  private static func endOfDocumentType(_ document: [UInt8], _ start: Int) -> Int {
    var position = start
    var quote: UInt8?
    var isInBrackets = false
    while position < document.count {
      let byte = document[position]
      if let open = quote {
        if byte == open { quote = nil }
      } else if starts(document, position, "<!--") {
        position = end(document, position + 4, of: "-->")
        continue
      } else if starts(document, position, "<?") {
        position = end(document, position, of: "?>")
        continue
      } else {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = byte
        case UInt8(ascii: "["): isInBrackets = true
        case UInt8(ascii: "]"): isInBrackets = false
        case UInt8(ascii: ">") where !isInBrackets: return position + 1
        default: break
        }
      }
      position += 1
    }
    return end(document, start, of: ">")
  }
}
