internal import Posts

/// What posts written here are called elsewhere: with the epoch in it, so that the exports of two daemons never
/// collide.
struct NativeNames {
  let epoch: UInt64

  /// What a post of this store is called.
  func nativeID(of id: PostID) -> String {
    let digits = String(epoch, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits + "-" + String(id.rawValue)
  }

  /// The number in what a post of this store is called; nil for any other name.
  func number(of name: String) -> Int64? {
    let prefix = nativeID(of: PostID(0)).dropLast()
    return name.hasPrefix(prefix) ? Int64(name.dropFirst(prefix.count)) : nil
  }
}
