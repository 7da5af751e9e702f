public import Posts

/// A page of an export.
public struct ExportPage: Equatable, Sendable {
  /// Posts in the order of their keys, oldest first. A repost includes its original.
  public var posts: [ImportedPost]
  /// The post after which the next page starts; nil at the end.
  public var next: OrderKey?
  /// Posts that are damaged in the file and left out of the export.
  public var damaged: [PostID]
}
