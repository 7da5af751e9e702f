internal import UV

/// The folder above the one that the store is to be in is missing.
public struct NoStoreFolder: Error, Equatable, CustomStringConvertible {
  /// The folder that is missing.
  public let path: String
  /// The store's file.
  public let store: String

  /// One line that says what to do.
  public var description: String {
    "there is no folder \(path) for the store \(store); make it, or choose another file with --store"
  }
}

/// The folder that a store is in.
enum StoreFolder {
  /// Makes the folder of `store` where it is missing, and those above it if `makesAll` says so.
  static func make(of store: String, makesAll: Bool) throws {
    guard let folder = FileSystem.parent(of: store) else { return }
    if !makesAll, isMissing(folder), let above = FileSystem.parent(of: folder), isMissing(above) {
      throw NoStoreFolder(path: above, store: store)
    }
    try FileSystem.makeDirectories(folder)
  }

  /// Whether nothing is at `path`.
  static func isMissing(_ path: String) -> Bool { (try? FileSystem.status(of: path, followingLink: true)) == nil }
}
