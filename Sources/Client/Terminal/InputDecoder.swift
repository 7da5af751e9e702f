/// What a terminal sends, told apart: keys, pastes, the mouse, answers (ECMA-48; XTerm Control Sequences; the key
/// tables of rxvt, the Linux console and tmux).
///
/// Bytes come in however reads cut them. Everything but text comes out the same whatever the cuts. Of text, clusters
/// (UAX #29) that arrive in one piece are one key; what joins a cluster that has been told already is a key of its own,
/// so that what was typed is the same. What cannot be understood is passed over; nothing is kept without a limit.
public struct InputDecoder: Sendable {
  /// How long to wait for bytes that tell what the last ones meant.
  public enum Wait: Equatable, Sendable {
    /// A key or a sequence of bytes that a terminal sends in one go: some 50 ms, beyond which Escape was Escape.
    case sequence
    /// The end of a paste, which may take seconds.
    case paste
  }

  /// Most bytes that are kept of a paste; the rest is passed over.
  public static let pasteLimitBytes = 1 << 20
  /// Most bytes of a control sequence, parameters and intermediates; a longer one is passed over.
  static let sequenceLimitBytes = 64
  /// Most bytes of a string (OSC, DCS) that are passed over before what follows is taken for input again.
  static let stringLimitBytes = 1 << 16

  enum State: Equatable {
    case ground
    /// After so many ESC, 1 or 2.
    case escape(Int)
    case csi
    /// A control sequence that is too long, up to its end.
    case csiIgnored
    case ss3
    /// `ESC [ [`: the Linux console's F1 to F5.
    case console
    /// The three bytes after `ESC [ M`.
    case oldMouse
    /// OSC, DCS, APC, PM, SOS: so many bytes of it have been passed over.
    case string(Int)
    /// An ESC inside of a string.
    case stringEscape
    /// Inside of a paste, with so many bytes of its end's marker seen.
    case paste(Int)
  }

  var state = State.ground
  /// The escape sequence began with two ESC: Alt, as rxvt tells it.
  var hasAlt = false
  /// Parameters and intermediates of the sequence under way, or the bytes of an old mouse report.
  var sequence: [UInt8] = []
  /// What a string began with, for a key that looks like one.
  private var opener: UInt8 = 0
  /// Text that has not been told yet.
  private var text: [UInt8] = []
  /// The first cluster of `text` was typed with Alt.
  private var textHasAlt = false
  private var pasted: [UInt8] = []
  var events: [InputEvent] = []

  /// Nothing has come yet.
  public init() {}

  /// What the last bytes need to be understood; nil when nothing is open. Call ``flush()`` when as long has passed
  /// without a byte.
  public var wait: Wait? {
    switch state {
    case .ground: text.isEmpty ? nil : .sequence
    case .paste: .paste
    default: .sequence
    }
  }

  /// Takes bytes, and tells what they came to. O(bytes).
  public mutating func feed(_ bytes: some Sequence<UInt8>) -> [InputEvent] {
    for byte in bytes { take(byte) }
    tellText(isEnd: false)
    return takeEvents()
  }

  /// No more bytes came in time: what is open is what it is so far.
  public mutating func flush() -> [InputEvent] {
    switch state {
    case .ground: break
    case .escape(let count):
      for _ in 0..<count { tell(.escape) }
    case .csi where sequence.isEmpty: tellEscaped(0x5B)
    case .ss3 where sequence.isEmpty: tellEscaped(0x4F)
    case .string(0): tellEscaped(opener)
    case .paste: endPaste()
    case .csi, .csiIgnored, .ss3, .console, .oldMouse, .string, .stringEscape: break
    }
    state = .ground
    hasAlt = false
    tellText(isEnd: true)
    return takeEvents()
  }

  private mutating func takeEvents() -> [InputEvent] {
    defer { events = [] }
    return events
  }

  // MARK: One byte

  private mutating func take(_ byte: UInt8) {
    switch state {
    case .ground: takeGround(byte)
    case .escape(let count): takeEscaped(byte, escapes: count)
    case .csi: takeCSI(byte)
    case .csiIgnored:
      if byte == 0x1B { beginEscape() } else if 0x40...0x7E ~= byte || byte < 0x20 { state = .ground }
    case .ss3: takeSS3(byte)
    case .console:
      state = .ground
      if 0x41...0x45 ~= byte { tell(.function(Int(byte) - 0x40), alt: hasAlt) } else { take(byte) }
    case .oldMouse:
      sequence.append(byte)
      if sequence.count == 3 { endOldMouse() }
    case .string(let count): takeString(byte, count)
    case .stringEscape:
      // ESC \ ends it. Any other ESC begins something else, so the string never ended.
      state = .ground
      if byte != 0x5C {
        beginEscape()
        take(byte)
      }
    case .paste(let matched): takePasted(byte, matched)
    }
  }

  private mutating func takeGround(_ byte: UInt8) {
    switch byte {
    case 0x1B: beginEscape()
    case 0x20...0x7E, 0x80...0xFF: text.append(byte)
    default:
      tellText(isEnd: true)
      tellControl(byte)
    }
  }

