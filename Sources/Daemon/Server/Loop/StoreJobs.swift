internal import Engine
internal import Posts
internal import Store

/// A write for the store's thread.
enum WriteJob: Sendable {
  case write(Write)
  /// Notes that the store was closed in order. Nothing follows it.
  case close
}

/// What became of a write.
struct WriteOutcome: Sendable {
  /// What it did, or why the disk did none of its transaction.
  var result: Result<Outcome, StoreError>
  /// The revision of its transaction.
  var revision: UInt64
  /// Posts with a lower number were there before its transaction.
  var firstNewPost: PostID
}

/// A read for the readers' thread.
enum ReadJob: Sendable {
  /// Something the engine wants.
  case load(Load)
  /// A piece of an export.
  case export(after: PostID?, AccountID, publicOnly: Bool)
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
}

extension EngineError {
  /// The store's failure, in the terms of the protocol.
  init(_ error: StoreError) {
    let code: Code =
      switch error.kind {
      case .diskFull: .resourceExhausted
      case .readOnly, .busy, .cannotOpen, .inputOutput: .unavailable
      case .corrupt, .notADatabase, .newerSchema, .other: .internal
      }
    self.init(code, error.message)
  }

  /// The store's refusal of one write.
  init(_ refusal: Refusal) {
    let code: Code =
      switch refusal {
      case .noSuchPost, .noSuchAccount, .noSuchAuthor, .noSuchSession: .notFound
      case .tooLong, .emptyName: .invalidArgument
      }
    self.init(code, refusal.description)
  }
}
