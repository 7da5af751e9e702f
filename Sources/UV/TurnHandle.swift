internal import CUV

/// One of a loop's three turn handles: prepare, check and idle. None of them keeps the loop running.
final class TurnHandle: Handle {
  /// Prepare, check and idle.
  static let countPerLoop = 3

  /// Opens a turn handle with one of the `start` functions below.
  @discardableResult
  override init(
    loop: Loop, type: uv_handle_type, start: (UnsafeMutableRawPointer) -> Int32
  ) throws(UVError) {
    try unsafe super.init(loop: loop, type: type, start: start)
    keepsLoopRunning = false
  }

  /// For the idle handle: true if the next poll returns at once.
  var isSpinning = false {
    didSet {
      guard isOpen, isSpinning != oldValue else { return }
      let idle = unsafe memory.assumingMemoryBound(to: uv_idle_t.self)
      // Neither can fail on an open handle with a callback.
      if isSpinning { unsafe uv_idle_start(idle, onIdle) } else { unsafe uv_idle_stop(idle) }
      keepsLoopRunning = isSpinning
    }
  }

  /// Opens and starts a prepare handle.
  static func startPrepare(_ memory: UnsafeMutableRawPointer, _ loop: UnsafeMutablePointer<uv_loop_t>) -> Int32 {
    let prepare = unsafe memory.assumingMemoryBound(to: uv_prepare_t.self)
    let status = unsafe uv_prepare_init(loop, prepare)
    return status != 0 ? status : unsafe uv_prepare_start(prepare, onPrepare)
  }

  /// Opens and starts a check handle.
  static func startCheck(_ memory: UnsafeMutableRawPointer, _ loop: UnsafeMutablePointer<uv_loop_t>) -> Int32 {
    let check = unsafe memory.assumingMemoryBound(to: uv_check_t.self)
    let status = unsafe uv_check_init(loop, check)
    return status != 0 ? status : unsafe uv_check_start(check, onCheck)
  }

  /// Opens an idle handle, stopped.
  static func startIdle(_ memory: UnsafeMutableRawPointer, _ loop: UnsafeMutablePointer<uv_loop_t>) -> Int32 {
    unsafe uv_idle_init(loop, memory.assumingMemoryBound(to: uv_idle_t.self))
  }
}
