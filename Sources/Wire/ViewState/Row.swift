/// A marked part of a row's text.
public struct RowSpan: Equatable, Sendable {
  /// What it is; the numbers are the schema's.
  public enum Kind: UInt8, Sendable {
    case mention = 1
    case hashtag = 2
    case link = 3
  }
  public var kind: Kind
  /// Bytes of the row's text, half-open.
  public var range: Range<Int>
  /// URL, handle without "@" or tag without "#".
  public var target: [UInt8]

  /// Puts the parts together.
  public init(kind: Kind, range: Range<Int>, target: [UInt8]) {
    self.kind = kind
    self.range = range
    self.target = target
  }
}

/// Who wrote or reposted what a row shows; all texts are harmless UTF-8.
public struct RowAuthor: Equatable, Sendable {
  public var id: UInt64
  /// Without "@".
  public var handle: [UInt8]
  public var displayName: [UInt8]
  /// Empty where none is known.
  public var avatarURL: [UInt8]

  /// Puts the parts together.
  public init(id: UInt64, handle: [UInt8], displayName: [UInt8], avatarURL: [UInt8]) {
    self.id = id
    self.handle = handle
    self.displayName = displayName
    self.avatarURL = avatarURL
  }
}

/// An attachment of a row.
public struct RowMedia: Equatable, Sendable {
  /// What it is; the numbers are the schema's.
  public enum Kind: UInt8, Sendable {
    case unknown = 0
    case image = 1
    case video = 2
    case animation = 3
    case audio = 4
  }
  public var kind: Kind
  public var url: [UInt8]
  /// Empty where nobody wrote any.
  public var altText: [UInt8]

  /// Puts the parts together.
  public init(kind: Kind, url: [UInt8], altText: [UInt8]) {
    self.kind = kind
    self.url = url
    self.altText = altText
  }
}

/// What a row says, whatever the width of the view: made once a revision and shared by every view that shows the row.
///
/// A class, so that the many views that hold the same row hold one copy, and so that a diff sees by identity that
/// nothing changed. Immutable.
public final class RowContent: Sendable, Equatable {
  /// What a row is, by the schema's numbers; there may be more than those with a name here.
  public struct Kind: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// A post or a repost.
    public static let post = Kind(rawValue: 1)
    /// A list that the account made.
    public static let list = Kind(rawValue: 2)
    /// Something that the daemon itself says.
    public static let notice = Kind(rawValue: 3)
    /// Posts are missing here.
    public static let gap = Kind(rawValue: 4)
  }

  /// All parts of a row's content, by name.
  public struct Fields: Equatable, Sendable {
    /// Stable id; never 0.
    public var rowID: UInt64
    /// The schema's number of the row's kind; a client keeps kinds it does not know.
    public var kind = Kind.post
    /// The post shown: `rowID` or the original of a repost.
    public var postID: UInt64 = 0
    public var createdAtMilliseconds: Int64 = 0
    public var author: RowAuthor
    public var repostedBy: RowAuthor?
    /// UTF-8 without controls but LF.
    public var text: [UInt8] = []
    public var spans: [RowSpan] = []
    public var media: [RowMedia] = []
    public var replies: UInt32 = 0
    public var reposts: UInt32 = 0
    public var favourites: UInt32 = 0
    /// The schema's number: 1 public, 2 unlisted, 3 followers, 4 direct.
    public var visibility: UInt32 = 1
    public var contentWarning: [UInt8] = []
    public var language: [UInt8] = []
    public var permalink: [UInt8] = []
    /// 0 for none.
    public var inReplyTo: UInt64 = 0
    public var inReplyToHandle: [UInt8] = []
    public var flags: RowFlags = []
    /// The direct conversation it belongs to; 0 for none.
    public var direct: UInt64 = 0
    /// Authors of a list; 0 for other rows.
    public var listAuthors: UInt32 = 0
    /// Of a gap: its later end, exclusive; else 0, as the next two.
    public var gapNewerMilliseconds: Int64 = 0
    /// Its earlier end, exclusive.
    public var gapOlderMilliseconds: Int64 = 0
    /// About how many posts are missing; 0 where nobody knows.
    public var gapMissing: UInt32 = 0
    /// How what this account did stands with the post's source.
    public var delivery = Delivery.none
    /// Why the source refused it, in one line.
    public var failure: [UInt8] = []
    /// What this account says of whether it has read it.
    public var readMark = RowReadMark.none
    /// Stands for everything above; made by the daemon, echoed by a client that resumes. 0 for none.
    public var fingerprint: UInt64 = 0

    /// A post row without text; the rest is set by name.
    public init(rowID: UInt64, author: RowAuthor) {
      self.rowID = rowID
      self.author = author
    }
  }

  public let fields: Fields

  /// The row's id, which also is its key in every list.
  public var rowID: UInt64 { fields.rowID }

  /// Freezes `fields`.
  public init(_ fields: Fields) { self.fields = fields }

  public static func == (left: RowContent, right: RowContent) -> Bool {
    left === right || left.fields == right.fields
  }
}

