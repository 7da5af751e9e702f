/// A pointer to a libuv object whose functions may be called from any thread.
///
/// Proof for `@unchecked`, the only one in the project: only two kinds of object are held this way. A `uv_async_t`:
/// other threads only call `uv_async_send`, which is allowed from any thread, under the lock of `WakeUp`; the loop
/// removes the pointer there before it closes the handle. And a `uv_sem_t`: other threads call `uv_sem_post` and
/// `uv_sem_wait`, which is the purpose of a semaphore; `JobQueue` owns it, and every caller retains the queue.
@unsafe struct AnyThreadPointer<Pointee>: @unchecked Sendable {
  /// The object.
  let raw: UnsafeMutablePointer<Pointee>
}
