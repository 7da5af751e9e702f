/// Splits a stream of JSON into elements without parsing it: the elements of top-level arrays, of the arrays in known
/// container objects (``containerKeys``), and consecutive top-level values.
///
/// Only strings and the depth of brackets are tracked, at about a nanosecond a byte, and one element at a time is in
/// memory. Repeated arrays and keys (as in Mastodon's outbox) are read each time. The parser detects malformed JSON;
/// ``ElementSignature`` describes the recovery.
struct ValueFramer {
  /// A result of ``next(_:from:)``.
  enum Output: Equatable {
    /// ``element`` has one element.
    case element
    /// ``element`` has the head of a container object up to the array that begins here; its elements follow.
    case opened
    /// ``element`` has a container object without the contents of its arrays.
    case closed
    /// The element in ``element`` has reached ``limit``; call ``abandonElement()`` or recover.
    case tooLong
    /// An unmatched closing bracket.
    case stray
    /// The first value was one object on a line of its own; the rest of the file should be read by lines.
    case lines
  }

  /// Fields of top-level objects whose arrays contain the elements: ActivityPub collections, a Mastodon thread, search
  /// results, and the lists of JSON Feed and Bluesky, which are recognised (and refused) by their first element.
  static let containerKeys = ["orderedItems", "statuses", "ancestors", "descendants", "items", "feed"]

  /// The maximum length of an element in bytes.
  let limit: Int
  /// The bytes of the element, or of what ``Output`` describes.
  var element: [UInt8] = []
  /// The start of ``element``.
  private(set) var start = FilePosition()
  /// The current position.
  private(set) var position: FilePosition

  /// The source of elements.
  private enum Level { case top, array, container }

  /// The construct that the next byte belongs to.
  private enum Part { case between, composite, string, token }

  /// The reason why a scan of the element stopped. `list` is a `[` in a top-level object that may begin a container's
  /// list.
  private enum Stop { case bytesUsedUp, end, list }

  private var level = Level.top
  private var part = Part.between
  private var depth = 0
  private var inString = false
  private var escaped = false
  /// True while an element over ``limit`` is skipped.
  private var discarding = false
  private var header: [UInt8] = []
  private var headerStart = FilePosition()
  private var valuesSeen = 0
  private var mayBeLines = false

  /// Creates a framer that starts at `position` of its file.
  init(limit: Int, position: FilePosition = FilePosition()) {
    self.limit = limit
    self.position = position
  }

  /// True if the file could end here with nothing missing.
  var isComplete: Bool { level == .top && part == .between }

  /// True if an element has begun and not ended.
  var isWithinElement: Bool { part != .between && !discarding }

  /// Reads from `index` of `chunk` until an output is complete; nil at the end of the chunk.
  mutating func next(_ chunk: Swift.Span<UInt8>, from index: inout Int) -> Output? {
    while index < chunk.count {
      let output = part == .between ? between(chunk, &index) : within(chunk, &index)
      if let output { return output }
    }
    return nil
  }

  /// Ends the file. A number or literal at its end becomes complete; any other element remains unfinished.
  mutating func finish() -> Output? {
    guard part == .token else { return nil }
    return complete()
  }

  /// Gives up the element in ``element`` and skips its remaining bytes.
  mutating func abandonElement() {
    discarding = part != .between
    leaveContainer()
  }

  /// Returns to the byte `offset` of ``element``, between elements. The caller must feed in the returned bytes from
  /// there again.
  mutating func rewind(to offset: Int) -> [UInt8] {
    let rest = Array(element[offset...])
    var place = start
    place.advance(over: element.span.extracting(..<offset))
    position = place
    element.removeAll(keepingCapacity: true)
    part = .between
    depth = 0
    inString = false
    escaped = false
    discarding = false
    leaveContainer()
    return rest
  }

  // MARK: - Between elements

  private mutating func between(_ chunk: Swift.Span<UInt8>, _ index: inout Int) -> Output? {
    let from = index
    while index < chunk.count {
      let byte = chunk[index]
      switch byte {
      case 0x0A where mayBeLines:
        mayBeLines = false
        position.advance(over: chunk.extracting(from..<index))
        return .lines
      case 0x20, 0x0A, 0x0D, 0x09, UInt8(ascii: ","), UInt8(ascii: ";"):
        index += 1
        continue
      default:
        break
      }
      position.advance(over: chunk.extracting(from..<index))
      return begin(with: byte, &index)
    }
    position.advance(over: chunk.extracting(from..<index))
    return nil
  }

  private mutating func begin(with byte: UInt8, _ index: inout Int) -> Output? {
    mayBeLines = false
    switch byte {
    case UInt8(ascii: "[") where level == .top:
      level = .array
      return step(&index)
    case UInt8(ascii: "]") where level == .array:
      level = .top
      return step(&index)
    case UInt8(ascii: "]") where level == .container:
      return resumeHeader(&index)
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      start = position
      element.removeAll(keepingCapacity: true)
      _ = step(&index)
      return .stray
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      part = .composite
    case UInt8(ascii: "\""):
      part = .string
    default:
      part = .token
    }
    start = position
    element.removeAll(keepingCapacity: true)
    depth = 0
    return nil
  }

