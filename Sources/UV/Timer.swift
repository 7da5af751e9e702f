internal import CUV

/// One timer. It never fires early; it may fire late by a millisecond and by what the turn before it takes.
public final class Timer: Handle {
  private var onFired: (() -> Void)?

  /// Opens a timer, disarmed.
  public init(loop: Loop, _ onFired: @escaping () -> Void) throws(UVError) {
    self.onFired = onFired
    try unsafe super.init(loop: loop, type: UV_TIMER) { memory in
      unsafe uv_timer_init(loop.pointer, memory.assumingMemoryBound(to: uv_timer_t.self))
    }
  }

  /// Fires once, `delay` from now, in place of any earlier arming. Below zero counts as zero; libuv counts
  /// milliseconds, so the rest of one is rounded up.
  public func arm(after delay: Duration) {
    guard isOpen else { return }
    let parts = delay.components
    let milliseconds = parts.seconds * 1000 + (parts.attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
    // The loop's own idea of now is as old as its iteration: bring it up to date, or the timer fires early.
    unsafe uv_update_time(loop.pointer)
    let timer = unsafe memory.assumingMemoryBound(to: uv_timer_t.self)
    // Fails only on a closing handle or without a callback.
    _ = unsafe uv_timer_start(timer, onTimer, UInt64(max(0, milliseconds)), 0)
  }

  /// Forgets the arming.
  public func disarm() {
    guard isOpen else { return }
    _ = unsafe uv_timer_stop(memory.assumingMemoryBound(to: uv_timer_t.self))
  }

  override func willClose() { onFired = nil }

  /// Called by the trampoline.
  func fired() { onFired?() }
}
