/// A marked part of a row's text.
public struct RowSpan: Equatable, Sendable {
  /// The kind of span; the numbers are the schema's.
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

  public init(kind: Kind, range: Range<Int>, target: [UInt8]) {
    self.kind = kind
    self.range = range
    self.target = target
  }
}

/// The author or reposter of a row's post; all texts are sanitized UTF-8.
public struct RowAuthor: Equatable, Sendable {
  public var id: UInt64
  /// Without "@".
  public var handle: [UInt8]
  public var displayName: [UInt8]
  /// Empty if unknown.
  public var avatarURL: [UInt8]
  /// The name of the author's source; empty for the author of an account of the daemon.
  public var source: [UInt8]
  /// True if the author bears the name of an account that it does not belong to: `source` is shown beside the handle.
  public var isNamesake: Bool

  public init(
    id: UInt64, handle: [UInt8], displayName: [UInt8], avatarURL: [UInt8], source: [UInt8] = [],
    isNamesake: Bool = false
  ) {
    self.id = id
    self.handle = handle
    self.displayName = displayName
    self.avatarURL = avatarURL
    self.source = source
    self.isNamesake = isNamesake
  }
}

/// An attachment of a row.
public struct RowMedia: Equatable, Sendable {
  /// The kind of attachment; the numbers are the schema's.
  public enum Kind: UInt8, Sendable {
    case unknown = 0
    case image = 1
    case video = 2
    case animation = 3
    case audio = 4
  }
  public var kind: Kind
  public var url: [UInt8]
  /// Empty if there is none.
  public var altText: [UInt8]

  public init(kind: Kind, url: [UInt8], altText: [UInt8]) {
    self.kind = kind
    self.url = url
    self.altText = altText
  }
}

/// The content of a row, independent of a view's width: created once per revision and shared by every view that shows
/// the row.
///
/// A class, so that views share one copy, and so that a diff detects unchanged rows by identity. Immutable.
public final class RowContent: Sendable, Equatable {
  /// The kind of row, by the schema's numbers; other values than those named here are possible.
  public struct Kind: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// A post or a repost.
    public static let post = Kind(rawValue: 1)
    /// A list that the account created.
    public static let list = Kind(rawValue: 2)
    /// A notice from the daemon itself.
    public static let notice = Kind(rawValue: 3)
    /// A gap where posts are missing.
    public static let gap = Kind(rawValue: 4)
  }

  /// All parts of a row's content, by name.
  public struct Fields: Equatable, Sendable {
    /// Stable ID; never 0.
    public var rowID: UInt64
    /// The schema's number of the row's kind; a client keeps unknown kinds.
    public var kind = Kind.post
    /// The post shown: `rowID` or the original of a repost.
    public var postID: UInt64 = 0
    public var createdAtMilliseconds: Int64 = 0
    public var author: RowAuthor
    public var repostedBy: RowAuthor?
    /// The time at which the original of a repost was written; 0 for other rows.
    public var originalAtMilliseconds: Int64 = 0
    /// UTF-8 without control characters except LF.
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
    /// Number of authors in a list; 0 for other rows.
    public var listAuthors: UInt32 = 0
    /// Later end of a gap, exclusive; 0 for other rows, as are the next two.
    public var gapNewerMilliseconds: Int64 = 0
    /// Earlier end of a gap, exclusive.
    public var gapOlderMilliseconds: Int64 = 0
    /// Approximate number of missing posts; 0 if unknown.
    public var gapMissing: UInt32 = 0
    /// True if the source no longer has the posts of a gap.
    public var isGapLost = false
    /// State of this account's pending action at the post's source.
    public var delivery = Delivery.none
    /// The source's reason for a refusal, in one line.
    public var failure: [UInt8] = []
    /// This account's read mark.
    public var readMark = RowReadMark.none
    /// True if the session has unfolded the row.
    public var isUnfolded = false
    /// A fingerprint of everything above; created by the daemon, echoed by a client that resumes. 0 for none.
    public var fingerprint: UInt64 = 0

    /// True if the row has a line below its text: for counts, attachments, whom it replies to, or what this account
    /// did with it (docs/BEHAVIOUR.md, rule 20).
    public var hasFacts: Bool {
      kind == .post
        && (replies > 0 || reposts > 0 || favourites > 0 || !media.isEmpty || visibility != 1
          || !inReplyToHandle.isEmpty || delivery != .none || readMark == .unread || !flags.isDisjoint(with: .shown))
    }

    /// A post row without text; other fields are set by name.
    public init(rowID: UInt64, author: RowAuthor) {
      self.rowID = rowID
      self.author = author
    }
  }

  public let fields: Fields

  /// The row's ID, which is also its key in every list.
  public var rowID: UInt64 { fields.rowID }

  /// Wraps `fields`, which become immutable.
  public init(_ fields: Fields) { self.fields = fields }

  public static func == (left: RowContent, right: RowContent) -> Bool {
    left === right || left.fields == right.fields
  }
}

