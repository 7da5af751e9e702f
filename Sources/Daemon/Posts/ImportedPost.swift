public import Dates

/// A post as an importer read it from a source: named by the source's own ids, not yet by the store's.
public struct ImportedPost: Equatable, Sendable {
  /// The name of the space of ids it comes from: "twitter", "mastodon", "stack", … With `nativeID` the post's identity.
  public var source: String
  /// The source's id of it: a tweet's number, a Mastodon status's `uri`. At most 2,048 bytes.
  public var nativeID: String
  /// Other names replies may call it by (a Mastodon server's own number for it, as `host#number`).
  public var aliases: [String]
  public var author: ImportedAuthor
  public var createdAt: Instant
  public var body: PostBody
  /// `nativeID` or alias, in the same source, of the post it answers; nil for none.
  public var inReplyTo: String?
  /// The original, where this is a repost; then `body` is ignored. Never nested: an original's own `original` is nil.
  public var original: [ImportedPost]
  /// The source's JSON of this post, minified, so that it can be read again by a later version; empty for none.
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

/// An author as an importer read it: identity is (source, native id).
public struct ImportedAuthor: Equatable, Sendable {
  /// The source's id of the author: a Twitter user's number, a Mastodon account's `url` or `uri`.
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
