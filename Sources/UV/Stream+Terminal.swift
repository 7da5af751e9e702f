internal import CUV

extension Stream {
  /// Standard input, to be read on the loop.
  ///
  /// - Throws: `invalidArgument` where it is no terminal.
  public static func terminalInput(loop: Loop) throws(UVError) -> Stream { try Stream(loop: loop, terminal: 0) }

  /// Standard output, to be written to on the loop.
  ///
  /// - Throws: `invalidArgument` where it is no terminal.
  public static func terminalOutput(loop: Loop) throws(UVError) -> Stream { try Stream(loop: loop, terminal: 1) }

  /// Takes every key as it comes, without echo, lines or signals (cfmakeraw(3)); or puts the terminal back as it was
  /// before.
  public func setRaw(_ isRaw: Bool) throws(UVError) {
    guard isOpen else { throw .cancelled }
    let terminal = unsafe memory.assumingMemoryBound(to: uv_tty_t.self)
    try UVError.check(unsafe uv_tty_set_mode(terminal, isRaw ? UV_TTY_MODE_RAW : UV_TTY_MODE_NORMAL))
  }
}

extension Stream {
  /// As ``startReading(onBytes:onEnd:)``, for the few bytes that a person types: each piece is the caller's to keep.
  public func startReadingArrays(
    onBytes: @escaping ([UInt8]) -> Void, onEnd: @escaping (UVError?) -> Void
  ) throws(UVError) {
    try startReading { span in
      onBytes(unsafe span.withUnsafeBytes { unsafe Array($0) })
    } onEnd: {
      onEnd($0)
    }
  }

  /// As ``write(_:whenSent:)``, of an array.
  @discardableResult
  public func write(_ bytes: [UInt8], whenSent: @escaping (UVError?) -> Void = { _ in }) throws(UVError) -> WriteOutcome
  {
    try unsafe write(bytes.span.bytes, whenSent: whenSent)
  }
}

extension Process {
  /// Puts the terminal back that ``Stream/setRaw(_:)`` has changed, whatever became of its stream.
  public static func resetTerminal() { _ = uv_tty_reset_mode() }

  /// Sees that a crash puts the terminal back: from now on SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT and
  /// SIGQUIT write `bytes` to standard output and undo raw mode before they do what they always do.
  ///
  /// - Throws: `fileTooLarge` for more than 512 bytes.
  public static func restoreTerminalOnCrash(writing bytes: [UInt8]) throws(UVError) {
    let status = unsafe bytes.withUnsafeBytes { unsafe cuv_restore_on_crash(1, $0.baseAddress, $0.count) }
    try UVError.check(status)
  }

  /// Stops this process and those of its pipeline, as Ctrl-Z does, until the shell continues them. At once over where
  /// there is nobody to continue them (an orphaned process group).
  ///
  /// No ``Signal`` may listen for `stop` meanwhile.
  public static func suspend() { _ = cuv_stop_group() }
}
