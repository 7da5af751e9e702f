internal import CUV

extension Stream {
  /// Returns standard input, to be read on the loop.
  ///
  /// - Throws: `invalidArgument` if it is not a terminal.
  public static func terminalInput(loop: Loop) throws(UVError) -> Stream { try Stream(loop: loop, terminal: 0) }

  /// Returns standard output, to be written to on the loop.
  ///
  /// - Throws: `invalidArgument` if it is not a terminal.
  public static func terminalOutput(loop: Loop) throws(UVError) -> Stream { try Stream(loop: loop, terminal: 1) }

  /// Switches the terminal to raw mode, without echo, line editing or signals (cfmakeraw(3)); or restores its previous
  /// mode.
  public func setRaw(_ isRaw: Bool) throws(UVError) {
    guard isOpen else { throw .cancelled }
    let terminal = unsafe memory.assumingMemoryBound(to: uv_tty_t.self)
    try UVError.check(unsafe uv_tty_set_mode(terminal, isRaw ? UV_TTY_MODE_RAW : UV_TTY_MODE_NORMAL))
  }
}

extension Stream {
  /// Starts reading like ``startReading(onBytes:onEnd:)``, for the few bytes that a person types: each piece is copied.
  public func startReadingArrays(
    onBytes: @escaping ([UInt8]) -> Void, onEnd: @escaping (UVError?) -> Void
  ) throws(UVError) {
    try startReading { span in
      onBytes(unsafe span.withUnsafeBytes { unsafe Array($0) })
    } onEnd: {
      onEnd($0)
    }
  }

  /// Writes an array, like ``write(_:whenSent:)``.
  @discardableResult
  public func write(_ bytes: [UInt8], whenSent: @escaping (UVError?) -> Void = { _ in }) throws(UVError) -> WriteOutcome
  {
    try unsafe write(bytes.span.bytes, whenSent: whenSent)
  }
}

extension Process {
  /// Restores the terminal that ``Stream/setRaw(_:)`` has changed, even if its stream has gone.
  public static func resetTerminal() { _ = uv_tty_reset_mode() }

  /// Restores the terminal after a crash: from now on SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT and SIGQUIT
  /// write `bytes` to standard output and undo raw mode before their default action.
  ///
  /// - Throws: `fileTooLarge` for more than 512 bytes.
  public static func restoreTerminalOnCrash(writing bytes: [UInt8]) throws(UVError) {
    let status = unsafe bytes.withUnsafeBytes { unsafe cuv_restore_on_crash(1, $0.baseAddress, $0.count) }
    try UVError.check(status)
  }

  /// Suspends this process and those of its pipeline, as Ctrl-Z does, until the shell continues them. Returns at once
  /// if no shell can continue them (an orphaned process group).
  ///
  /// No ``Signal`` may listen for `stop` meanwhile.
  public static func suspend() { _ = cuv_stop_group() }
}
