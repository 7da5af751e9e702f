/// Decodes terminal input into keys, pastes, mouse events and replies (ECMA-48; XTerm Control Sequences; the key tables
/// of rxvt, the Linux console and tmux).
///
/// Input may be split anywhere between reads. Everything except text decodes the same regardless of the splits. A
/// cluster (UAX #29) that arrives in one read is one key. Code points that join a cluster already emitted are a key of
/// their own, so that the text typed is the same. Unknown sequences are ignored, and all buffers are bounded.
public struct InputDecoder: Sendable {
  /// The time to wait for bytes that complete a sequence.
  public enum Wait: Equatable, Sendable {
    /// A key or a sequence that a terminal sends at once: about 50 ms, after which Escape is the Escape key.
    case sequence
    /// The end of a paste, which may take seconds.
    case paste
  }

  /// The largest paste kept, in bytes; the rest is ignored.
  public static let pasteLimitBytes = 1 << 20
  /// The longest control sequence, parameters and intermediates, in bytes; a longer one is ignored.
  static let sequenceLimitBytes = 64
  /// The longest string (OSC, DCS) that is skipped, in bytes. What follows is input again.
  static let stringLimitBytes = 1 << 16

  enum State: Equatable {
    case ground
    /// After one or two ESC.
    case escape(Int)
    case csi
    /// A control sequence that is too long, up to its end.
    case csiIgnored
    case ss3
    /// `ESC [ [`: the Linux console's F1 to F5.
    case console
    /// The three bytes after `ESC [ M`.
    case oldMouse
    /// OSC, DCS, APC, PM or SOS, and the number of its bytes skipped.
    case string(Int)
    /// An ESC inside a string.
    case stringEscape
    /// Inside a paste, and the number of bytes of its end marker seen.
    case paste(Int)
  }

  var state = State.ground
  /// True if the sequence began with two ESC, which means Alt in rxvt.
  var hasAlt = false
  /// The parameters and intermediates of the current sequence, or the bytes of an old mouse report.
  var sequence: [UInt8] = []
  /// The first byte of a string, in case it turns out to be a key.
  private var opener: UInt8 = 0
  /// Text that has not been emitted yet.
  private var text: [UInt8] = []
  /// True if the first cluster of `text` was typed with Alt.
  private var textHasAlt = false
  private var pasted: [UInt8] = []
  var events: [InputEvent] = []

  /// A decoder that has read nothing.
  public init() {}

  /// The wait needed to complete the last bytes; nil if nothing is incomplete. Call ``flush()`` if no byte arrives
  /// within that time.
  public var wait: Wait? {
    switch state {
    case .ground: text.isEmpty ? nil : .sequence
    case .paste: .paste
    default: .sequence
    }
  }

  /// Decodes bytes and returns the events they complete. O(bytes).
  public mutating func feed(_ bytes: some Sequence<UInt8>) -> [InputEvent] {
    for byte in bytes { decode(byte) }
    emitText(isEnd: false)
    return takeEvents()
  }

  /// Ends incomplete input, because no more bytes arrived in time.
  public mutating func flush() -> [InputEvent] {
    switch state {
    case .ground: break
    case .escape(let count):
      for _ in 0..<count { emitKey(.escape) }
    case .csi where sequence.isEmpty: emitEscaped(0x5B)
    case .ss3 where sequence.isEmpty: emitEscaped(0x4F)
    case .string(0): emitEscaped(opener)
    case .paste: endPaste()
    case .csi, .csiIgnored, .ss3, .console, .oldMouse, .string, .stringEscape: break
    }
    state = .ground
    hasAlt = false
    emitText(isEnd: true)
    return takeEvents()
  }

  private mutating func takeEvents() -> [InputEvent] {
    defer { events = [] }
    return events
  }

  // MARK: One byte

