internal import CSQLite

/// Operations on files beside SQLite's own. Those that can fail return 0 or the `errno` of the failure.
enum StoreFiles {
  /// Creates an empty file that only its owner may read, unless something has this name; SQLite gives its other files
  /// the same mode.
  @discardableResult
  static func createPrivate(_ path: String) -> Int32 { unsafe stack_create_private_file(path) }

  /// Removes a file if it exists.
  static func remove(_ path: String) { unsafe stack_remove_file(path) }

  /// Returns true if something is at a path, even a symbolic link that leads nowhere.
  static func exists(_ path: String) -> Bool { unsafe stack_path_exists(path) != 0 }

  /// Returns true if two paths lead to the same folder, whatever their text.
  static func areSameFolder(_ left: String, _ right: String) -> Bool { unsafe stack_is_same_folder(left, right) != 0 }

  /// Renames a file within its folder unless something has the new name.
  static func rename(_ path: String, toNew name: String) -> Int32 { unsafe stack_rename_new(path, name) }

  /// Writes the names in a folder to the disk.
  static func syncFolder(_ path: String) -> Int32 { unsafe stack_sync_folder(path) }
}

/// A path as its folder and the name in it.
struct FilePlace {
  let folder: String
  let name: String

  init(_ path: String) {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else {
      (folder, name) = (".", path)
      return
    }
    folder = slash == path.startIndex ? "/" : String(path[..<slash])
    name = String(path[path.utf8.index(after: slash)...])
  }

  /// True if SQLite or the daemon uses this name for the store `path`: its file, its lock, or one of the files that
  /// SQLite keeps beside it, whose names begin with the store's and a hyphen (https://sqlite.org/tempfiles.html).
  func belongs(toStore path: String) -> Bool {
    let store = FilePlace(path)
    guard name == store.name || name == store.name + ".lock" || name.hasPrefix(store.name + "-") else { return false }
    return StoreFiles.areSameFolder(folder, store.folder)
  }
}
