public import Dates

/// The store's number of a post; positive, never reused. Also orders posts of the same instant.
public struct PostID: Hashable, Comparable, Sendable {
  public let rawValue: Int64
  public init(_ rawValue: Int64) { self.rawValue = rawValue }
  public static func < (left: PostID, right: PostID) -> Bool { left.rawValue < right.rawValue }
}

/// The store's number of an author; positive. An author is one (source, native ID) pair.
public struct AuthorID: Hashable, Sendable {
  public let rawValue: Int64
  public init(_ rawValue: Int64) { self.rawValue = rawValue }
}

/// The store's number of an account of this daemon, which can connect to it.
public struct AccountID: Hashable, Sendable {
  public let rawValue: Int64
  public init(_ rawValue: Int64) { self.rawValue = rawValue }
}

/// The author of a post.
public struct Author: Equatable, Sendable {
  public var id: AuthorID
  /// Without "@"; for Mastodon `user@host`, unless the author is local to the file's server.
  public var handle: SafeText
  /// The displayed name; the handle if the source gave none.
  public var displayName: SafeText
  /// An https URL, or empty.
  public var avatarURL: SafeText
  /// The name of the source; empty for the author of an account of this daemon.
  public var source: SafeText
  /// The name of the account that has claimed an author of another source; empty for none.
  public var claimant: SafeText
  /// True if an author of another source bears the name of an account that has not claimed it.
  public var isNamesake: Bool

  public init(
    id: AuthorID, handle: SafeText, displayName: SafeText, avatarURL: SafeText, source: SafeText = .empty,
    claimant: SafeText = .empty, isNamesake: Bool = false
  ) {
    self.id = id
    self.handle = handle
    self.displayName = displayName
    self.avatarURL = avatarURL
    self.source = source
    self.claimant = claimant
    self.isNamesake = isNamesake
  }

  /// The names by which `from:` finds the author: the handle, unless it is the name of somebody else's account, and the
  /// account that has claimed the author.
  public var searchNames: [SafeText] {
    let handles = isNamesake || handle.isEmpty ? [] : [handle]
    return claimant.isEmpty || claimant == handle ? handles : handles + [claimant]
  }
}

/// The accounts that may see a post, as its source reported it.
public enum Visibility: UInt8, Sendable, CaseIterable {
  case `public` = 0
  /// Public, but kept out of public timelines.
  case unlisted = 1
  /// Followers of the author only.
  case followers = 2
  /// The mentioned people only.
  case direct = 3
}

/// A marked part of a post's text.
public struct Span: Equatable, Sendable {
  /// The kind of the part. Raw values are those of ``PackedBody``.
  public enum Kind: UInt8, Sendable {
    case mention = 1
    case hashtag = 2
    case link = 3
  }
  public var kind: Kind
  /// Byte offsets into the post's text: half-open, on character boundaries, ascending, without overlap.
  public var range: Range<Int>
  /// The target: the URL of a link, the handle of a mention without "@", a hashtag without "#".
  public var target: SafeText

  public init(kind: Kind, range: Range<Int>, target: SafeText) {
    self.kind = kind
    self.range = range
    self.target = target
  }

  /// Returns the same part of a text that begins `bytes` later.
  public func moved(by bytes: Int) -> Span {
    Span(kind: kind, range: range.lowerBound + bytes..<range.upperBound + bytes, target: target)
  }
}

/// A picture, video or sound of a post.
public struct Media: Equatable, Sendable {
  /// The kind of medium. Raw values are those of ``PackedBody``.
  public enum Kind: UInt8, Sendable {
    case unknown = 0
    case image = 1
    case video = 2
    case animation = 3
    case audio = 4
  }
  /// The most bytes of ``uploadID``.
  public static let uploadIDBytes = 512

  public var kind: Kind
  /// An https URL, or a path inside the archive that it came from.
  public var url: SafeText
  /// A description in words; empty if there is none.
  public var altText: SafeText
  /// The source's ID of a file that was sent there for a post written here; empty for any other.
  public var uploadID: SafeText

  public init(kind: Kind, url: SafeText, altText: SafeText, uploadID: SafeText = .empty) {
    self.kind = kind
    self.url = url
    self.altText = altText
    self.uploadID = uploadID
  }
}

/// The numbers of replies, reposts and favourites of a post, as its source last reported them.
public struct Counts: Equatable, Sendable {
  public var replies: UInt32
  public var reposts: UInt32
  public var favourites: UInt32

  public init(replies: UInt32 = 0, reposts: UInt32 = 0, favourites: UInt32 = 0) {
    self.replies = replies
    self.reposts = reposts
    self.favourites = favourites
  }
}

