/// How the elements of a file begin: the first key, and the second where the first's value is no container.
///
/// All elements of an export are written by one program, so they begin alike. That is how reading goes on where
/// brackets or quotes of one element do not match and it seems to run into the next ones: a place that begins alike,
/// after a comma or a closing bracket, is the next element.
struct ElementSignature: Equatable {
  private let first: [UInt8]
  private let second: [UInt8]

  /// The signature of the object at the start of `element`; nil if it does not begin as an object with a field.
  init?(of element: [UInt8]) {
    guard let keys = Self.keys(of: element, at: 0) else { return nil }
    first = Array(element[keys.first])
    second = Array(element[keys.second])
  }

  /// The first place after the start of `element` where another one begins; nil if there is none. O(n).
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

  /// Whether an element may begin after `byte`: after a comma or a closing bracket, and on a new line after anything
  /// that does not ask for a value.
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

  /// The ranges of the first key and of the second (empty if the first's value is a container) of the object at
  /// `start`.
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

  /// The range of what is inside the string that comes next; nil if none does. Strings of more than 256 bytes are none.
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
