internal import CUV

/// Reports when a name appears in or disappears from a directory, when the attributes of a file change, and when the
/// directory itself goes. Does not report writes to files. Does not keep the loop running.
///
/// It watches the directory, not its path: one that was moved away is still watched where it is.
public final class FolderWatch: Handle {
  /// Bytes of an event without its name: the watch, the event mask, a cookie, and the length of the name (inotify(7)).
  private static let headBytes = 16

  private let descriptor: Int32
  private let folder: String
  private var onChange: ((String?) -> Void)?

  /// Starts watching.
  ///
  /// - Parameter onChange: called with the name that changed, or with the directory's own name for the directory
  ///   itself.
  /// - Throws: `noSuchFile`, or the kernel's error if this user's watches are used up (inotify(7)).
  public init(loop: Loop, _ path: String, onChange: @escaping (String?) -> Void) throws(UVError) {
    let descriptor = try UVError.check(unsafe cuv_watch_names(path))
    self.descriptor = descriptor
    self.onChange = onChange
    folder = path.split(separator: "/").last.map(String.init) ?? path
    do {
      try unsafe super.init(loop: loop, type: UV_POLL) { memory in
        unsafe uv_poll_init(loop.pointer, memory.assumingMemoryBound(to: uv_poll_t.self), descriptor)
      }
    } catch {
      cuv_close(descriptor)
      throw error
    }
    keepsLoopRunning = false
    do {
      try UVError.check(
        unsafe uv_poll_start(
          memory.assumingMemoryBound(to: uv_poll_t.self), Int32(UV_READABLE.rawValue), onFolderChange))
    } catch {
      close()
      throw error
    }
  }

  override func willClose() {
    onChange = nil
    unsafe uv_poll_stop(memory.assumingMemoryBound(to: uv_poll_t.self))
    cuv_close(descriptor)
  }

  /// Reads and reports the events; called by the trampoline.
  func changed() {
    var bytes = [UInt8](repeating: 0, count: 4096)
    while onChange != nil {
      let count = unsafe bytes.withUnsafeMutableBytes { unsafe cuv_read(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 else { return }
      for name in Self.names(in: bytes.prefix(count)) { onChange?(name.isEmpty ? folder : name) }
    }
  }

  /// Returns the names of events, empty for the directory itself; each is padded with zeros.
  private static func names(in bytes: ArraySlice<UInt8>) -> [String] {
    var names: [String] = []
    var rest = bytes
    while rest.count >= headBytes {
      let length = rest.dropFirst(headBytes - 4).prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
      names.append(String(decoding: rest.dropFirst(headBytes).prefix(length).prefix { $0 != 0 }, as: UTF8.self))
      rest = rest.dropFirst(headBytes + length)
    }
    return names
  }
}