/// Boolean facts about a post.
public struct PostFlags: OptionSet, Sendable, Hashable {
  public let rawValue: UInt16
  public init(rawValue: UInt16) { self.rawValue = rawValue }
  /// Favourited by the importing account.
  public static let favourited = PostFlags(rawValue: 1 << 0)
  /// Reposted by the importing account.
  public static let reposted = PostFlags(rawValue: 1 << 1)
  /// Saved by the importing account.
  public static let saved = PostFlags(rawValue: 1 << 2)
  /// The source asks to hide media until the reader wants to see them.
  public static let sensitive = PostFlags(rawValue: 1 << 3)
  /// The text differs from the first version.
  public static let edited = PostFlags(rawValue: 1 << 4)
  /// Tells what somebody did, such as favouriting a post; nobody has written it.
  public static let notice = PostFlags(rawValue: 1 << 5)
  /// Marked as read by the importing account.
  public static let read = PostFlags(rawValue: 1 << 8)
  /// Marked as unread by the importing account.
  public static let unread = PostFlags(rawValue: 1 << 9)
  /// The importing account has muted the conversation.
  public static let muted = PostFlags(rawValue: 1 << 10)
  /// Arrived while the importing account had muted the conversation.
  public static let withheld = PostFlags(rawValue: 1 << 11)

  /// The flags that describe actions of the importing account.
  public static let ofAccount: PostFlags = [.favourited, .reposted, .saved, .read, .unread, .muted, .withheld]

  /// The name of each flag in JSON Lines and in logs, in the order in which they are written.
  public static let names: [(name: String, flag: PostFlags)] = [
    ("favourited", .favourited), ("reposted", .reposted), ("saved", .saved), ("sensitive", .sensitive),
    ("edited", .edited), ("notice", .notice), ("read", .read), ("unread", .unread), ("muted", .muted),
    ("withheld", .withheld),
  ]
}

/// The content of a post apart from its author and time, packed into one blob (``PackedBody``).
public struct PostBody: Equatable, Sendable {
  public var text: SafeText
  public var spans: [Span]
  public var media: [Media]
  public var counts: Counts
  public var visibility: Visibility
  public var flags: PostFlags
  /// The reason to fold the text, in one line; empty if there is none.
  public var contentWarning: SafeText
  /// A BCP 47 tag; empty if unknown.
  public var language: SafeText
  /// The web address of the post; empty if it has none.
  public var permalink: SafeText
  /// The handle that the post replies to, without "@"; empty if it is not a reply.
  public var inReplyToHandle: SafeText

  public init(
    text: SafeText, spans: [Span] = [], media: [Media] = [], counts: Counts = Counts(),
    visibility: Visibility = .public, flags: PostFlags = [], contentWarning: SafeText = .empty,
    language: SafeText = .empty, permalink: SafeText = .empty, inReplyToHandle: SafeText = .empty
  ) {
    self.text = text
    self.spans = spans
    self.media = media
    self.counts = counts
    self.visibility = visibility
    self.flags = flags
    self.contentWarning = contentWarning
    self.language = language
    self.permalink = permalink
    self.inReplyToHandle = inReplyToHandle
  }
}

extension PostBody {
  /// The maximum size of a body in bytes, about the length of a novella, so that any post fits into a message of any
  /// stream.
  public static let byteLimit = 256 * 1024

  /// The approximate size of the body in bytes, packed or in a message. O(spans + media).
  public var byteCount: Int {
    let spanBytes = spans.reduce(0) { $0 + $1.target.count + 12 }
    let mediaBytes = media.reduce(0) { $0 + $1.url.count + $1.altText.count + $1.uploadID.count + 8 }
    return 32 + text.count + contentWarning.count + language.count + permalink.count + inReplyToHandle.count + spanBytes
      + mediaBytes
  }
}

/// A post as the store returns it: the columns for ordering and filtering, and the packed rest.
///
/// A repost is a separate entry, with its own ID and instant and with `repostedBy` set. Its `subject`, `author`, `body`
/// and `marks` are the original's.
public struct StoredPost: Equatable, Sendable {
  public var id: PostID
  /// The displayed post: `id` itself, or the original of a repost.
  public var subject: PostID
  public var createdAt: Instant
  /// The author of the displayed post.
  public var author: AuthorID
  /// The author of the repost; nil if it is not one.
  public var repostedBy: AuthorID?
  /// The time at which the original of a repost was written; nil if that is `createdAt`, and for other posts.
  public var originalAt: Instant?
  /// The account that imported or wrote it, which may always see it.
  public var owner: AccountID
  /// The post that it replies to, if the store knows it.
  public var inReplyTo: PostID?
  public var body: PackedBody
  /// The marks that accounts of this daemon made on the displayed post.
  public var marks: PostMarks
  /// The accounts that may see it. A repost's audience can be narrower than its owner and its body's visibility imply.
  public var audience: Audience

  /// Creates a post. `audience` defaults to the one that the body's visibility and the owner imply.
  public init(
    id: PostID, subject: PostID, createdAt: Instant, author: AuthorID, repostedBy: AuthorID?, owner: AccountID,
    inReplyTo: PostID?, body: PackedBody, marks: PostMarks = .none, audience: Audience? = nil,
    originalAt: Instant? = nil
  ) {
    self.id = id
    self.subject = subject
    self.createdAt = createdAt
    self.author = author
    self.repostedBy = repostedBy
    self.owner = owner
    self.inReplyTo = inReplyTo
    self.body = body
    self.marks = marks
    self.audience = audience ?? Audience(visibility: body.visibility, owner: owner)
    self.originalAt = repostedBy == nil || originalAt == createdAt ? nil : originalAt
  }
}
