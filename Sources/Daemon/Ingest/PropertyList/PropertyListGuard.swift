/// Measures the depth and the expanded number of nodes of a property list before libplist builds it.
///
/// A binary property list can refer to one object many times, so that a kilobyte expands to billions of nodes, and
/// libplist frees nested nodes recursively. Both would crash the daemon. The measurement takes time and memory
/// proportional to the file's size.
enum PropertyListGuard {
  /// The maximum depth; a tweet has ten levels.
  static let maximumDepth = 256
  /// The maximum number of nodes: about 70,000 tweets, for which libplist takes about 100 MB.
  static let maximumNodes = 1_000_000

  /// Returns a reason not to read `bytes`; nil if they can be read.
  static func objection(to bytes: [UInt8]) -> String? {
    bytes.starts(with: "bplist00".utf8) ? binary(bytes) : xml(bytes)
  }

  private static let tooDeep = "the property list is nested more than \(maximumDepth) levels deep"
  private static let tooLarge =
    "the property list expands to more than \(maximumNodes) values; convert it to JSON Lines"

  // MARK: - XML

  private static func xml(_ bytes: [UInt8]) -> String? {
    var depth = 0
    var nodes = 0
    var at = 0
    while let start = bytes[at...].firstIndex(of: UInt8(ascii: "<")) {
      let rest = bytes[(start + 1)...]
      at = start + 1
      // Tags inside comments and CDATA are text: a closing one there must not lower the depth.
      if rest.starts(with: "!--".utf8) {
        at = end(of: "-->", in: bytes, from: start + 4)
      } else if rest.starts(with: "![CDATA[".utf8) {
        at = end(of: "]]>", in: bytes, from: start + 9)
      } else if rest.first == UInt8(ascii: "/") {
        if isContainerEnd(rest.dropFirst()) { depth -= 1 }
      } else {
        nodes += 1
        if isContainer(rest), !isEmptyElement(rest) { depth += 1 }
      }
      if depth > maximumDepth { return tooDeep }
      if nodes > maximumNodes { return tooLarge }
    }
    return nil
  }

  private static func isContainer(_ tag: ArraySlice<UInt8>) -> Bool {
    tag.starts(with: "array".utf8) || tag.starts(with: "dict".utf8)
  }

  /// True for `</array>`, given what follows its "/"; unlike for an opening tag, the whole name has to fit.
  private static func isContainerEnd(_ tag: ArraySlice<UInt8>) -> Bool {
    guard isContainer(tag), let end = tag.firstIndex(where: { $0 <= 0x20 || $0 == UInt8(ascii: ">") }) else {
      return false
    }
    return end - tag.startIndex == (tag.first == UInt8(ascii: "a") ? 5 : 4)
  }

  /// True for `<array/>`, given what follows its "<". A tag with attributes, which property lists do not have, counts
  /// as an opening one: a quotation mark may hide its end.
  private static func isEmptyElement(_ tag: ArraySlice<UInt8>) -> Bool {
    guard let end = tag.firstIndex(where: { $0 == UInt8(ascii: ">") || $0 == UInt8(ascii: "\"") }) else { return false }
    return tag[end] == UInt8(ascii: ">") && tag[end - 1] == UInt8(ascii: "/")
  }

  /// Returns the position after the next `mark`; the end of the bytes if there is none.
  private static func end(of mark: String, in bytes: [UInt8], from start: Int) -> Int {
    let mark = Array(mark.utf8)
    var at = start
    while at + mark.count <= bytes.count {
      if bytes[at] == mark[0], bytes[at..<at + mark.count].elementsEqual(mark) { return at + mark.count }
      at += 1
    }
    return bytes.count
  }

  // MARK: - Binary

  /// The expanded size of an object.
  private struct Measure {
    var depth: Int
    var nodes: Int
  }

