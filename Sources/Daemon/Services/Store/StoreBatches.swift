/// Batch sizes of the store's workers.
enum StoreBatches {
  /// Number of posts that an export reads at a time.
  static let exportPage = 32
  /// Size in bytes above which a page is read again post by post, so that a message stays within the limits of gRPC
  /// libraries.
  static let exportBytes = 1 << 20
  /// Maximum number of imported posts in one transaction, unless a single write has more.
  static let postsPerTransaction = 1000
}
