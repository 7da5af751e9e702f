internal import CUV

/// Reports when a descriptor that belongs to somebody else, such as a C library's socket, can be read or written.
public final class DescriptorPoll: Handle {
  private var onReady: ((_ readable: Bool, _ writable: Bool) -> Void)?

  /// Opens a poll that waits for nothing yet. The descriptor must stay open until the poll is closed.
  ///
  /// - Parameter onReady: called on the loop; both are true after an error of the descriptor, which its owner then
  ///   finds out.
  public init(
    loop: Loop, descriptor: Int32, onReady: @escaping (_ readable: Bool, _ writable: Bool) -> Void
  ) throws(UVError) {
    self.onReady = onReady
    try unsafe super.init(loop: loop, type: UV_POLL) { memory in
      unsafe uv_poll_init(loop.pointer, memory.assumingMemoryBound(to: uv_poll_t.self), descriptor)
    }
  }

  /// Waits for the descriptor to be readable, writable, either, or nothing.
  public func wait(readable: Bool, writable: Bool) throws(UVError) {
    guard isOpen else { throw .cancelled }
    let poll = unsafe memory.assumingMemoryBound(to: uv_poll_t.self)
    let events = (readable ? UV_READABLE.rawValue : 0) | (writable ? UV_WRITABLE.rawValue : 0)
    guard events != 0 else {
      // Always 0, according to libuv.
      _ = unsafe uv_poll_stop(poll)
      return
    }
    try UVError.check(unsafe uv_poll_start(poll, Int32(events), onDescriptorReady))
  }

  override func willClose() {
    onReady = nil
    _ = unsafe uv_poll_stop(memory.assumingMemoryBound(to: uv_poll_t.self))
  }

  /// Called by the trampoline.
  func ready(status: Int32, events: Int32) {
    let hasFailed = status < 0
    onReady?(
      hasFailed || UInt32(events) & UV_READABLE.rawValue != 0, hasFailed || UInt32(events) & UV_WRITABLE.rawValue != 0)
  }
}
