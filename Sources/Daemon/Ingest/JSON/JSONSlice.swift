/// Cuts the text of a field, byte for byte, out of an object's text, which a parsed document no longer has.
enum JSONSlice {
  /// Returns the text of the value of the first field `key` of the minified, well-formed object `document`; empty if
  /// there is none. O(n).
  static func field(_ key: StaticString, of document: [UInt8]) -> [UInt8] {
    var position = 1
    guard document.first == UInt8(ascii: "{") else { return [] }
    while position < document.count, document[position] == UInt8(ascii: "\"") {
      let keyEnd = end(of: document, from: position)
      let valueEnd = end(of: document, from: keyEnd + 1)
      guard keyEnd < document.count, valueEnd <= document.count else { return [] }
      if matches(key, document[position + 1..<keyEnd - 1]) { return Array(document[keyEnd + 1..<valueEnd]) }
      position = valueEnd + 1
    }
    return []
  }

  /// Returns the text of the value of the only field, `key`, of the minified, well-formed object `document`, without
  /// searching.
  static func onlyField(_ key: StaticString, of document: [UInt8]) -> [UInt8] {
    Array(document[(key.utf8CodeUnitCount + 4)..<(document.count - 1)])
  }

  /// Returns the texts of the elements of the minified, well-formed array `document`. O(n).
  static func elements(of document: [UInt8]) -> [ArraySlice<UInt8>] {
    guard document.first == UInt8(ascii: "["), document.count > 2 else { return [] }
    var elements: [ArraySlice<UInt8>] = []
    var position = 1
    while position < document.count {
      let valueEnd = end(of: document, from: position)
      guard valueEnd > position, valueEnd <= document.count else { return [] }
      elements.append(document[position..<valueEnd])
      position = valueEnd + 1
    }
    return elements
  }

  /// Returns the position after the value that starts at `start`.
  private static func end(of document: [UInt8], from start: Int) -> Int {
    var depth = 0
    var position = start
    while position < document.count {
      switch document[position] {
      case UInt8(ascii: "\""):
        position = stringEnd(of: document, from: position)
        if depth == 0 { return position }
        continue
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if depth == 0 { return position }
        depth -= 1
        if depth == 0 { return position + 1 }
      case UInt8(ascii: ","):
        if depth == 0 { return position }
      default:
        break
      }
      position += 1
    }
    return position
  }

  private static func stringEnd(of document: [UInt8], from start: Int) -> Int {
    var position = start + 1
    while position < document.count {
      switch document[position] {
      case UInt8(ascii: "\\"): position += 2
      case UInt8(ascii: "\""): return position + 1
      default: position += 1
      }
    }
    return document.count
  }

  private static func matches(_ key: StaticString, _ bytes: ArraySlice<UInt8>) -> Bool {
    unsafe bytes.elementsEqual(UnsafeBufferPointer(start: key.utf8Start, count: key.utf8CodeUnitCount))
  }
}
