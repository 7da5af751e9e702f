/// Finds the WINDOW_UPDATE frames in a client's bytes, so that everything else reaches nghttp2 unchanged.
///
/// Knows only where frames begin (RFC 9113, section 4.1). It extracts frames of the right size where one is allowed. An
/// update inside a header block, of a wrong size or before the first SETTINGS goes to nghttp2 like any other frame,
/// which judges it. Frames on streams that the client has ended never reach nghttp2, which has forgotten those streams.
struct WindowUpdateExtractor {
  /// The next piece of the input.
  enum Piece: Equatable {
    /// This many bytes of the input, to pass on unchanged.
    case bytes(Int)
    /// Bytes that arrived in pieces, to pass on: `takeHeldBytes`.
    case held
    /// A WINDOW_UPDATE, whose bytes are held too. Stream 0 is the connection.
    case update(stream: Int32, increment: Int)
    /// The next frame ends the connection. Nothing after it may be read.
    case offence(RecentStreams.Offence)
    /// The input is used up.
    case end
  }

  /// Bytes of a frame's header.
  static let headerBytes = 9
  private static let updateBytes = headerBytes + 4
  /// "PRI * HTTP/2.0 SM" with its line ends (section 3.4).
  private static let prefaceBytes = 24

  private enum FrameType {
    static let data: UInt8 = 0
    static let headers: UInt8 = 1
    static let resetStream: UInt8 = 3
    static let pushPromise: UInt8 = 5
    static let windowUpdate: UInt8 = 8
    static let continuation: UInt8 = 9
  }

  /// The treatment of a frame.
  private enum Treatment {
    /// Passes it on: this many bytes, with its header.
    case pass(Int)
    /// Extracts it, an update.
    case extract
    /// Ends the connection.
    case refuse(RecentStreams.Offence)
  }

  /// The END_STREAM flag of DATA and HEADERS.
  private static let endStream: UInt8 = 1
  /// The END_HEADERS flag.
  private static let endHeaders: UInt8 = 4

  /// Bytes to pass on before the next frame begins.
  private var bytesToPass = prefaceBytes
  /// The beginning of an incomplete frame, or the last update found: at most 13 bytes.
  private var heldBytes: [UInt8] = []
  private var hasFirstFrame = false
  private var isInHeaderBlock = false
  private var streams = RecentStreams()

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
      guard left >= WindowUpdateExtractor.headerBytes,
        case .pass(let size) = treatment(
          byte: { unsafe input.unsafeLoad(fromByteOffset: run + $0, as: UInt8.self) })
      else {
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
    switch treatment(byte: { bytes[$0] }) {
    case .pass(let size):
      bytesToPass = size - WindowUpdateExtractor.headerBytes
      return .held
    case .refuse(let offence): return .offence(offence)
    case .extract:
      hold(WindowUpdateExtractor.updateBytes, of: &input)
      guard heldBytes.count == WindowUpdateExtractor.updateBytes else { return .end }
      return .update(
        stream: Int32(WindowUpdateExtractor.number(at: 5) { heldBytes[$0] }),
        increment: WindowUpdateExtractor.number(at: WindowUpdateExtractor.headerBytes) { heldBytes[$0] })
    }
  }

  private mutating func hold(_ count: Int, of input: inout RawSpan) {
    let part = input.extracting(first: max(0, count - heldBytes.count))
    part.append(to: &heldBytes)
    input = input.extracting(droppingFirst: part.byteCount)
  }

  /// Returns four bytes as a number of 31 bits.
  private static func number(at offset: Int, byte: (Int) -> UInt8) -> Int {
    (Int(byte(offset)) << 24 | Int(byte(offset + 1)) << 16 | Int(byte(offset + 2)) << 8 | Int(byte(offset + 3)))
      & 0x7FFF_FFFF
  }

  /// Decides about the frame with this header. Records only frames that are passed on, so that the others may be asked
  /// about again.
  private mutating func treatment(byte: (Int) -> UInt8) -> Treatment {
    let length = Int(byte(0)) << 16 | Int(byte(1)) << 8 | Int(byte(2))
    let type = byte(3)
    // What comes too early or interrupts a header block is nghttp2's to judge.
    if hasFirstFrame, !isInHeaderBlock {
      if type == FrameType.windowUpdate, length == WindowUpdateExtractor.updateBytes - WindowUpdateExtractor.headerBytes
      {
        return .extract
      }
      let stream = WindowUpdateExtractor.number(at: 5, byte: byte)
      if let offence = record(type, flags: byte(4), on: stream) { return .refuse(offence) }
    }
    hasFirstFrame = true
    if type == FrameType.headers || type == FrameType.continuation || type == FrameType.pushPromise {
      isInHeaderBlock = byte(4) & WindowUpdateExtractor.endHeaders == 0
    }
    return .pass(WindowUpdateExtractor.headerBytes + length)
  }

  private mutating func record(_ type: UInt8, flags: UInt8, on stream: Int) -> RecentStreams.Offence? {
    let endsStream = flags & WindowUpdateExtractor.endStream != 0
    switch type {
    case FrameType.data: return streams.receivedData(on: stream, endsStream: endsStream)
    case FrameType.headers: return streams.receivedHeaders(on: stream, endsStream: endsStream)
    case FrameType.resetStream:
      streams.receivedReset(on: stream)
      return nil
    default: return nil
    }
  }
}
