internal import Posts

/// The source of feeds' posts that a file brings (docs/adr/0035). Source ``StoredFeed/source`` is that of the feeds of
/// this store, and what it has comes from their program alone.
enum FeedArchive {
  static let source = "feed-archive"

  /// Returns a post as it is stored if a file says that it is a feed's. Feeds of other stores have the same numbers, so
  /// an author's ID has its host in front.
  static func placed(_ post: ImportedPost) -> ImportedPost {
    var post = post
    post.source = source
    if !post.author.handle.isEmpty { post.author.nativeID = "\(post.author.handle)/\(post.author.nativeID)" }
    return post
  }
}
