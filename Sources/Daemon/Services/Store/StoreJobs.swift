internal import Engine
internal import Posts
package import Store

/// Where a store is, for those who open it.
public struct StorePlace: Sendable {
  /// Its file.
  public var path: String
  /// The epoch of a store that is new or restored: random, not 0. Once the store is open, its own.
  public var epoch: UInt64
  /// The name of a registered SQLite VFS; nil for the system's.
  public var vfs: String?
  /// What a commit waits for; less than `full` only in simulations.
  package var durability = Durability.full
  /// See ``PostStore/upstreams``.
  var upstreams: Set<String> = []

  /// A place on a disk.
  public init(path: String, epoch: UInt64, vfs: String? = nil) {
    self.path = path
    self.epoch = epoch
    self.vfs = vfs
  }
}

/// A write for the store's writer.
package enum WriteJob: Sendable {
  case write(Write)
  /// Notes that the store was closed in order. Nothing follows it.
  case close
}

/// What became of a write.
package struct WriteOutcome: Sendable {
  /// What it did, or why the disk did none of its transaction.
  package var result: Result<Outcome, StoreError>
  /// The revision of its transaction.
  package var revision: UInt64
  /// Posts with a lower number were there before its transaction.
  var firstNewPost: PostID
  /// What its transaction did beside the outcomes; told with the first of them.
  var changes = Changes()
  /// Everybody who wrote or reposted one of the posts of `changes`.
  var changedAuthors: [Author] = []
}

/// A read for the store's reader.
enum ReadJob: Sendable {
  /// Something the engine wants.
  case load(Load)
  /// A piece of an export.
  case export(after: PostID?, AccountID, publicOnly: Bool)
  /// Something that a service wants to know.
  case ask(@Sendable (StoreReader) throws(EngineError) -> any Sendable)

  /// Whether nobody waits for it: what comes after the first page of a list, or an export.
  var isBackground: Bool {
    switch self {
    case .load(.page(_, before: .some, limit: _)), .export: true
    case .load, .ask: false
    }
  }
}

/// A piece of an export, as JSON Lines.
struct ExportedLines: Sendable {
  var lines: [UInt8]
  /// Number of lines.
  var count: Int
  /// Where to go on, or nil at the end.
  var next: PostID?
}

/// What a read brought.
enum ReadOutcome: Sendable {
  case loaded(LoadResult)
  case exported(Result<ExportedLines, EngineError>)
  /// To ``ReadJob/ask(_:)``.
  case answered(Result<any Sendable, EngineError>)
}
