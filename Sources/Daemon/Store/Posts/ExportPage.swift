public import Posts

/// A piece of an export.
public struct ExportPage: Equatable, Sendable {
  /// In the order of the store's numbers. A repost carries its original.
  public var posts: [ImportedPost]
  /// Where to go on, or nil at the end.
  public var next: PostID?
  /// Posts that the file holds damaged, so that an export says what it leaves out.
  public var damaged: [PostID]
}
