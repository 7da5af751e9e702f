internal import CUV

/// A libuv handle: one allocation with a stable address, owned by one object.
///
/// `open -> closing -> closed`. While libuv knows the handle, the object keeps itself alive through `handle.data`; only
/// the close callback releases it. Dropping a handle without `close()` therefore leaks nothing and stops nothing: it
/// lives until its loop closes.
@safe public class Handle {
  /// The phase of a handle's life.
  enum State {
    case open
    case closing
    case closed
  }

  /// The loop whose thread makes all calls to this handle.
  public let loop: Loop

  /// The phase of its life; also `closed` before it has been opened.
  private(set) var state = State.closed

  /// The `uv_xxx_t` itself: `uv_handle_size` bytes that this object allocates and frees.
  let memory: UnsafeMutableRawPointer

  /// Called once on the loop when libuv has released the handle, after all its other callbacks.
  public var onClosed: (() -> Void)?

  /// Allocates the handle and lets `start` call its `uv_xxx_init`, which owns nothing if it fails.
  init(
    loop: Loop, type: uv_handle_type, start: (UnsafeMutableRawPointer) -> Int32
  ) throws(UVError) {
    self.loop = loop
    unsafe memory = .allocate(byteCount: uv_handle_size(type), alignment: 16)
    try UVError.check(unsafe start(memory))
    state = .open
    unsafe handle.pointee.data = Unmanaged.passRetained(self).toOpaque()
  }

  deinit {
    precondition(state == .closed, "a libuv handle outlived its object")
    unsafe memory.deallocate()
  }

  /// The handle as libuv's base type; libuv guarantees that every handle begins with these fields.
  final var handle: UnsafeMutablePointer<uv_handle_t> { unsafe memory.assumingMemoryBound(to: uv_handle_t.self) }

  /// True if the handle may be used: it is open and not being closed.
  public final var isOpen: Bool { state == .open }

  /// True if this handle alone keeps `Loop.run()` from returning. True unless set to false.
  public final var keepsLoopRunning: Bool {
    get { unsafe state == .open && uv_has_ref(handle) != 0 }
    set {
      guard state == .open else { return }
      if newValue { unsafe uv_ref(handle) } else { unsafe uv_unref(handle) }
    }
  }

  /// Stops the handle. Its callbacks are dropped at once; `onClosed` follows in the same turn or the next. Idempotent.
  public final func close() {
    guard state == .open else { return }
    state = .closing
    willClose()
    unsafe uv_close(handle, onHandleClosed)
  }

  /// Prepares a kind of handle for closing: drops its callbacks, so that no cycle through them remains.
  func willClose() {}

  /// Records that libuv has released the handle; called by the close trampoline, which has already consumed the retain
  /// of `init`.
  final func didClose() {
    state = .closed
    let callback = onClosed
    onClosed = nil
    callback?()
  }
}
