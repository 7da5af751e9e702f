public import Posts

/// The options of an import.
public struct ImportOptions: Sendable {
  public var format: ImportFormat
  /// The name of the ID space of posts that name none, such as all of Twitter's and Mastodon's formats; nil for the
  /// format's own ("twitter", "mastodon", "jsonl").
  public var sourceName: String?
  /// The author of items that name none, such as those of a Twitter archive; nil to use the archive's `account.js`.
  public var author: ImportedAuthor?
  /// The host of the Mastodon server the files came from, whose numbers replies refer to; nil to derive it from posts
  /// by accounts of that server.
  public var server: String?
  /// The maximum size of an item in bytes; larger items are skipped with a reason. Reading takes up to 14 times as much
  /// memory.
  public var itemLimit: Int
  /// The maximum size of a property list in bytes; it is read as a whole.
  public var propertyListLimit: Int

  /// Creates the options. Defaults: 4 MiB an item, a thousand times the size of a post; 32 MiB a property list, with as
  /// many values as ``PropertyListGuard`` allows.
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