  private mutating func step(_ index: inout Int) -> Output? {
    index += 1
    position.byte += 1
    return nil
  }

  // MARK: - Within an element

  private mutating func within(_ chunk: Swift.Span<UInt8>, _ index: inout Int) -> Output? {
    let from = index
    let end = discarding ? chunk.count : min(chunk.count, index + limit - element.count)
    let scanned = chunk.extracting(..<end)
    let stop: Stop
    switch part {
    case .token: stop = scanToken(scanned, &index)
    case .string: stop = scanString(scanned, &index)
    default: stop = scanComposite(scanned, &index)
    }
    let run = scanned.extracting(from..<index)
    position.advance(over: run)
    if !discarding { element.append(run) }
    if stop == .end { return complete() }
    if stop == .list, opensContainer { return descend() }
    if !discarding, element.count >= limit { return .tooLong }
    return nil
  }

  /// Ends the element; nil if it was being skipped.
  private mutating func complete() -> Output? {
    let wasComposite = part == .composite
    part = .between
    guard !discarding else {
      discarding = false
      return nil
    }
    if level == .top {
      valuesSeen += 1
      if !header.isEmpty {
        header = []
        return .closed
      }
      mayBeLines = valuesSeen == 1 && wasComposite && position.line == start.line
    }
    return .element
  }

  private func scanToken(_ chunk: Swift.Span<UInt8>, _ index: inout Int) -> Stop {
    while index < chunk.count {
      switch chunk[index] {
      case 0x20, 0x0A, 0x0D, 0x09, UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "{"), UInt8(ascii: "}"),
        UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "\""):
        return .end
      default:
        index += 1
      }
    }
    return .bytesUsedUp
  }

  private mutating func scanString(_ chunk: Swift.Span<UInt8>, _ index: inout Int) -> Stop {
    if !inString {
      inString = true
      index += 1
    }
    followString(chunk, &index)
    return inString ? .bytesUsedUp : .end
  }

  /// Moves past the end of the open string, or to the end of the chunk.
  private mutating func followString(_ chunk: Swift.Span<UInt8>, _ index: inout Int) {
    if escaped, index < chunk.count {
      escaped = false
      index += 1
    }
    while true {
      WordScan.skipStringContent(chunk, &index)
      guard index < chunk.count else { return }
      let isEnd = chunk[index] == UInt8(ascii: "\"")
      index += 1
      if isEnd {
        inString = false
        return
      }
      guard index < chunk.count else {
        escaped = true
        return
      }
      index += 1
    }
  }

  /// Moves to the end of the composite, to a `[` that may open a container's list, or to the end of the chunk.
  private mutating func scanComposite(_ chunk: Swift.Span<UInt8>, _ index: inout Int) -> Stop {
    let lists = level == .top && !discarding
    while index < chunk.count {
      if inString {
        followString(chunk, &index)
        continue
      }
      WordScan.skipBetweenBrackets(chunk, &index)
      guard index < chunk.count else { return .bytesUsedUp }
      let byte = chunk[index]
      index += 1
      if byte == UInt8(ascii: "\"") {
        inString = true
      } else if byte & 0xDF == UInt8(ascii: "[") {
        depth += 1
        if lists, depth == 2, byte == UInt8(ascii: "[") { return .list }
      } else {
        depth -= 1
        if depth == 0 { return .end }
      }
    }
    return .bytesUsedUp
  }

  // MARK: - Containers

  /// True if the `[` at the end of ``element`` (``Stop/list``) begins the list of a container object.
  private var opensContainer: Bool {
    guard element.first == UInt8(ascii: "{") else { return false }
    var at = element.count - 2
    func skipSpace() {
      while at > 0, [0x20, 0x0A, 0x0D, 0x09].contains(element[at]) { at -= 1 }
    }
    skipSpace()
    guard element[at] == UInt8(ascii: ":") else { return false }
    at -= 1
    skipSpace()
    guard element[at] == UInt8(ascii: "\"") else { return false }
    let before = element[..<at]
    return Self.containerKeys.contains { key in
      before.count > key.utf8.count && before.suffix(key.utf8.count).elementsEqual(key.utf8)
        && before[at - key.utf8.count - 1] == UInt8(ascii: "\"")
    }
  }

  private mutating func descend() -> Output {
    header = element
    headerStart = start
    level = .container
    part = .between
    return .opened
  }

  /// Drops the container object whose list has ended, since later values are not part of it.
  private mutating func leaveContainer() {
    if level == .top { header = [] }
  }

  private mutating func resumeHeader(_ index: inout Int) -> Output? {
    element = header
    start = headerStart
    level = .top
    part = .composite
    depth = 2
    inString = false
    return nil
  }
}
