public import Dates

/// The store's number of a post; positive, never reused. Part of the timeline's order, so it is also the tie-break
/// between posts of one instant.
public struct PostID: Hashable, Comparable, Sendable {
  public let rawValue: Int64
  public init(_ rawValue: Int64) { self.rawValue = rawValue }
  public static func < (left: PostID, right: PostID) -> Bool { left.rawValue < right.rawValue }
}

/// The store's number of an author; positive. One author is one (source, native id).
public struct AuthorID: Hashable, Sendable {
  public let rawValue: Int64
  public init(_ rawValue: Int64) { self.rawValue = rawValue }
}

/// The store's number of an account of this daemon: somebody who may connect to it.
public struct AccountID: Hashable, Sendable {
  public let rawValue: Int64
  public init(_ rawValue: Int64) { self.rawValue = rawValue }
}

/// Who wrote a post.
public struct Author: Equatable, Sendable {
  public var id: AuthorID
  /// Without "@"; for Mastodon `user@host` unless the author is local to the file's server.
  public var handle: SafeText
  /// As shown; the handle where the source gave none.
  public var displayName: SafeText
  /// https URL or empty.
  public var avatarURL: SafeText

  public init(id: AuthorID, handle: SafeText, displayName: SafeText, avatarURL: SafeText) {
    self.id = id
    self.handle = handle
    self.displayName = displayName
    self.avatarURL = avatarURL
  }
}

/// Who may see a post, as its source said (ingest.md, section 6).
public enum Visibility: UInt8, Sendable, CaseIterable {
  case `public` = 0
  /// Public, but kept out of public timelines.
  case unlisted = 1
  /// Followers of the author only.
  case followers = 2
  /// The people named in it only.
  case direct = 3
}

/// A marked part of a post's text.
public struct Span: Equatable, Sendable {
  /// What the marked part is; the numbers are those of ``PackedBody``.
  public enum Kind: UInt8, Sendable {
    case mention = 1
    case hashtag = 2
    case link = 3
  }
  public var kind: Kind
  /// Byte offsets into the post's text, half-open, on character boundaries, in ascending order without overlap.
  public var range: Range<Int>
  /// Where it leads: the URL of a link, the handle of a mention without "@", a hashtag without "#".
  public var target: SafeText

  public init(kind: Kind, range: Range<Int>, target: SafeText) {
    self.kind = kind
    self.range = range
    self.target = target
  }
}

/// A picture, film or sound of a post.
public struct Media: Equatable, Sendable {
  /// What sort of thing it is; the numbers are those of ``PackedBody``.
  public enum Kind: UInt8, Sendable {
    case unknown = 0
    case image = 1
    case video = 2
    case animation = 3
    case audio = 4
  }
  public var kind: Kind
  /// Where it is: an https URL, or a path inside the archive it came from.
  public var url: SafeText
  /// What it shows, in words; empty where nobody wrote any.
  public var altText: SafeText

  public init(kind: Kind, url: SafeText, altText: SafeText) {
    self.kind = kind
    self.url = url
    self.altText = altText
  }
}

/// How often others acted on a post, as its source last said.
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

/// Yes-or-no facts about a post.
public struct PostFlags: OptionSet, Sendable, Hashable {
  public let rawValue: UInt16
  public init(rawValue: UInt16) { self.rawValue = rawValue }
  /// The importing account favourited it.
  public static let favourited = PostFlags(rawValue: 1 << 0)
  /// The importing account reposted it.
  public static let reposted = PostFlags(rawValue: 1 << 1)
  /// The importing account saved it.
  public static let saved = PostFlags(rawValue: 1 << 2)
  /// Its source asks to hide media until wanted.
  public static let sensitive = PostFlags(rawValue: 1 << 3)
  /// Its text is not the one it was first sent with.
  public static let edited = PostFlags(rawValue: 1 << 4)
  /// The importing account has muted its conversation.
  public static let muted = PostFlags(rawValue: 1 << 10)
  /// It came while the importing account had muted its conversation.
  public static let withheld = PostFlags(rawValue: 1 << 11)

  /// Those that say what the importing account did.
  public static let ofAccount: PostFlags = [.favourited, .reposted, .saved, .muted, .withheld]

  /// What each is called in JSON Lines, and in logs, in the order in which they are told.
  public static let names: [(name: String, flag: PostFlags)] = [
    ("favourited", .favourited), ("reposted", .reposted), ("saved", .saved), ("sensitive", .sensitive),
    ("edited", .edited), ("muted", .muted), ("withheld", .withheld),
  ]
}

/// What a post says, apart from who and when: all that is packed into one blob (``PackedBody``).
public struct PostBody: Equatable, Sendable {
  public var text: SafeText
  public var spans: [Span]
  public var media: [Media]
  public var counts: Counts
  public var visibility: Visibility
  public var flags: PostFlags
  /// Why its text should be folded; empty for none. One line.
  public var contentWarning: SafeText
  /// BCP 47 tag; empty where unknown.
  public var language: SafeText
  /// Where the post stands on the web; empty where nowhere.
  public var permalink: SafeText
  /// The handle it answers, without "@"; empty where it answers none.
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
  /// Bytes a body may have, so that any post fits into a message of any stream: about the length of a novella.
  public static let byteLimit = 256 * 1024

  /// About how many bytes the body takes, packed or in a message. O(spans + media).
  public var byteCount: Int {
    let spanBytes = spans.reduce(0) { $0 + $1.target.count + 12 }
    let mediaBytes = media.reduce(0) { $0 + $1.url.count + $1.altText.count + 8 }
    return 32 + text.count + contentWarning.count + language.count + permalink.count + inReplyToHandle.count + spanBytes
      + mediaBytes
  }
}

/// A post as the store hands it out: the columns the engine orders and filters by, and the rest packed.
///
/// A repost is an entry of its own (own id, own instant, `repostedBy` set) whose `subject`, `author`, `body` and
/// `marks` are the original's.
public struct StoredPost: Equatable, Sendable {
  public var id: PostID
  /// The post that is shown: `id` itself, or the original of a repost.
  public var subject: PostID
  public var createdAt: Instant
  /// Who wrote what is shown.
  public var author: AuthorID
  /// Who reposted it, or nil.
  public var repostedBy: AuthorID?
  /// The account that imported or wrote it; it always may see it.
  public var owner: AccountID
  /// The post this one answers, where the store knows it.
  public var inReplyTo: PostID?
  public var body: PackedBody
  /// What accounts of this daemon have done to what is shown.
  public var marks: PostMarks
  /// Who may see it. A repost's can be narrower than its owner and its body's visibility say.
  public var audience: Audience

  /// Without an `audience`: the one that the body's visibility and the owner give.
  public init(
    id: PostID, subject: PostID, createdAt: Instant, author: AuthorID, repostedBy: AuthorID?, owner: AccountID,
    inReplyTo: PostID?, body: PackedBody, marks: PostMarks = .none, audience: Audience? = nil
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
  }
}