  private mutating func decode(_ byte: UInt8) {
    switch state {
    case .ground: decodeGround(byte)
    case .escape(let count): decodeEscaped(byte, escapes: count)
    case .csi: decodeCSI(byte)
    case .csiIgnored:
      if byte == 0x1B { beginEscape() } else if 0x40...0x7E ~= byte || byte < 0x20 { state = .ground }
    case .ss3: decodeSS3(byte)
    case .console:
      state = .ground
      if 0x41...0x45 ~= byte { emitKey(.function(Int(byte) - 0x40), alt: hasAlt) } else { decode(byte) }
    case .oldMouse:
      sequence.append(byte)
      if sequence.count == 3 { endOldMouse() }
    case .string(let count): decodeString(byte, count)
    case .stringEscape:
      // ESC \ ends the string. Any other ESC begins a new sequence: the string was never ended.
      state = .ground
      if byte != 0x5C {
        beginEscape()
        decode(byte)
      }
    case .paste(let matched): decodePasted(byte, matched)
    }
  }

  private mutating func decodeGround(_ byte: UInt8) {
    switch byte {
    case 0x1B: beginEscape()
    case 0x20...0x7E, 0x80...0xFF: text.append(byte)
    default:
      emitText(isEnd: true)
      emitControl(byte)
    }
  }

  private mutating func beginEscape() {
    emitText(isEnd: true)
    hasAlt = false
    state = .escape(1)
  }

  private mutating func decodeEscaped(_ byte: UInt8, escapes: Int) {
    switch byte {
    case 0x1B:
      if escapes == 2 { emitKey(.escape) }
      state = .escape(2)
    case 0x5B, 0x4F:
      hasAlt = escapes == 2
      sequence.removeAll(keepingCapacity: true)
      state = byte == 0x5B ? .csi : .ss3
    case 0x50, 0x58, 0x5D, 0x5E, 0x5F:
      if escapes == 2 { emitKey(.escape) }
      opener = byte
      state = .string(0)
    default:
      if escapes == 2 { emitKey(.escape) }
      emitEscaped(byte)
    }
  }

  /// Emits a key preceded by ESC.
  private mutating func emitEscaped(_ byte: UInt8) {
    state = .ground
    if byte < 0x20 || byte == 0x7F {
      emitControl(byte, alt: true)
    } else {
      textHasAlt = true
      text.append(byte)
    }
  }

  private mutating func decodeString(_ byte: UInt8, _ count: Int) {
    switch byte {
    case 0x1B: state = .stringEscape
    case 0x07, 0x18, 0x1A: state = .ground
    default: state = count < Self.stringLimitBytes ? .string(count + 1) : .ground
    }
  }

  private mutating func decodeCSI(_ byte: UInt8) {
    switch byte {
    case 0x1B: beginEscape()
    case 0x5B where sequence.isEmpty: state = .console
    case 0x20...0x3F:
      // rxvt reports Shift by a final "$". Other sequences with "$" begin with "?" and have one more byte.
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

  private mutating func decodeSS3(_ byte: UInt8) {
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

  private mutating func decodePasted(_ byte: UInt8, _ matched: Int) {
    if byte == Self.pasteEnd[matched] {
      if matched + 1 == Self.pasteEnd.count { endPaste() } else { state = .paste(matched + 1) }
      return
    }
    appendPasted(Self.pasteEnd[..<matched])
    // Only the first byte can restart the marker: no other byte is an ESC.
    if byte == Self.pasteEnd[0] {
      state = .paste(1)
    } else {
      appendPasted(CollectionOfOne(byte))
      state = .paste(0)
    }
  }

  private mutating func appendPasted(_ bytes: some Collection<UInt8>) {
    pasted += bytes.prefix(max(0, Self.pasteLimitBytes - pasted.count))
  }

  private mutating func endPaste() {
    state = .ground
    events.append(.paste(pasted))
    pasted = []
  }

  // MARK: Text

  /// Emits the text typed so far, except the first bytes of an incomplete character. With `isEnd` those are dropped.
  private mutating func emitText(isEnd: Bool) {
    guard !text.isEmpty else { return }
    let open = isEnd ? 0 : Self.openBytes(at: text)
    if open < text.count {
      // Clusters are found in well-formed text; a keyboard sends nothing else.
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
        emitKey(.character(character), alt: textHasAlt)
        textHasAlt = false
      }
    }
    text.removeFirst(text.count - open)
    if text.isEmpty { textHasAlt = false }
  }

  /// Returns the number of bytes at the end of `text` that begin an incomplete character.
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
