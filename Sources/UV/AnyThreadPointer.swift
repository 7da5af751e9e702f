/// A pointer to a libuv object whose functions may be called from any thread.
///
/// Proof for `@unchecked`, the only one of the project: just two objects are held so. A `uv_async_t`, of which other
/// threads only call `uv_async_send`, allowed from any thread, under the lock of `WakeUp`, from which the loop takes
/// the pointer away before it closes the handle. And a `uv_sem_t`, of which they call `uv_sem_post` and `uv_sem_wait`,
/// which is what a semaphore is for; `JobQueue` owns it, and whoever calls holds the queue.
@unsafe struct AnyThreadPointer<Pointee>: @unchecked Sendable {
  /// The object.
  let raw: UnsafeMutablePointer<Pointee>
}
