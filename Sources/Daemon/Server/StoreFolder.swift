internal import UV

/// The parent of the store's folder is missing.
public struct NoStoreFolder: Error, Equatable, CustomStringConvertible {
  /// The missing folder.
  public let path: String
  /// The store's file.
  public let store: String

  /// One line that says what to do.
  public var description: String {
    "there is no folder \(path) for the store \(store); create it, or choose another file with --store"
  }
}

/// The folder that a store is in.
enum StoreFolder {
  /// Creates the folder of `store` if it is missing, and missing folders above it if `makesAll` is set.
  static func make(of store: String, makesAll: Bool) throws {
    guard let folder = FileSystem.parent(of: store) else { return }
    if !makesAll, isMissing(folder), let above = FileSystem.parent(of: folder), isMissing(above) {
      throw NoStoreFolder(path: above, store: store)
    }
    try FileSystem.makeDirectories(folder)
  }

  /// Returns true if nothing exists at `path`.
  static func isMissing(_ path: String) -> Bool { (try? FileSystem.status(of: path, followingLink: true)) == nil }
}
