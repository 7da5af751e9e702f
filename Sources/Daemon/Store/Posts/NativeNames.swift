internal import Posts

/// Native IDs of local posts. They contain the epoch, so that the exports of two daemons never collide.
struct NativeNames {
  let epoch: UInt64

  /// Returns the native ID of a post of this store.
  func nativeID(of id: PostID) -> String { prefix + String(id.rawValue) }

  /// Returns the post number in a native ID of this store; nil for any other name.
  func number(of name: String) -> Int64? {
    name.hasPrefix(prefix) ? Int64(name.dropFirst(prefix.count)) : nil
  }

  private var prefix: String {
    let digits = String(epoch, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits + "-"
  }
}