/// How what an account did to a post stands with the post's source; the numbers are the schema's.
public enum Delivery: UInt8, Sendable, CaseIterable {
  /// Nothing is under way.
  case none = 0
  /// The source has not said yet that it is so.
  case pending = 1
  /// The source refused it.
  case failed = 2
}

/// What an account says of whether it has read a post; the numbers are the schema's.
public enum RowReadMark: UInt8, Sendable, CaseIterable {
  /// Nothing: how far a section has been read tells.
  case none = 0
  case read = 1
  case unread = 2
}

/// Yes-or-no facts a row shows. Bits are those of the daemon's `PostFlags`.
public struct RowFlags: OptionSet, Sendable, Hashable {
  public let rawValue: UInt16
  public init(rawValue: UInt16) { self.rawValue = rawValue }
  /// This account favourited it.
  public static let favourited = RowFlags(rawValue: 1 << 0)
  /// This account reposted it.
  public static let reposted = RowFlags(rawValue: 1 << 1)
  /// This account saved it.
  public static let saved = RowFlags(rawValue: 1 << 2)
  /// Its source asks to hide its media.
  public static let sensitive = RowFlags(rawValue: 1 << 3)
  /// It was edited after it was published.
  public static let edited = RowFlags(rawValue: 1 << 4)
  /// This account has muted its conversation.
  public static let muted = RowFlags(rawValue: 1 << 10)

  /// All that a row can show.
  public static let all = RowFlags(kinds.map(\.flag))

  /// One of them, for those who tell them all.
  public struct Kind: Sendable {
    public let flag: RowFlags
    /// The number of its field in the schema's Row.
    public let field: UInt32
    /// The name of that field.
    public let name: StaticString
    /// The words for it beside a post's text; nil where it shows elsewhere.
    public let words: String?
  }

  /// All of them, in the order in which they are told.
  public static let kinds: [Kind] = [
    Kind(flag: .sensitive, field: 20, name: "sensitive", words: nil),
    Kind(flag: .edited, field: 21, name: "edited", words: "edited"),
    Kind(flag: .favourited, field: 22, name: "favourited", words: "favourited by you"),
    Kind(flag: .reposted, field: 23, name: "reposted", words: "reposted by you"),
    Kind(flag: .saved, field: 24, name: "saved", words: "saved"),
    Kind(flag: .muted, field: 33, name: "conversation_muted", words: "conversation muted"),
  ]
}

/// What an account can do to a post; the numbers are the schema's.
public enum MarkKind: UInt8, Sendable, CaseIterable {
  case favourite = 1
  case repost = 2
  case save = 3
  /// Its conversation is muted.
  case mute = 4

  /// The flag of a row that says that it is so.
  public var flag: RowFlags {
    switch self {
    case .favourite: .favourited
    case .repost: .reposted
    case .save: .saved
    case .mute: .muted
    }
  }
}

/// How a row is cut into lines at a view's width.
public struct RowLayout: Equatable, Sendable {
  /// Of the whole row, in the unit of the view's metrics.
  public var height: Int
  /// End of each line as byte offsets into the text; see `Row.line_ends` in the schema.
  public var lineEnds: [UInt32]

  /// Puts the parts together.
  public init(height: Int, lineEnds: [UInt32]) {
    self.height = height
    self.lineEnds = lineEnds
  }
}

/// Which corners of a row are rounded (behaviour.md, rule 16).
public struct Caps: OptionSet, Sendable, Hashable {
  public let rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }
  /// The top corners.
  public static let top = Caps(rawValue: 1 << 0)
  /// The bottom corners.
  public static let bottom = Caps(rawValue: 1 << 1)
}
