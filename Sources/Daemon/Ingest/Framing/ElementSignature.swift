/// The beginning of a file's elements: the first key, and the second if the value of the first is not a container.
///
/// All elements of an export are written by one program and therefore begin alike. If brackets or quotes of an element
/// do not match and it seems to run into the next ones, reading resumes at the next position that begins alike, after a
/// comma or a closing bracket.
struct ElementSignature: Equatable {
  private let first: [UInt8]
  private let second: [UInt8]

  /// Creates the signature of the object at the start of `element`; nil if it does not begin as an object with a field.
  init?(of element: [UInt8]) {
    guard let keys = Self.keys(of: element, at: 0) else { return nil }
    first = Array(element[keys.first])
    second = Array(element[keys.second])
  }

  /// Returns the first position after the start of `element` at which another element begins; nil if there is none.
  /// O(n).
  func nextElement(in element: [UInt8]) -> Int? {
    var previous = UInt8(ascii: "{")
    var onNewLine = false
    for (at, byte) in element.enumerated().dropFirst() {
      switch byte {
      case 0x0A: onNewLine = true
      case 0x20, 0x0D, 0x09: break
      default:
        if byte == UInt8(ascii: "{"), separates(previous, onNewLine), matches(element, at: at) { return at }
        previous = byte
        onNewLine = false
      }
    }
    return nil
  }

  /// True if an element may begin after `byte`: after a comma or a closing bracket, and on a new line after any byte
  /// that does not require a value.
  private func separates(_ byte: UInt8, _ onNewLine: Bool) -> Bool {
    switch byte {
    case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"): true
    case UInt8(ascii: ":"), UInt8(ascii: "["): false
    default: onNewLine
    }
  }

  private func matches(_ element: [UInt8], at start: Int) -> Bool {
    guard let keys = Self.keys(of: element, at: start) else { return false }
    return element[keys.first].elementsEqual(first) && element[keys.second].elementsEqual(second)
  }

  /// Returns the ranges of the first and the second key of the object at `start`; the second is empty if the first
  /// value is a container.
  private static func keys(of element: [UInt8], at start: Int) -> (first: Range<Int>, second: Range<Int>)? {
    var at = start + 1
    guard start < element.count, element[start] == UInt8(ascii: "{"), let first = string(of: element, &at) else {
      return nil
    }
    skipSpace(element, &at)
    guard at < element.count, element[at] == UInt8(ascii: ":") else { return nil }
    at += 1
    skipSpace(element, &at)
    guard at < element.count else { return nil }
    if element[at] == UInt8(ascii: "{") || element[at] == UInt8(ascii: "[") { return (first, 0..<0) }
    if element[at] == UInt8(ascii: "\"") {
      guard string(of: element, &at) != nil else { return nil }
    }
    let literalEnd = min(element.count, at + 64)
    while at < literalEnd, element[at] != UInt8(ascii: ",") {
      if element[at] == UInt8(ascii: "}") { return (first, 0..<0) }
      at += 1
    }
    at += 1
    guard let second = string(of: element, &at) else { return nil }
    return (first, second)
  }

  /// Returns the range of the content of the next string; nil if there is none, or it is longer than 256 bytes.
  private static func string(of element: [UInt8], _ at: inout Int) -> Range<Int>? {
    skipSpace(element, &at)
    guard at < element.count, element[at] == UInt8(ascii: "\"") else { return nil }
    let start = at + 1
    at = start
    let end = min(element.count, start + 256)
    while at < end {
      if element[at] == UInt8(ascii: "\"") {
        at += 1
        return start..<at - 1
      }
      at += element[at] == UInt8(ascii: "\\") ? 2 : 1
    }
    return nil
  }

  private static func skipSpace(_ element: [UInt8], _ at: inout Int) {
    while at < element.count, [0x20, 0x0A, 0x0D, 0x09].contains(element[at]) { at += 1 }
  }
}
