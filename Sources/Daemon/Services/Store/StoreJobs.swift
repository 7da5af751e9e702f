internal import Engine
internal import Posts
package import Store
public import ViewState

/// The location of a store and how to open it.
public struct StorePlace: Sendable {
  /// The store's file.
  public var path: String
  /// The epoch for a new or restored store: random, not 0. Once the store is open, its actual epoch.
  public var epoch: UInt64
  /// How accounts come to be followed, if the store is new.
  public var follows = FollowPolicy.open
  /// The name of a registered SQLite VFS; nil for the system's.
  public var vfs: String?
  /// The durability that a commit waits for; less than `full` only in simulations.
  package var durability = Durability.full
  /// See ``PostStore/upstreams``.
  var upstreams: Set<String> = []

  /// A store in a file.
  public init(path: String, epoch: UInt64, vfs: String? = nil) {
    self.path = path
    self.epoch = epoch
    self.vfs = vfs
  }
}

/// A write for the store's writer.
package enum WriteJob: Sendable {
  case write(Write)
  /// Marks the store as closed cleanly. No job follows it.
  case close
}

/// The outcome of a write.
package struct WriteOutcome: Sendable {
  /// The result of the write, or the error that rolled back its transaction.
  package var result: Result<Outcome, StoreError>
  /// The revision of its transaction.
  package var revision: UInt64
  /// Posts with a lower number existed before the transaction.
  var firstNewPost: PostID
  /// The transaction's changes beside the outcomes; delivered with the first of them.
  var changes = Changes()
  /// The feeds that the transaction changed; said with the first of its outcomes.
  var feeds = FeedChanges()
  /// The authors and reposters of the posts in `changes`.
  var changedAuthors: [Author] = []
}

/// A read for the store's reader.
enum ReadJob: Sendable {
  /// A load for the engine.
  case load(Load)
  /// A page of an export.
  case export(after: OrderKey?, AccountID, publicOnly: Bool)
  /// A question of a service.
  case ask(@Sendable (StoreReader) throws(EngineError) -> any Sendable)

  /// True if no client waits for it: later pages of a list, or an export.
  var isBackground: Bool {
    switch self {
    case .load(.page(_, before: .some, limit: _)), .export: true
    case .load, .ask: false
    }
  }

  /// Returns the outcome of a read that cannot be queued.
  func refused(_ error: EngineError) -> ReadOutcome {
    switch self {
    case .load: .loaded(.failed(error))
    case .export: .exported(.failure(error))
    case .ask: .answered(.failure(error))
    }
  }
}

/// A page of an export, as JSON Lines.
struct ExportedLines: Sendable {
  var lines: [UInt8]
  /// Number of lines.
  var count: Int
  /// The key of the post to continue after; nil at the end.
  var next: OrderKey?
}

/// The outcome of a read.
enum ReadOutcome: Sendable {
  case loaded(LoadResult)
  case exported(Result<ExportedLines, EngineError>)
  /// The answer to ``ReadJob/ask(_:)``.
  case answered(Result<any Sendable, EngineError>)
}
