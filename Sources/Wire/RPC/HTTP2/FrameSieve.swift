/// Finds the WINDOW_UPDATE frames in what a client sends, so that all else can go on to nghttp2 as it came.
///
/// It knows where frames begin and nothing more (RFC 9113, section 4.1). What it takes out is a frame of the right size
/// in a place where one may stand; an update in the middle of a header block, of a wrong size or before the first
/// SETTINGS is nghttp2's to judge, which gets it like any other frame.
struct FrameSieve {
  /// What comes next.
  enum Piece: Equatable {
    /// This many bytes of the input go on as they are.
    case bytes(Int)
    /// Bytes that came in pieces go on: `takeHeld`.
    case held
    /// A WINDOW_UPDATE, whose bytes are held too. Stream 0 is the connection.
    case update(stream: Int32, increment: Int)
    /// The input is used up.
    case end
  }

  /// Bytes of a frame's header.
  static let headerBytes = 9
  private static let updateBytes = headerBytes + 4
  /// "PRI * HTTP/2.0 SM" with its line ends (section 3.4).
  private static let prefaceBytes = 24

  private enum FrameType {
    static let headers: UInt8 = 1
    static let pushPromise: UInt8 = 5
    static let windowUpdate: UInt8 = 8
    static let continuation: UInt8 = 9
  }

  /// The END_HEADERS flag.
  private static let endHeaders: UInt8 = 4

  /// Bytes that go on before the next frame begins.
  private var passing = prefaceBytes
  /// The beginning of a frame that has not come whole, or the update that was found last: 13 bytes at most.
  private var heldBytes: [UInt8] = []
  private var hasFirstFrame = false
  private var isInHeaderBlock = false

  /// The bytes that are held, which are held no longer.
  mutating func takeHeld() -> [UInt8] {
    defer { heldBytes = [] }
    return heldBytes
  }

  /// Looks at `input`. What `bytes` names the caller takes off it; what is held has been taken off.
  mutating func next(in input: inout RawSpan) -> Piece {
    guard heldBytes.isEmpty else { return goOn(in: &input) }
    var run = 0
    while true {
      let part = min(passing, input.byteCount - run)
      run += part
      passing -= part
      let left = input.byteCount - run
      guard left > 0 else { return run > 0 ? .bytes(run) : .end }
      let size =
        left < FrameSieve.headerBytes
        ? nil : frameSize { unsafe input.unsafeLoad(fromByteOffset: run + $0, as: UInt8.self) }
      guard let size else {
        if run > 0 { return .bytes(run) }
        return goOn(in: &input)
      }
      passing = size
    }
  }

  /// Holds bytes of a frame until it is known what to do with it.
  private mutating func goOn(in input: inout RawSpan) -> Piece {
    hold(FrameSieve.headerBytes, of: &input)
    guard heldBytes.count >= FrameSieve.headerBytes else { return .end }
    let bytes = heldBytes
    if let size = frameSize(byte: { bytes[$0] }) {
      passing = size - FrameSieve.headerBytes
      return .held
    }
    hold(FrameSieve.updateBytes, of: &input)
    guard heldBytes.count == FrameSieve.updateBytes else { return .end }
    return .update(stream: Int32(number(at: 5)), increment: number(at: FrameSieve.headerBytes))
  }

  private mutating func hold(_ count: Int, of input: inout RawSpan) {
    let part = input.extracting(first: max(0, count - heldBytes.count))
    part.append(to: &heldBytes)
    input = input.extracting(droppingFirst: part.byteCount)
  }

  /// Four bytes that are held as a number of 31 bits.
  private func number(at offset: Int) -> Int {
    heldBytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } & 0x7FFF_FFFF
  }

  /// Bytes of the frame that has this header; nil for an update that is to be taken out.
  private mutating func frameSize(byte: (Int) -> UInt8) -> Int? {
    let length = Int(byte(0)) << 16 | Int(byte(1)) << 8 | Int(byte(2))
    let type = byte(3)
    if type == FrameType.windowUpdate, length == FrameSieve.updateBytes - FrameSieve.headerBytes, hasFirstFrame,
      !isInHeaderBlock
    {
      return nil
    }
    hasFirstFrame = true
    if type == FrameType.headers || type == FrameType.continuation || type == FrameType.pushPromise {
      isInHeaderBlock = byte(4) & FrameSieve.endHeaders == 0
    }
    return FrameSieve.headerBytes + length
  }
}