/// The state of an account's action at the post's source; the numbers are the schema's.
public enum Delivery: UInt8, Sendable, CaseIterable {
  /// No action.
  case none = 0
  /// The source has not confirmed it yet.
  case pending = 1
  /// The source refused it.
  case failed = 2
}

/// An account's explicit read mark on a post; the numbers are the schema's.
public enum RowReadMark: UInt8, Sendable, CaseIterable {
  /// No mark: the reading position of the section decides.
  case none = 0
  case read = 1
  case unread = 2
}

/// Boolean facts about a row. The bits are those of the daemon's `PostFlags`.
public struct RowFlags: OptionSet, Sendable, Hashable {
  public let rawValue: UInt16
  public init(rawValue: UInt16) { self.rawValue = rawValue }
  /// This account favourited it.
  public static let favourited = RowFlags(rawValue: 1 << 0)
  /// This account reposted it.
  public static let reposted = RowFlags(rawValue: 1 << 1)
  /// This account saved it.
  public static let saved = RowFlags(rawValue: 1 << 2)
  /// The source asks to hide its media.
  public static let sensitive = RowFlags(rawValue: 1 << 3)
  /// It was edited after it was published.
  public static let edited = RowFlags(rawValue: 1 << 4)
  /// It tells what somebody did, such as favouriting a post; nobody has written it.
  public static let notice = RowFlags(rawValue: 1 << 5)
  /// This account has muted its conversation.
  public static let muted = RowFlags(rawValue: 1 << 10)

  /// All flags that a row can have.
  public static let all = RowFlags(kinds.map(\.flag))
  /// The flags that are shown in words beside a post's counts.
  public static let shown = RowFlags(kinds.filter { $0.words != nil }.map(\.flag))

  /// A flag with its names, for code that handles all flags.
  public struct Kind: Sendable {
    public let flag: RowFlags
    /// The number of its field in the schema's Row.
    public let field: UInt32
    /// The name of that field.
    public let name: StaticString
    /// The words for it beside a post's text; nil if it is shown elsewhere.
    public let words: String?
  }

  /// All flags, in the order in which they are shown.
  public static let kinds: [Kind] = [
    Kind(flag: .sensitive, field: 20, name: "sensitive", words: nil),
    Kind(flag: .edited, field: 21, name: "edited", words: "edited"),
    Kind(flag: .favourited, field: 22, name: "favourited", words: "favourited by you"),
    Kind(flag: .reposted, field: 23, name: "reposted", words: "reposted by you"),
    Kind(flag: .saved, field: 24, name: "saved", words: "saved"),
    Kind(flag: .muted, field: 33, name: "conversation_muted", words: "conversation muted"),
    Kind(flag: .notice, field: 38, name: "notice", words: nil),
  ]
}

/// An action of an account on a post; the numbers are the schema's.
public enum MarkKind: UInt8, Sendable, CaseIterable {
  case favourite = 1
  case repost = 2
  case save = 3
  /// Mutes its conversation.
  case mute = 4

  /// The row flag that represents the mark.
  public var flag: RowFlags {
    switch self {
    case .favourite: .favourited
    case .repost: .reposted
    case .save: .saved
    case .mute: .muted
    }
  }
}

/// The line breaks of a row at a view's width.
public struct RowLayout: Equatable, Sendable {
  /// Height of the whole row, in the unit of the view's metrics.
  public var height: Int
  /// End of each line as a byte offset into the text; see `Row.line_ends` in the schema.
  public var lineEnds: [UInt32]
  /// Number of further lines that are not shown; 0 if all are. One line of the height says so.
  public var foldedLines: Int

  public init(height: Int, lineEnds: [UInt32], foldedLines: Int = 0) {
    self.height = height
    self.lineEnds = lineEnds
    self.foldedLines = foldedLines
  }
}

/// The rounded corners of a row (docs/BEHAVIOUR.md, rule 16).
public struct Caps: OptionSet, Sendable, Hashable {
  public let rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }
  /// The top corners.
  public static let top = Caps(rawValue: 1 << 0)
  /// The bottom corners.
  public static let bottom = Caps(rawValue: 1 << 1)
}
