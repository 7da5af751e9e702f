internal import CUV

/// A libuv event loop: the one thread on which everything that is not `Sendable` lives.
///
/// One iteration is one *turn*: libuv's callbacks only record what happened, and the turn's hooks then act on all of it
/// at once, from a prepare handle (before the poll, so that what a timer did does not wait for the next event) and from
/// a check handle (after the poll).
@safe public final class Loop {
  /// When in a turn a hook runs. All hooks of one phase run, in the order in which they were added, before the next
  /// phase.
  public enum TurnPhase: CaseIterable, Sendable {
    /// Act on what the callbacks recorded.
    case handle
    /// Send what acting produced: one write for each connection.
    case flush
  }

  /// Names a hook, so that it can be removed.
  public struct TurnHook: Hashable, Sendable {
    fileprivate let number: Int
  }

  /// How long `run` goes on.
  public enum RunMode: Sendable {
    /// Until nothing keeps the loop alive, or `stop()`.
    case untilIdle
    /// One iteration, waiting for an event if there is none yet.
    case once
    /// One iteration without waiting.
    case withoutWaiting
  }

  /// Bytes in the one read buffer of the loop. 64 KiB is what libuv suggests to its allocation callback.
  static let readBufferBytes = 65536

  /// How often a turn's hooks run again because one of them asked for it, before sockets get their turn in between.
  static let roundsPerTurn = 4

  let pointer: UnsafeMutablePointer<uv_loop_t>
  let readBuffer: uv_buf_t
  private var hooks: [TurnPhase: [(hook: TurnHook, body: () -> Void)]] = [:]
  private var hooksMade = 0
  private var idle: TurnHandle?
  private var isClosed = false

  /// Makes a loop with its two turn handles. Ignores `SIGPIPE` for the process: a peer that is gone is an error of the
  /// write.
  public init() throws(UVError) {
    unsafe pointer = .allocate(capacity: 1)
    let bytes = UnsafeMutablePointer<CChar>.allocate(capacity: Loop.readBufferBytes)
    unsafe readBuffer = uv_buf_t(base: bytes, len: Loop.readBufferBytes)
    cuv_ignore_broken_pipes()
    let status = unsafe uv_loop_init(pointer)
    guard status == 0 else {
      isClosed = true
      throw UVError(rawValue: status)
    }
    do {
      try unsafe TurnHandle(loop: self, type: UV_PREPARE) { unsafe TurnHandle.startPrepare($0, pointer) }
      try unsafe TurnHandle(loop: self, type: UV_CHECK) { unsafe TurnHandle.startCheck($0, pointer) }
      idle = try unsafe TurnHandle(loop: self, type: UV_IDLE) { unsafe TurnHandle.startIdle($0, pointer) }
    } catch {
      try close()
      throw error
    }
  }

  deinit {
    precondition(isClosed, "a loop must be closed before it is let go")
    unsafe readBuffer.base.deallocate()
    unsafe pointer.deallocate()
  }

  /// Runs the loop. True if something still keeps it alive when it returns.
  @discardableResult
  public func run(_ mode: RunMode = .untilIdle) -> Bool {
    let raw =
      switch mode {
      case .untilIdle: UV_RUN_DEFAULT
      case .once: UV_RUN_ONCE
      case .withoutWaiting: UV_RUN_NOWAIT
      }
    return unsafe uv_run(pointer, raw) != 0
  }

  /// Makes `run` return after the present iteration.
  public func stop() { unsafe uv_stop(pointer) }

  /// Adds a hook to every turn. The loop keeps it until it is removed or the loop closes.
  @discardableResult
  public func atTurnEnd(_ phase: TurnPhase, _ body: @escaping () -> Void) -> TurnHook {
    let hook = TurnHook(number: hooksMade)
    hooksMade += 1
    hooks[phase, default: []].append((hook, body))
    return hook
  }

  /// Removes a hook. In the middle of a turn it may still run once.
  public func remove(_ hook: TurnHook) {
    for phase in TurnPhase.allCases { hooks[phase]?.removeAll { $0.hook == hook } }
  }

  /// Sees to it that the hooks run before the loop next waits. Whoever leaves work for a hook outside a libuv callback
  /// (in a hook, say, or before `run`) calls this; it costs nothing to call it too often.
  public func scheduleTurn() { idle?.isSpinning = true }

  /// Runs the hooks of one turn: called from the prepare and the check trampoline.
  func endTurn() {
    for _ in 0..<Loop.roundsPerTurn {
      idle?.isSpinning = false
      for phase in TurnPhase.allCases {
        runHooks(of: phase)
      }
      if idle?.isSpinning != true { return }
    }
  }

  /// Runs the hooks of a phase now, and again when their time comes: who produces much sends some of it before the rest
  /// is made.
  public func runHooks(of phase: TurnPhase) {
    for entry in hooks[phase] ?? [] { entry.body() }
  }

  /// Nanoseconds of the monotonic clock, as a length of time since an origin that is arbitrary but fixed for the
  /// machine's uptime. With `wallClockMilliseconds` the only clock that the shell reads.
  public static var now: Duration { .nanoseconds(Int64(clamping: uv_hrtime())) }

  /// Milliseconds since 1970-01-01T00:00:00Z by the wall clock, which may step.
  public static var wallClockMilliseconds: Int64 {
    var time = uv_timeval64_t()
    guard unsafe uv_gettimeofday(&time) == 0 else { return 0 }
    return time.tv_sec * 1000 + Int64(time.tv_usec) / 1000
  }

  /// How many handles are open or closing, the loop's own three left out. Linear in their number.
  public var openHandles: Int {
    var count = 0
    unsafe withUnsafeMutablePointer(to: &count) { counter in
      unsafe uv_walk(
        pointer, { _, counter in unsafe counter?.assumingMemoryBound(to: Int.self).pointee += 1 }, counter)
    }
    return count - TurnHandle.countPerLoop
  }

  /// Closes every handle, runs the loop until all have been let go, and closes it. Asking twice is harmless.
  ///
  /// - Throws: what `uv_loop_close` returned if it is not 0, which is an error in this target.
  public func close() throws(UVError) {
    guard !isClosed else { return }
    hooks = [:]
    idle = nil
    unsafe uv_walk(pointer, onWalk, nil)
    run()
    try UVError.check(unsafe uv_loop_close(pointer))
    isClosed = true
  }
}
