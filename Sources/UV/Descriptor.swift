internal import CUV

/// An open file, pipe or terminal of a command-line program, with blocking reads and writes on the calling thread.
///
/// Not for a loop that serves clients: a program that does one thing may wait for its reader, and that is its flow
/// control.
public final class Descriptor {
  /// Standard input of this process.
  public static var standardInput: Descriptor { Descriptor(0) }
  /// Standard output of this process.
  public static var standardOutput: Descriptor { Descriptor(1) }
  /// Standard error of this process.
  public static var standardError: Descriptor { Descriptor(2) }

  let number: Int32
  private let isOwned: Bool

  private init(_ number: Int32, isOwned: Bool = false) {
    self.number = number
    self.isOwned = isOwned
  }

  deinit { if isOwned { cuv_close(number) } }

  /// The mode in which a file is opened.
  public enum Access: Sendable {
    case reading
    /// Creates the file with mode 0600 if it is missing; writes go to its end.
    case appending
  }

  /// Opens a file. It is closed with the object.
  public convenience init(path: String, for access: Access) throws(UVError) {
    let flags = access == .reading ? O_RDONLY : O_WRONLY | O_APPEND | O_CREAT
    self.init(try UVError.check(unsafe cuv_open(path, flags, 0o600)), isOwned: true)
  }

  /// True if it is a terminal, and so possibly used by a person.
  public var isTerminal: Bool { uv_guess_handle(number) == UV_TTY }

  /// Columns and rows, if it is a terminal that knows them.
  public var windowSize: (columns: Int, rows: Int)? {
    var (columns, rows): (UInt16, UInt16) = (0, 0)
    guard unsafe cuv_window_size(number, &columns, &rows) == 0, columns > 0, rows > 0 else { return nil }
    return (Int(columns), Int(rows))
  }

  /// Returns the next bytes, at most `limit`; empty at the end.
  ///
  /// - Throws: `interrupted` if a signal came before any byte, so that its handler can run; then read again.
  public func read(limit: Int) throws(UVError) -> [UInt8] {
    var taken = 0
    repeat {
      try UVError.check(cuv_wait_for(number, 0))
      let bytes = unsafe [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
        taken = unsafe cuv_read(number, buffer.baseAddress, limit)
        count = max(0, taken)
      }
      if taken >= 0 { return bytes }
    } while taken == Int(UVError.tryAgain.rawValue)
    throw UVError(rawValue: Int32(taken))
  }

  /// Returns everything up to the end. `fileTooLarge` above `limit` bytes.
  public func readAll(limit: Int) throws(UVError) -> [UInt8] {
    var all: [UInt8] = []
    while true {
      do throws(UVError) {
        let bytes = try read(limit: 64 << 10)
        guard !bytes.isEmpty else { return all }
        guard all.count + bytes.count <= limit else { throw .fileTooLarge }
        all += bytes
      } catch .interrupted {
        continue
      }
    }
  }

  /// Writes all of `bytes`, however long its reader takes.
  ///
  /// - Throws: `brokenPipe` if the reader has gone.
  public func write(_ bytes: [UInt8]) throws(UVError) {
    var written = 0
    while written < bytes.count {
      let taken = unsafe bytes[written...].withUnsafeBytes { rest in
        unsafe cuv_write(number, rest.baseAddress, rest.count)
      }
      switch taken {
      case 0...: written += taken
      case Int(UVError.interrupted.rawValue): continue
      case Int(UVError.tryAgain.rawValue):
        // Another process made the pipe non-blocking; wait until there is room.
        _ = cuv_wait_for(number, 1)
      default: throw UVError(rawValue: Int32(taken))
      }
    }
  }

  /// Writes all of `bytes` unless there is no room for a second: for final output to a terminal that may be stopped.
  ///
  /// - Throws: `timedOut` in that case.
  public func writeSoon(_ bytes: [UInt8]) throws(UVError) {
    guard try UVError.check(cuv_has_room(number, 1000)) > 0 else { throw .timedOut }
    try write(bytes)
  }
}
