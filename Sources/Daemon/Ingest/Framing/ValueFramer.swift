/// Cuts a stream of JSON into elements without parsing it: the elements of top-level arrays, of the arrays of known
/// container objects (``containerKeys``), and top-level values one after the other.
///
/// Only strings and the depth of brackets are followed, at about a nanosecond a byte, and one element at a time is
/// held. An array or key that comes twice (Mastodon's outbox) is simply met twice. What is not well-formed is found by
/// the parser; see ``ElementSignature`` for how reading goes on after it.
struct ValueFramer {
  /// What ``next(_:from:)`` came upon.
  enum Output: Equatable {
    /// ``element`` holds one element.
    case element
    /// ``element`` holds the head of a container object up to the array that begins here; its elements follow.
    case opened
    /// ``element`` holds a container object whose arrays have been emptied.
    case closed
    /// The element in ``element`` has grown to ``limit``; call ``abandonElement()`` or recover.
    case tooLong
    /// A closing bracket that nothing opened.
    case stray
    /// The first value was one object on a line of its own: the rest of the file is best read by lines.
    case lines
  }

  /// Fields of top-level objects whose arrays hold the elements: ActivityPub collections, a Mastodon thread, search
  /// results, and the lists of JSON Feed and Bluesky, which are told apart (and refused) by their first element.
  static let containerKeys = ["orderedItems", "statuses", "ancestors", "descendants", "items", "feed"]

  /// The greatest length of an element in bytes.
  let limit: Int
  /// The bytes of the element, or what ``Output`` says.
  var element: [UInt8] = []
  /// Where ``element`` starts.
  private(set) var start = FilePosition()
  /// Where reading stands.
  private(set) var position: FilePosition

  /// Where elements come from.
  private enum Level { case top, array, container }

  /// What the next byte is part of.
  private enum Part { case between, composite, string, token }

  /// What a scan of the element stopped at; `list` is a `[` in a top-level object that may begin a container's list.
  private enum Stop { case bytesUsedUp, end, list }

  private var level = Level.top
  private var part = Part.between
  private var depth = 0
  private var inString = false
  private var escaped = false
  /// The element is over ``limit`` and only followed to its end.
  private var discarding = false
  private var header: [UInt8] = []
  private var headerStart = FilePosition()
  private var valuesSeen = 0
  private var mayBeLines = false

  /// A framer that starts at `position` of its file.
  init(limit: Int, position: FilePosition = FilePosition()) {
    self.limit = limit
    self.position = position
  }

  /// Whether the file could end here without anything missing.
  var isComplete: Bool { level == .top && part == .between }

  /// Whether an element has begun and not ended.
  var isWithinElement: Bool { part != .between && !discarding }

  /// Reads on in `chunk` from `index` until something is complete; nil when the chunk is used up.
  mutating func next(_ chunk: Swift.Span<UInt8>, from index: inout Int) -> Output? {
    while index < chunk.count {
      let output = part == .between ? between(chunk, &index) : within(chunk, &index)
      if let output { return output }
    }
    return nil
  }

  /// Ends the file: a number or literal at its very end is complete, anything else stays as it is.
  mutating func finish() -> Output? {
    guard part == .token else { return nil }
    return complete()
  }

  /// Gives up the element in ``element``; its remaining bytes are passed over.
  mutating func abandonElement() {
    discarding = part != .between
    leaveContainer()
  }

  /// Goes back to the byte `offset` of ``element`` and returns the bytes from there, which the caller feeds in again;
  /// the framer stands between elements then.
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

  /// Ends the element; nil if it was only followed.
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

  /// Moves past the end of the string that is open, or to the end of the chunk.
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

  /// Whether the `[` that ends ``element`` (``Stop/list``) begins the list of a container object.
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

  /// Forgets the container object whose list has ended: what comes next is no part of it.
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
