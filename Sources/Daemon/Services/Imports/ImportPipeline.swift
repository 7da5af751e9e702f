internal import Engine
internal import Ingest
internal import Posts
internal import Store

/// The way of an import's bytes to the store: one step on the import worker and one write at a time, what waits merged.
/// So an import takes one place in either queue, however small the pieces in which its client sends. How much may wait
/// is the caller's to bound.
final class ImportPipeline {
  /// Posts a write holds at most.
  static let postsPerWrite = 500

  /// What the pipeline tells its import.
  struct Events {
    /// Bytes were taken apart; answers with what is to be stored of it.
    var parsed: (ImportBatch, _ file: String) -> [Piece]
    /// A file is not to be imported.
    var refused: (ImportRefusal) -> Void
    /// Posts were stored.
    var stored: (ImportReport, _ posts: [ImportedPost], _ file: String, _ revision: UInt64) -> Void
    /// It was noted what is missing, or is no more, or why that was not.
    var noted: (Result<(hasChanged: Bool, revision: UInt64), EngineError>, _ file: String) -> Void
    /// The store or the import worker does not go on.
    var failed: (EngineError) -> Void
    /// As much as was charged for something is done with.
    var finished: (_ charge: Int) -> Void
  }

  private struct QueuedStep {
    var step: ImportWorker.Step
    var charge: Int
    var file: String

    /// Takes the bytes of a chunk that comes after one of the same file; false for anything else. O(bytes of the new
    /// one): however small they come, what waits is not copied for each.
    mutating func merge(_ next: QueuedStep) -> Bool {
      guard case .chunk(let more) = next.step, next.file == file, case .chunk(var bytes) = step else { return false }
      step = .endFile  // lets go of the bytes, which are copied otherwise
      bytes += more
      step = .chunk(bytes)
      charge += next.charge
      return true
    }
  }

  /// What a write is made of.
  enum Piece {
    case posts(ArraySlice<ImportedPost>)
    case gap(GapNote)
  }

  private struct QueuedPiece {
    var piece: Piece
    var charge: Int
    var file: String
  }

  private let driver: EngineDriver
  private let importers: ImportWorker
  private let id: ImportWorker.ImportID
  private let account: AccountID
  private let events: Events
  private var steps: [QueuedStep] = []
  private var isStepping = false
  private var unwritten: [QueuedPiece] = []
  private var isWriting = false
  private var isClosed = false

  init(
    _ id: ImportWorker.ImportID, of account: AccountID, driver: EngineDriver, importers: ImportWorker, _ events: Events
  ) {
    self.id = id
    self.account = account
    self.driver = driver
    self.importers = importers
    self.events = events
  }

  /// Whether everything given has been stored or refused.
  var isIdle: Bool { steps.isEmpty && !isStepping && unwritten.isEmpty && !isWriting }

  /// Adds a step for the file `file`; `charge` is told to `finished` when all it brought is stored.
  func add(_ step: ImportWorker.Step, file: String, charge: Int) {
    guard !isClosed else { return }
    let next = QueuedStep(step: step, charge: charge, file: file)
    if steps.isEmpty || !steps[steps.count - 1].merge(next) { steps.append(next) }
    stepOn()
  }

  /// Forgets what waits. What is being stored still is.
  func close() {
    guard !isClosed else { return }
    isClosed = true
    steps = []
    unwritten = []
    if !isStepping { drop() }
  }

  private func stepOn() {
    guard !isStepping, !steps.isEmpty else { return }
    let next = steps.removeFirst()
    isStepping = importers.submit(next.step, of: id) { result in
      self.isStepping = false
      if self.isClosed { return self.drop() }
      switch result {
      case .success(let batch): self.store(self.events.parsed(batch, next.file), of: next)
      case .failure(let refusal):
        self.events.refused(refusal)
        self.events.finished(next.charge)
      }
      self.stepOn()
    }
    if !isStepping {
      events.failed(EngineError(.resourceExhausted, "too many imports are under way; try again later", reason: .busy))
    }
  }

  private func store(_ pieces: [Piece], of step: QueuedStep) {
    guard !pieces.isEmpty else { return events.finished(step.charge) }
    for piece in pieces { unwritten.append(QueuedPiece(piece: piece, charge: 0, file: step.file)) }
    unwritten[unwritten.count - 1].charge = step.charge
    writeOn()
  }

  private func writeOn() {
    guard !isWriting, let first = unwritten.first else { return }
    let file = first.file
    if case .gap(let note) = first.piece { return write(note, charge: first.charge, file) }
    let (posts, charge) = takePosts(of: file)
    isWriting = true
    driver.write(.importBatch(posts, owner: account)) { result in
      self.isWriting = false
      switch result {
      case .success((.imported(let report), let revision)): self.events.stored(report, posts, file, revision)
      case .success: break
      case .failure(let error): return self.events.failed(error)
      }
      // The next write is on its way before anybody asks whether everything is done.
      self.writeOn()
      self.events.finished(charge)
    }
  }

  /// Notes what is missing, in its order among the posts: what is said to be complete is here by then.
  private func write(_ note: GapNote, charge: Int, _ file: String) {
    unwritten.removeFirst()
    isWriting = true
    driver.write(.noteGap(account, note)) { result in
      self.isWriting = false
      switch result {
      case .success((.gapNoted(let hasChanged), let revision)):
        self.events.noted(.success((hasChanged, revision)), file)
      case .success: break
      case .failure(let error):
        guard error.isOfTheNote else { return self.events.failed(error) }
        self.events.noted(.failure(error), file)
      }
      self.writeOn()
      self.events.finished(charge)
    }
  }

  /// The posts of the next write, all of one file, and the charge of the steps that are stored with it.
  private func takePosts(of file: String) -> (posts: [ImportedPost], charge: Int) {
    var posts: [ImportedPost] = []
    var charge = 0
    while posts.count < Self.postsPerWrite, let first = unwritten.first, first.file == file,
      case .posts(let waiting) = first.piece
    {
      let taken = waiting.prefix(Self.postsPerWrite - posts.count)
      posts += taken
      if taken.count == waiting.count {
        charge += first.charge
        unwritten.removeFirst()
      } else {
        unwritten[0].piece = .posts(waiting.dropFirst(taken.count))
      }
    }
    return (posts, charge)
  }

  private func drop() { _ = importers.submit(.drop, of: id) { _ in } }
}

extension ImportBatch {
  /// What is to be stored of it, in its order, where `posts` are those of its posts that are wanted.
  func pieces(keeping isWanted: (ImportedPost) -> Bool) -> [ImportPipeline.Piece] {
    var pieces: [ImportPipeline.Piece] = []
    var from = 0
    func add(upTo end: Int) {
      let kept = posts[from..<end].allSatisfy(isWanted) ? posts[from..<end] : posts[from..<end].filter(isWanted)[...]
      if !kept.isEmpty { pieces.append(.posts(kept)) }
      from = end
    }
    for mark in gaps {
      add(upTo: mark.position)
      pieces.append(.gap(mark.note))
    }
    add(upTo: posts.count)
    return pieces
  }
}

extension EngineError {
  /// Whether it is the fault of what was to be noted, and not of the store.
  fileprivate var isOfTheNote: Bool { code == .resourceExhausted && limit != nil || code == .invalidArgument }
}
