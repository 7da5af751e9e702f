public import Dates

/// The account elsewhere, or the feed, that a line of a source's program is about (docs/UPSTREAM.md).
public enum UpstreamSubject: Hashable, Sendable {
  case login(String)
  case feed(String)

  /// Its name in the protocol, under which its cursors are stored.
  public var name: String {
    switch self {
    case .login(let name), .feed(let name): name
    }
  }
}

/// Items that a program brings together: they are stored in one transaction, with the cursors.
public struct UpstreamBatch: Equatable, Sendable {
  /// Maximum number of items.
  public static let itemLimit = 500
  /// Maximum number of cursors of a login or feed.
  public static let cursorLimit = 64
  /// Maximum length of a batch's number, and of a cursor's name, in bytes.
  public static let nameBytes = 64
  /// Maximum length of the values of all cursors of a login or feed, in bytes: they fit into a line.
  public static let cursorBytes = 16 << 10

  /// The program's name for the batch.
  public var number: String
  public var subject: UpstreamSubject
  public var items: [UpstreamItem]
  /// The cursors that the batch sets; nil removes one.
  public var cursors: [String: String?]

  public init(
    number: String, subject: UpstreamSubject, items: [UpstreamItem] = [], cursors: [String: String?] = [:]
  ) {
    (self.number, self.subject, self.items, self.cursors) = (number, subject, items, cursors)
  }
}

/// Lists of a login at its source that have a counterpart here.
public struct UpstreamLists: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The account's timeline.
  public static let home = UpstreamLists(rawValue: 1)
  /// The account's mentions.
  public static let mentions = UpstreamLists(rawValue: 2)
  /// The posts that the account has saved.
  public static let saved = UpstreamLists(rawValue: 4)
  /// The direct conversations that the account is in.
  public static let messages = UpstreamLists(rawValue: 8)
  /// Those that a post leaves if none is named: not the saved ones, for a person may have saved it here.
  public static let timelines: UpstreamLists = [.home, .mentions]

  /// True if a post in them is an entry of a timeline.
  public var hasEntries: Bool { !isDisjoint(with: [.home, .mentions, .messages]) }
}

/// How far an account has read a list at its source.
public struct UpstreamMarker: Equatable, Sendable {
  /// Either ``UpstreamLists/home`` or ``UpstreamLists/mentions``.
  public var list: UpstreamLists
  /// The source's ID of the last post that was read; empty if it is not known, or nothing of the list has been read.
  public var post: String
  /// When that post was written; nil if that is not known.
  public var createdAt: Instant?
  /// True if the account is to have read as far here, too; otherwise it is only compared.
  public var isTaken: Bool

  public init(list: UpstreamLists, post: String = "", createdAt: Instant? = nil, isTaken: Bool = true) {
    (self.list, self.post, self.createdAt, self.isTaken) = (list, post, createdAt, isTaken)
  }
}

/// An item of an ``UpstreamBatch``.
public enum UpstreamItem: Equatable, Sendable {
  /// A post, and the lists of the login that it is in; in none if it is only context of other posts. `unfiled` are the
  /// lists that it is in there and that have no counterpart here.
  case post(ImportedPost, in: UpstreamLists, unfiled: [String])
  /// The post with this ID is no longer in these lists of the login.
  case left(String, UpstreamLists)
  /// The source has deleted the post with this ID.
  case gone(String)
  /// Posts are missing, or all are here.
  case gap(GapNote)
  /// A new state of an author. `unkept` are the facts about it that have no counterpart here.
  case person(ImportedAuthor, unkept: [String])
  /// How long posts of the login may be.
  case limits(PostLimits)
  /// How far the account has read a list at the source.
  case marker(UpstreamMarker)
  /// The feed has a new address.
  case moved(String)
  /// The program wants to know whether the post with this ID is here.
  case doubt(String)
  /// An item that cannot be stored, with the reason.
  case unusable(String)
}

/// The outcome of an ``UpstreamBatch``.
public enum UpstreamBatchResult: Equatable, Sendable {
  /// It is stored and synced.
  case stored(UpstreamBatchReport)
  /// The store could not be written. The batch, and all that follow it, are to be sent again.
  case again
  /// It breaks a rule: nothing of it is stored, and it is not to be sent again.
  case refused(SafeText)
}

/// A stored batch.
public struct UpstreamBatchReport: Equatable, Sendable {
  /// An item that was not stored, or not all of it, by its index in the batch.
  public struct RefusedItem: Equatable, Sendable {
    public var index: Int
    public var reason: SafeText

    public init(index: Int, reason: SafeText) { (self.index, self.reason) = (index, reason) }
  }

  /// The store's revision with the batch.
  public var revision: UInt64
  public var refused: [RefusedItem]
  /// The IDs of ``UpstreamItem/doubt(_:)`` items that are here.
  public var present: [String]

  public init(revision: UInt64 = 0, refused: [RefusedItem] = [], present: [String] = []) {
    (self.revision, self.refused, self.present) = (revision, refused, present)
  }
}
