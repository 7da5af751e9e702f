internal import CUV

/// A Unix signal, delivered on the loop. It does not keep the loop running.
public final class Signal: Handle {
  /// The signals that our programs listen for.
  public struct Number: Hashable, Sendable {
    /// The kernel's number, signal(7).
    public let rawValue: Int32

    /// Ctrl-C.
    public static let interrupt = Number(rawValue: SIGINT)
    /// A request to end.
    public static let terminate = Number(rawValue: SIGTERM)
    /// The terminal has been closed.
    public static let hangup = Number(rawValue: SIGHUP)
    /// The terminal was resized.
    public static let windowChange = Number(rawValue: SIGWINCH)
    /// A request to suspend: Ctrl-Z.
    public static let stop = Number(rawValue: SIGTSTP)
    /// The process continues after a stop.
    public static let proceed = Number(rawValue: SIGCONT)
    /// Free for the program's own use.
    public static let user1 = Number(rawValue: SIGUSR1)
  }

  private var onReceived: (() -> Void)?

  /// Listens for `number` until `close()`, in place of its default action.
  public init(loop: Loop, _ number: Number, _ onReceived: @escaping () -> Void) throws(UVError) {
    self.onReceived = onReceived
    try unsafe super.init(loop: loop, type: UV_SIGNAL) { memory in
      unsafe uv_signal_init(loop.pointer, memory.assumingMemoryBound(to: uv_signal_t.self))
    }
    keepsLoopRunning = false
    do {
      let signal = unsafe memory.assumingMemoryBound(to: uv_signal_t.self)
      try UVError.check(unsafe uv_signal_start(signal, UV.onSignal, number.rawValue))
    } catch {
      close()
      throw error
    }
  }

  override func willClose() { onReceived = nil }

  /// Called by the trampoline.
  func received() { onReceived?() }
}
