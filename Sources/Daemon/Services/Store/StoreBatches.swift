/// How much the store's workers read or write at a time.
enum StoreBatches {
  /// Posts an export reads at a time.
  static let exportPage = 32
  /// Bytes of a page above which it is read again post by post, so that a message stays below what gRPC libraries take.
  static let exportBytes = 1 << 20
  /// Posts of imports in one transaction, unless a single write has more.
  static let postsPerTransaction = 1000
}
