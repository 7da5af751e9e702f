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

/// An item of an ``UpstreamBatch``.
public enum UpstreamItem: Equatable, Sendable {
  /// A post. `isHome` is true if it is in the login's home list; otherwise it is only context of other posts.
  /// `unfiled` are the lists that it is in there and that have no counterpart here.
  case post(ImportedPost, isHome: Bool, unfiled: [String])
  /// The source has deleted the post with this ID.
  case gone(String)
  /// Posts are missing, or all are here. `isLost` is true if the source no longer has those that are missing.
  case gap(GapNote, isLost: Bool)
  /// A new state of an author. `unkept` are the facts about it that have no counterpart here.
  case person(ImportedAuthor, unkept: [String])
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
