/// Finds the WINDOW_UPDATE frames in a client's bytes, so that everything else reaches nghttp2 unchanged.
///
/// Knows only where frames begin (RFC 9113, section 4.1). It extracts frames of the right size where one is allowed. An
/// update inside a header block, of a wrong size or before the first SETTINGS goes to nghttp2 like any other frame,
/// which judges it.
struct WindowUpdateExtractor {
  /// The next piece of the input.
  enum Piece: Equatable {
    /// This many bytes of the input, to pass on unchanged.
    case bytes(Int)
    /// Bytes that arrived in pieces, to pass on: `takeHeldBytes`.
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

  /// Bytes to pass on before the next frame begins.
  private var bytesToPass = prefaceBytes
  /// The beginning of an incomplete frame, or the last update found: at most 13 bytes.
  private var heldBytes: [UInt8] = []
  private var hasFirstFrame = false
  private var isInHeaderBlock = false

  /// Removes and returns the held bytes.
  mutating func takeHeldBytes() -> [UInt8] {
    defer { heldBytes = [] }
    return heldBytes
  }

  /// Returns the next piece of `input`. The caller removes the bytes named by `bytes`; held bytes have been removed.
  mutating func next(in input: inout RawSpan) -> Piece {
    guard heldBytes.isEmpty else { return completeHeader(in: &input) }
    var run = 0
    while true {
      let part = min(bytesToPass, input.byteCount - run)
      run += part
      bytesToPass -= part
      let left = input.byteCount - run
      guard left > 0 else { return run > 0 ? .bytes(run) : .end }
      let size =
        left < WindowUpdateExtractor.headerBytes
        ? nil : frameSize { unsafe input.unsafeLoad(fromByteOffset: run + $0, as: UInt8.self) }
      guard let size else {
        if run > 0 { return .bytes(run) }
        return completeHeader(in: &input)
      }
      bytesToPass = size
    }
  }

  /// Holds bytes of a frame until its kind is known.
  private mutating func completeHeader(in input: inout RawSpan) -> Piece {
    hold(WindowUpdateExtractor.headerBytes, of: &input)
    guard heldBytes.count >= WindowUpdateExtractor.headerBytes else { return .end }
    let bytes = heldBytes
    if let size = frameSize(byte: { bytes[$0] }) {
      bytesToPass = size - WindowUpdateExtractor.headerBytes
      return .held
    }
    hold(WindowUpdateExtractor.updateBytes, of: &input)
    guard heldBytes.count == WindowUpdateExtractor.updateBytes else { return .end }
    return .update(stream: Int32(number(at: 5)), increment: number(at: WindowUpdateExtractor.headerBytes))
  }

  private mutating func hold(_ count: Int, of input: inout RawSpan) {
    let part = input.extracting(first: max(0, count - heldBytes.count))
    part.append(to: &heldBytes)
    input = input.extracting(droppingFirst: part.byteCount)
  }

  /// Returns four held bytes as a number of 31 bits.
  private func number(at offset: Int) -> Int {
    heldBytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } & 0x7FFF_FFFF
  }

  /// Returns the size of the frame with this header, or nil for an update to extract.
  private mutating func frameSize(byte: (Int) -> UInt8) -> Int? {
    let length = Int(byte(0)) << 16 | Int(byte(1)) << 8 | Int(byte(2))
    let type = byte(3)
    if type == FrameType.windowUpdate, length == WindowUpdateExtractor.updateBytes - WindowUpdateExtractor.headerBytes,
      hasFirstFrame,
      !isInHeaderBlock
    {
      return nil
    }
    hasFirstFrame = true
    if type == FrameType.headers || type == FrameType.continuation || type == FrameType.pushPromise {
      isInHeaderBlock = byte(4) & WindowUpdateExtractor.endHeaders == 0
    }
    return WindowUpdateExtractor.headerBytes + length
  }
}
