public import Dates

/// A post as an importer read it from a source, identified by the source's IDs instead of the store's.
public struct ImportedPost: Equatable, Sendable {
  /// The name of its ID space: "twitter", "mastodon", "stack", … Together with `nativeID` it identifies the post.
  public var source: String
  /// The source's ID of the post: a tweet's number, a Mastodon status's `uri`. At most 2,048 bytes.
  public var nativeID: String
  /// Other names by which replies may refer to it (a Mastodon server's own number, as `host#number`).
  public var aliases: [String]
  public var author: ImportedAuthor
  public var createdAt: Instant
  public var body: PostBody
  /// The handles of those whom a direct post is for, as its source says; nil if it is for those whom its text mentions.
  public var recipients: [SafeText]?
  /// The `nativeID` or an alias, in the same source, of the post it replies to; nil if it is not a reply.
  public var inReplyTo: String?
  /// The original if this is a repost; `body` is then ignored. Never nested: the `original` of an original is empty.
  public var original: [ImportedPost]
  /// The source's JSON of the post, minified, so that a later version can read it again; may be empty.
  public var native: [UInt8]

  public init(
    source: String, nativeID: String, aliases: [String] = [], author: ImportedAuthor, createdAt: Instant,
    body: PostBody,
    inReplyTo: String? = nil, original: ImportedPost? = nil, native: [UInt8] = []
  ) {
    self.source = source
    self.nativeID = nativeID
    self.aliases = aliases
    self.author = author
    self.createdAt = createdAt
    self.body = body
    self.inReplyTo = inReplyTo
    self.original = original.map { [$0] } ?? []
    self.native = native
  }
}

/// An author as an importer read it, identified by source and native ID.
public struct ImportedAuthor: Equatable, Sendable {
  /// The source's ID of the author: a Twitter user's number, a Mastodon account's `url` or `uri`.
  public var nativeID: String
  public var handle: SafeText
  public var displayName: SafeText
  public var avatarURL: SafeText

  public init(nativeID: String, handle: SafeText, displayName: SafeText, avatarURL: SafeText = .empty) {
    self.nativeID = nativeID
    self.handle = handle
    self.displayName = displayName
    self.avatarURL = avatarURL
  }
}
