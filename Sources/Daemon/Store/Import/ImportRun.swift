public import Dates
public import Posts

/// The run of an import that a batch belongs to.
public struct ImportRun: Equatable, Sendable {
  /// Its number; nil for the first batch, which begins the run if it brings anything.
  public var number: Int64?
  /// The name of its first file.
  public var name: SafeText
  /// The time at which it began.
  public var startedAt: Instant

  public init(number: Int64? = nil, name: SafeText, startedAt: Instant) {
    (self.number, self.name, self.startedAt) = (number, name, startedAt)
  }
}

/// An import that can be taken back.
public struct StoredImport: Equatable, Sendable {
  /// Its number; never reused.
  public var number: Int64
  /// The account that brought it.
  public var account: AccountID
  /// The name of its first file.
  public var name: SafeText
  /// The time at which it began.
  public var startedAt: Instant
  /// The number of posts that it brought first.
  public var new: Int
  /// The number of posts that it changed.
  public var changed: Int

  public init(number: Int64, account: AccountID, name: SafeText, startedAt: Instant, new: Int, changed: Int) {
    (self.number, self.account, self.name, self.startedAt) = (number, account, name, startedAt)
    (self.new, self.changed) = (new, changed)
  }
}

/// A slice of the removal of imported posts.
public struct Forgetting: Equatable, Sendable {
  /// The posts to remove.
  public enum Subject: Equatable, Sendable {
    /// Those that an import brought first.
    case run(Int64)
    /// Those of a source.
    case source(String)
  }

  /// The last post that the slice before looked at.
  public struct Cursor: Equatable, Sendable {
    var id: Int64 = .max
    var nativeID = ""
    var scope: Int64 = -1

    init(id: Int64 = .max, nativeID: String = "", scope: Int64 = -1) {
      (self.id, self.nativeID, self.scope) = (id, nativeID, scope)
    }

    /// Reads a ``token``; nil for any other text.
    public init?(token: String) {
      let parts = token.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count == 3, let id = Int64(parts[0]), let scope = Int64(parts[1]) else { return nil }
      self.init(id: id, nativeID: String(parts[2]), scope: scope)
    }

    /// The cursor as text, for a client that continues.
    public var token: String { "\(id):\(scope):\(nativeID)" }
  }

  public var subject: Subject
  /// The account that brought the posts; nil for the posts of every account, and whatever others did with them.
  public var account: AccountID?
  public var cursor: Cursor?

  public init(_ subject: Subject, of account: AccountID?, after cursor: Cursor? = nil) {
    (self.subject, self.account, self.cursor) = (subject, account, cursor)
  }
}

/// The outcome of a ``Forgetting``.
public struct Forgotten: Equatable, Sendable {
  /// The number of posts removed.
  public var removed = 0
  /// The number of posts that stay, since other accounts brought, answered, reposted, favourited or saved them too.
  public var kept = 0
  /// Where the next slice begins; nil at the end.
  public var next: Forgetting.Cursor?
  /// At the end, what the program of the source is told: its logins start anew.
  public var restarted: [UpstreamNotice] = []
}
