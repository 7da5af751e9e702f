internal import Ingest
internal import Posts

/// What of an import is on its way to the store: one step on the import worker and one write at a time, what waits
/// merged. So an import takes one place in either queue, however small the pieces in which its client sends. How much
/// may wait is the caller's to bound.
struct ImportQueue {
  /// Posts a write holds at most.
  static let postsPerWrite = 500

  /// What a write is made of.
  enum Piece {
    case posts(ArraySlice<ImportedPost>)
    case gap(GapNote)
  }

  /// A write, of one file, with the bytes of messages that are done with when it is done.
  struct Batch {
    /// What is written.
    enum Content {
      case posts([ImportedPost])
      case gap(GapNote)
    }

    let content: Content
    let file: String
    let charge: Int
  }

  private struct QueuedStep {
    var step: ImportWorker.Step
    var file: String
    var charge: Int

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

  private struct QueuedPiece {
    var piece: Piece
    var file: String
    var charge: Int
  }

  private var steps: [QueuedStep] = []
  /// The file of the step that the worker has, and its charge.
  private var stepUnderWay: (file: String, charge: Int)?
  private var pieces: [QueuedPiece] = []
  /// What is being written.
  private var batchUnderWay: Batch?

  /// Whether everything given has been stored or refused.
  var isIdle: Bool { steps.isEmpty && pieces.isEmpty && !isStepping && batchUnderWay == nil }

  /// Whether the worker has a step.
  var isStepping: Bool { stepUnderWay != nil }

  /// Adds a step for a file; `charge` is how many bytes of messages brought it.
  mutating func add(_ step: ImportWorker.Step, file: String, charge: Int) {
    let next = QueuedStep(step: step, file: file, charge: charge)
    if steps.isEmpty || !steps[steps.count - 1].merge(next) { steps.append(next) }
  }

  /// Returns the step that the worker is to have next; nil while it has one, or where none waits.
  mutating func nextStep() -> ImportWorker.Step? {
    guard !isStepping, !steps.isEmpty else { return nil }
    let next = steps.removeFirst()
    stepUnderWay = (next.file, next.charge)
    return next.step
  }

  /// Ends the step that the worker has. Returns its file and its charge; nil where it has none.
  mutating func endStep() -> (file: String, charge: Int)? {
    defer { stepUnderWay = nil }
    return stepUnderWay
  }

  /// Adds what a step brought; the last piece has the step's charge.
  mutating func add(_ new: [Piece], file: String, charge: Int) {
    for piece in new { pieces.append(QueuedPiece(piece: piece, file: file, charge: 0)) }
    if !new.isEmpty { pieces[pieces.count - 1].charge = charge }
  }

  /// Returns what is to be written next; nil while something is, or where nothing waits.
  mutating func nextBatch() -> Batch? {
    guard batchUnderWay == nil, let first = pieces.first else { return nil }
    let batch: Batch
    switch first.piece {
    case .gap(let note):
      // In its order among the posts: what is said to be complete is here by then.
      pieces.removeFirst()
      batch = Batch(content: .gap(note), file: first.file, charge: first.charge)
    case .posts: batch = takePosts(of: first.file)
    }
    batchUnderWay = batch
    return batch
  }

  /// Ends the write. Returns what was written; nil where nothing was.
  mutating func endBatch() -> Batch? {
    defer { batchUnderWay = nil }
    return batchUnderWay
  }

  /// Forgets what waits. What is under way goes on.
  mutating func removeAll() {
    steps = []
    pieces = []
  }

  /// The posts of the next write, all of one file, and the charge of the steps that are stored with it.
  private mutating func takePosts(of file: String) -> Batch {
    var posts: [ImportedPost] = []
    var charge = 0
    while posts.count < Self.postsPerWrite, let first = pieces.first, first.file == file,
      case .posts(let waiting) = first.piece
    {
      let taken = waiting.prefix(Self.postsPerWrite - posts.count)
      posts += taken
      if taken.count == waiting.count {
        charge += first.charge
        pieces.removeFirst()
      } else {
        pieces[0].piece = .posts(waiting.dropFirst(taken.count))
      }
    }
    return Batch(content: .posts(posts), file: file, charge: charge)
  }
}

extension ImportBatch {
  /// Returns what is to be stored of it, in its order, where `posts` are those of its posts that are wanted.
  func pieces(keeping isWanted: (ImportedPost) -> Bool) -> [ImportQueue.Piece] {
    var pieces: [ImportQueue.Piece] = []
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