  private static func binary(_ bytes: [UInt8]) -> String? {
    guard let table = BinaryObjects(bytes) else { return "the binary property list is damaged" }
    var measured = [Measure?](repeating: nil, count: table.count)
    var path = Set<Int>()
    // Depth first with an explicit stack; an object is measured when its last child is.
    var stack: [(object: Int, next: Int, children: [Int], measure: Measure)] = []
    func enter(_ object: Int) -> Bool {
      guard object < table.count, let children = table.children(of: object), path.insert(object).inserted else {
        return false
      }
      stack.append((object, 0, children, Measure(depth: 1, nodes: 1)))
      return true
    }
    guard enter(table.top) else { return "the binary property list is damaged" }
    while let last = stack.indices.last {
      if stack.count > maximumDepth { return tooDeep }
      if stack[last].next == stack[last].children.count {
        let done = stack.removeLast()
        path.remove(done.object)
        measured[done.object] = done.measure
        continue
      }
      let child = stack[last].children[stack[last].next]
      guard child < table.count else { return "the binary property list is damaged" }
      if let measure = measured[child] {
        stack[last].next += 1
        stack[last].measure.depth = max(stack[last].measure.depth, measure.depth + 1)
        stack[last].measure.nodes += measure.nodes
        if stack[last].measure.nodes > maximumNodes { return tooLarge }
        if stack.count + measure.depth > maximumDepth { return tooDeep }
      } else if !enter(child) {
        return "the binary property list contains itself or is damaged"
      }
    }
    return nil
  }
}

/// The structure of a binary property list's object table (CFBinaryPList.c describes the format).
private struct BinaryObjects {
  let count: Int
  let top: Int
  private let bytes: [UInt8]
  private let offsetSize: Int
  private let referenceSize: Int
  private let table: Int

  /// Reads the trailer, the last 32 bytes; nil if it does not fit the file.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= 40 else { return nil }
    let trailer = bytes.count - 32
    offsetSize = Int(bytes[trailer + 6])
    referenceSize = Int(bytes[trailer + 7])
    guard (1...8).contains(offsetSize), (1...8).contains(referenceSize),
      let count = Self.number(bytes, trailer + 8, 8), let top = Self.number(bytes, trailer + 16, 8),
      let table = Self.number(bytes, trailer + 24, 8), top < count, table < trailer,
      count <= (trailer - table) / offsetSize
    else { return nil }
    self.bytes = bytes
    self.count = count
    self.top = top
    self.table = table
  }

  /// Returns the objects in `object`, keys before values; empty for a scalar, nil if they do not fit the file.
  func children(of object: Int) -> [Int]? {
    guard let offset = Self.number(bytes, table + object * offsetSize, offsetSize), offset < table else { return nil }
    let marker = bytes[offset] >> 4
    guard marker == 0xA || marker == 0xC || marker == 0xD else { return [] }
    var position = offset + 1
    var length = Int(bytes[offset] & 15)
    if length == 15 {
      guard position < table, bytes[position] >> 4 == 1 else { return nil }
      let size = 1 << Int(bytes[position] & 15)
      guard size <= 8, let long = Self.number(bytes, position + 1, size) else { return nil }
      length = long
      position += 1 + size
    }
    guard length <= (table - min(position, table)) / referenceSize / (marker == 0xD ? 2 : 1) else { return nil }
    let total = marker == 0xD ? length * 2 : length
    return (0..<total).compactMap { Self.number(bytes, position + $0 * referenceSize, referenceSize) }
  }

  /// Returns a big-endian number; nil outside the file or above 2^31.
  private static func number(_ bytes: [UInt8], _ offset: Int, _ size: Int) -> Int? {
    guard offset >= 0, offset + size <= bytes.count else { return nil }
    var value: UInt64 = 0
    for byte in bytes[offset..<offset + size] {
      guard value < 1 << 32 else { return nil }
      value = value << 8 | UInt64(byte)
    }
    return value < 1 << 31 ? Int(value) : nil
  }
}
