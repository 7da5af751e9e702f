internal import CUV

/// Tells when something changes in a folder: a name that comes or goes, what a file holds, who may use it; and when the folder itself
/// goes. It does not keep the loop running.
///
/// It is the folder that is watched and not its path: one that was moved away is still watched where it is.
public final class FolderWatch: Handle {
  private var onChange: ((String?) -> Void)?

  /// Watches from now on.
  ///
  /// - Parameter onChange: told the name of what changed; of the folder itself its own name, and nil where that is not known.
  /// - Throws: `noSuchFile`, or what the kernel says where it watches as much as this user may have watched (inotify(7)).
  public init(loop: Loop, _ path: String, onChange: @escaping (String?) -> Void) throws(UVError) {
    self.onChange = onChange
    try unsafe super.init(loop: loop, type: UV_FS_EVENT) { memory in
      unsafe uv_fs_event_init(loop.pointer, memory.assumingMemoryBound(to: uv_fs_event_t.self))
    }
    keepsLoopRunning = false
    do {
      let watch = unsafe memory.assumingMemoryBound(to: uv_fs_event_t.self)
      try UVError.check(unsafe uv_fs_event_start(watch, onFolderChange, path, 0))
    } catch {
      close()
      throw error
    }
  }

  override func willClose() { onChange = nil }

  /// Called by the trampoline.
  func changed(_ name: String?) { onChange?(name) }
}
