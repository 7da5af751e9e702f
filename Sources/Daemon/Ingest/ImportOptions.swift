public import Posts

/// How an import is to be done.
public struct ImportOptions: Sendable {
  public var format: ImportFormat
  /// The name of the space of ids the posts go to; nil for the format's own ("twitter", "mastodon", "stack").
  public var sourceName: String?
  /// Who wrote items that do not say so, as a Twitter archive's; nil to learn it from the archive's `account.js`.
  public var author: ImportedAuthor?
  /// The host of the Mastodon server the files were fetched from, whose numbers replies use; nil to learn it from its
  /// own people's posts.
  public var server: String?
  /// The greatest item in bytes; larger ones are skipped with their reason. Reading takes up to 14 times as much
  /// memory.
  public var itemLimit: Int
  /// The greatest property list in bytes; it is read as a whole.
  public var propertyListLimit: Int

  /// 4 MiB an item: a thousand times what a post takes. 32 MiB a property list, of as many values as
  /// ``PropertyListGuard`` allows.
  public init(
    format: ImportFormat = .auto, sourceName: String? = nil, author: ImportedAuthor? = nil, server: String? = nil,
    itemLimit: Int = 4 << 20, propertyListLimit: Int = 32 << 20
  ) {
    self.format = format
    self.sourceName = sourceName
    self.author = author
    self.server = server
    self.itemLimit = itemLimit
    self.propertyListLimit = propertyListLimit
  }
}
