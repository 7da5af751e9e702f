internal import CUV

/// A one-shot timer. It never fires early; it may fire late by a millisecond plus the duration of the preceding turn.
public final class Timer: Handle {
  private var onFired: (() -> Void)?

  /// Opens a timer, disarmed.
  public init(loop: Loop, _ onFired: @escaping () -> Void) throws(UVError) {
    self.onFired = onFired
    try unsafe super.init(loop: loop, type: UV_TIMER) { memory in
      unsafe uv_timer_init(loop.pointer, memory.assumingMemoryBound(to: uv_timer_t.self))
    }
  }

  /// Arms the timer to fire once, `delay` from now, replacing any earlier arming. Negative delays count as zero; libuv
  /// counts milliseconds, so fractions are rounded up.
  public func arm(after delay: Duration) {
    guard isOpen else { return }
    let parts = delay.components
    let milliseconds = parts.seconds * 1000 + (parts.attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
    // The loop's cached time is as old as its iteration: update it, or the timer fires early.
    unsafe uv_update_time(loop.pointer)
    let timer = unsafe memory.assumingMemoryBound(to: uv_timer_t.self)
    // Fails only on a closing handle or without a callback.
    _ = unsafe uv_timer_start(timer, onTimer, UInt64(max(0, milliseconds)), 0)
  }

  /// Disarms the timer.
  public func disarm() {
    guard isOpen else { return }
    _ = unsafe uv_timer_stop(memory.assumingMemoryBound(to: uv_timer_t.self))
  }

  override func willClose() { onFired = nil }

  /// Called by the trampoline.
  func fired() { onFired?() }
}
