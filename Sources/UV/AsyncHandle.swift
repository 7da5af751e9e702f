internal import CUV
internal import Synchronization

/// A `uv_async_t`: the one handle that other threads may use, and only through its `wake`.
final class AsyncHandle: Handle {
  /// The part that other threads hold.
  let wake = WakeUp()
  /// Called on the loop some time after each wake; several wakes may be merged into one call.
  var onWoken: (() -> Void)?

  /// Opens the handle.
  init(loop: Loop) throws(UVError) {
    try unsafe super.init(loop: loop, type: UV_ASYNC) { memory in
      unsafe uv_async_init(loop.pointer, memory.assumingMemoryBound(to: uv_async_t.self), onAsync)
    }
    unsafe wake.connect(memory.assumingMemoryBound(to: uv_async_t.self))
  }

  override func willClose() {
    wake.disconnect()
    onWoken = nil
  }

  /// Called by the trampoline.
  func woken() { onWoken?() }
}

/// Wakes a loop from any thread, until the handle behind it closes.
@safe final class WakeUp: Sendable {
  private let pointer = unsafe Mutex<AnyThreadPointer<uv_async_t>?>(nil)

  /// Connects the open handle; called on the loop.
  func connect(_ raw: UnsafeMutablePointer<uv_async_t>) {
    let boxed = unsafe AnyThreadPointer(raw: raw)
    unsafe pointer.withLock { unsafe $0 = boxed }
  }

  /// Disconnects the handle before it closes; called on the loop.
  func disconnect() { unsafe pointer.withLock { unsafe $0 = nil } }

  /// Wakes the loop, or does nothing if it has closed the handle.
  func wake() {
    unsafe pointer.withLock { pointer in
      // Fails only on a handle that is not a uv_async_t.
      if let pointer = unsafe pointer { _ = unsafe uv_async_send(pointer.raw) }
    }
  }
}
