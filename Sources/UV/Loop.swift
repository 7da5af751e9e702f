internal import CUV

/// A libuv event loop: the one thread on which everything that is not `Sendable` lives.
///
/// One iteration is one *turn*: libuv's callbacks only record events, and the turn's hooks then handle all of them at
/// once, from a prepare handle (before the poll, so that the effects of a timer do not wait for the next event) and
/// from a check handle (after the poll).
@safe public final class Loop {
  /// The phase of a turn in which a hook runs. All hooks of one phase run, in the order of registration, before the
  /// next phase.
  public enum TurnPhase: CaseIterable, Sendable {
    /// Handles the events that callbacks recorded.
    case handle
    /// Sends the resulting output: one write for each connection.
    case flush
  }

  /// Identifies a hook, so that it can be removed.
  public struct TurnHook: Hashable, Sendable {
    fileprivate let number: Int
  }

  /// The condition on which `run` returns.
  public enum RunMode: Sendable {
    /// Runs until nothing keeps the loop alive, or `stop()`.
    case untilIdle
    /// Runs one iteration, waiting for an event if there is none yet.
    case once
    /// Runs one iteration without waiting.
    case withoutWaiting
  }

  /// Bytes of the loop's only read buffer. libuv suggests 64 KiB to its allocation callback.
  static let readBufferBytes = 65536

  /// Maximum number of times a turn's hooks run, on request, before sockets get their turn.
  static let roundsPerTurn = 4
  /// Time after which they are not run again before that.
  private static let roundsTime = Duration.milliseconds(1)

  let pointer: UnsafeMutablePointer<uv_loop_t>
  let readBuffer: uv_buf_t
  private var hooks: [TurnPhase: [(hook: TurnHook, body: () -> Void)]] = [:]
  private var hookCount = 0
  private var idle: TurnHandle?
  private var isClosed = false

  /// Creates a loop with its turn handles. Ignores `SIGPIPE` in the process: writing to a closed peer is an error of
  /// the write.
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
    precondition(isClosed, "a loop must be closed before it is released")
    unsafe readBuffer.base.deallocate()
    unsafe pointer.deallocate()
  }

  /// Runs the loop. Returns true if something still keeps it alive.
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

  /// Makes `run` return after the current iteration.
  public func stop() { unsafe uv_stop(pointer) }

  /// Adds a hook to every turn. The loop keeps it until it is removed or the loop closes.
  @discardableResult
  public func atTurnEnd(_ phase: TurnPhase, _ body: @escaping () -> Void) -> TurnHook {
    let hook = TurnHook(number: hookCount)
    hookCount += 1
    hooks[phase, default: []].append((hook, body))
    return hook
  }

  /// Removes a hook. In the middle of a turn it may still run once.
  public func remove(_ hook: TurnHook) {
    for phase in TurnPhase.allCases { hooks[phase]?.removeAll { $0.hook == hook } }
  }

  /// Makes the hooks run before the loop next waits. Must be called after leaving work for a hook outside a libuv
  /// callback, for example in a hook or before `run`; extra calls cost nothing.
  public func scheduleTurn() { idle?.isSpinning = true }

  /// Runs the hooks of one turn; called from the prepare and the check trampoline.
  func endTurn() {
    let end = Loop.now + Loop.roundsTime
    for _ in 0..<Loop.roundsPerTurn {
      idle?.isSpinning = false
      for phase in TurnPhase.allCases {
        runHooks(of: phase)
      }
      if idle?.isSpinning != true || Loop.now >= end { return }
    }
  }

  /// Runs the hooks of a phase now, in addition to their normal time: a producer of much output can send part of it
  /// early.
  public func runHooks(of phase: TurnPhase) {
    for entry in hooks[phase] ?? [] { entry.body() }
  }

  /// Time of the monotonic clock, since an origin that is arbitrary but fixed for the machine's uptime. With
  /// `wallClockMilliseconds`, the only clock that the I/O modules read.
  public static var now: Duration { .nanoseconds(Int64(clamping: uv_hrtime())) }

  /// Milliseconds since 1970-01-01T00:00:00Z by the wall clock, which may step.
  public static var wallClockMilliseconds: Int64 {
    var time = uv_timeval64_t()
    guard unsafe uv_gettimeofday(&time) == 0 else { return 0 }
    return time.tv_sec * 1000 + Int64(time.tv_usec) / 1000
  }

  /// The number of handles that are open or closing, without the loop's own three. Linear in their number.
  public var openHandles: Int {
    var count = 0
    unsafe withUnsafeMutablePointer(to: &count) { counter in
      unsafe uv_walk(
        pointer, { _, counter in unsafe counter?.assumingMemoryBound(to: Int.self).pointee += 1 }, counter)
    }
    return count - TurnHandle.countPerLoop
  }

  /// Closes every handle, runs the loop until all are released, and closes it. Idempotent.
  ///
  /// - Throws: the result of `uv_loop_close` if it is not 0, which is a bug in this module.
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