  private mutating func beginEscape() {
    tellText(isEnd: true)
    hasAlt = false
    state = .escape(1)
  }

  private mutating func takeEscaped(_ byte: UInt8, escapes: Int) {
    switch byte {
    case 0x1B:
      if escapes == 2 { tell(.escape) }
      state = .escape(2)
    case 0x5B, 0x4F:
      hasAlt = escapes == 2
      sequence.removeAll(keepingCapacity: true)
      state = byte == 0x5B ? .csi : .ss3
    case 0x50, 0x58, 0x5D, 0x5E, 0x5F:
      if escapes == 2 { tell(.escape) }
      opener = byte
      state = .string(0)
    default:
      if escapes == 2 { tell(.escape) }
      tellEscaped(byte)
    }
  }

  /// A key that came with an ESC before it.
  private mutating func tellEscaped(_ byte: UInt8) {
    state = .ground
    if byte < 0x20 || byte == 0x7F {
      tellControl(byte, alt: true)
    } else {
      textHasAlt = true
      text.append(byte)
    }
  }

  private mutating func takeString(_ byte: UInt8, _ count: Int) {
    switch byte {
    case 0x1B: state = .stringEscape
    case 0x07, 0x18, 0x1A: state = .ground
    default: state = count < Self.stringLimitBytes ? .string(count + 1) : .ground
    }
  }

  private mutating func takeCSI(_ byte: UInt8) {
    switch byte {
    case 0x1B: beginEscape()
    case 0x5B where sequence.isEmpty: state = .console
    case 0x20...0x3F:
      // rxvt tells Shift by a final "$", which in all other sequences is followed by one more byte; those begin with a
      // "?".
      if byte == 0x24, sequence.first != 0x3F, isNumber(sequence[...]) {
        state = .ground
        endCSI(byte)
      } else if sequence.count < Self.sequenceLimitBytes {
        sequence.append(byte)
      } else {
        state = .csiIgnored
      }
    case 0x4D where sequence.isEmpty: state = .oldMouse
    case 0x40...0x7E:
      state = .ground
      endCSI(byte)
    default: state = .ground
    }
  }

  private mutating func takeSS3(_ byte: UInt8) {
    switch byte {
    case 0x1B: beginEscape()
    // Old xterms put the modifier here.
    case 0x30...0x3B where sequence.count < 8: sequence.append(byte)
    default:
      state = .ground
      endSS3(byte)
    }
  }

  // MARK: Pastes

  private static let pasteEnd = Array("\u{1B}[201~".utf8)

  mutating func beginPaste() {
    pasted = []
    state = .paste(0)
  }

  private mutating func takePasted(_ byte: UInt8, _ matched: Int) {
    if byte == Self.pasteEnd[matched] {
      if matched + 1 == Self.pasteEnd.count { endPaste() } else { state = .paste(matched + 1) }
      return
    }
    keep(Self.pasteEnd[..<matched])
    // Only its first byte can begin the marker anew: no other one is an ESC.
    if byte == Self.pasteEnd[0] {
      state = .paste(1)
    } else {
      keep(CollectionOfOne(byte))
      state = .paste(0)
    }
  }

  private mutating func keep(_ bytes: some Collection<UInt8>) {
    pasted += bytes.prefix(max(0, Self.pasteLimitBytes - pasted.count))
  }

  private mutating func endPaste() {
    state = .ground
    events.append(.paste(pasted))
    pasted = []
  }

  // MARK: Text

  /// Tells what has been typed, but the first bytes of a character whose rest is to come; with `isEnd` that too is
  /// over, and lost.
  private mutating func tellText(isEnd: Bool) {
    guard !text.isEmpty else { return }
    let open = isEnd ? 0 : Self.openBytes(at: text)
    if open < text.count {
      // Clusters are looked for in what is well-formed; the rest is nothing a keyboard sends.
      var scalars = String.UnicodeScalarView()
      var decoder = UTF8()
      var source = text.dropLast(open).makeIterator()
      decoding: while true {
        switch decoder.decode(&source) {
        case .scalarValue(let scalar): if !(0x80...0x9F ~= scalar.value) { scalars.append(scalar) }
        case .error: continue
        case .emptyInput: break decoding
        }
      }
      for character in String(scalars) {
        tell(.character(character), alt: textHasAlt)
        textHasAlt = false
      }
    }
    text.removeFirst(text.count - open)
    if text.isEmpty { textHasAlt = false }
  }

  /// How many bytes at the end of `text` begin a character that is not whole.
  private static func openBytes(at text: [UInt8]) -> Int {
    for count in 1...3 where count <= text.count {
      let byte = text[text.count - count]
      if byte & 0xC0 == 0x80 { continue }
      let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC2 ? 2 : 1
      return byte <= 0xF4 && length > count ? count : 0
    }
    return 0
  }

  func isNumber(_ bytes: ArraySlice<UInt8>) -> Bool { !bytes.isEmpty && bytes.allSatisfy { 0x30...0x39 ~= $0 } }
}
