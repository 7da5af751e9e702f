internal import Ingest
internal import Posts

/// The part of an import that is on its way to the store. One step is on the import worker and one write in the store
/// at a time; waiting work is merged. So an import takes one place in either queue, however small the client's pieces
/// are. The caller bounds how much may wait.
struct ImportQueue {
  /// Maximum number of posts in a write.
  static let postsPerWrite = 500

  /// A part of a write.
  enum Piece {
    /// Posts and their positions in the file.
    case posts(ArraySlice<ImportedPost>, ArraySlice<Int>)
    case gap(GapNote, position: Int)
  }

  /// A write of posts or a gap of one file. `charge` is the number of message bytes to return once it is done.
  struct Batch {
    /// The content of a write.
    enum Content {
      /// Posts and their positions in the file.
      case posts([ImportedPost], [Int])
      case gap(GapNote, position: Int)
    }

    let content: Content
    let file: String
    let charge: Int
  }

  private struct QueuedStep {
    var step: ImportWorker.Step
    var file: String
    var charge: Int

    /// Appends a chunk that follows one of the same file; returns false for anything else. O(bytes of the new one):
    /// however small chunks are, waiting bytes are not copied for each.
    mutating func merge(_ next: QueuedStep) -> Bool {
      guard case .chunk(let more) = next.step, next.file == file, case .chunk(var bytes) = step else { return false }
      step = .endFile  // releases the bytes, which would be copied otherwise
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
  /// The file and charge of the step on the worker.
  private var stepUnderWay: (file: String, charge: Int)?
  private var pieces: [QueuedPiece] = []
  /// The write in the store.
  private var batchUnderWay: Batch?

  /// True if all work has been stored or refused.
  var isIdle: Bool { steps.isEmpty && pieces.isEmpty && !isStepping && batchUnderWay == nil }

  /// True while the worker has a step.
  var isStepping: Bool { stepUnderWay != nil }

  /// Adds a step for a file; `charge` is the number of message bytes that brought it.
  mutating func add(_ step: ImportWorker.Step, file: String, charge: Int) {
    let next = QueuedStep(step: step, file: file, charge: charge)
    if steps.isEmpty || !steps[steps.count - 1].merge(next) { steps.append(next) }
  }

  /// Returns the next step for the worker; nil while it has one, or if none waits.
  mutating func nextStep() -> ImportWorker.Step? {
    guard !isStepping, !steps.isEmpty else { return nil }
    let next = steps.removeFirst()
    stepUnderWay = (next.file, next.charge)
    return next.step
  }

  /// Ends the worker's step and returns its file and charge; nil if there is none.
  mutating func endStep() -> (file: String, charge: Int)? {
    defer { stepUnderWay = nil }
    return stepUnderWay
  }

  /// Adds the pieces that a step produced; the last one carries the step's charge.
  mutating func add(_ new: [Piece], file: String, charge: Int) {
    for piece in new { pieces.append(QueuedPiece(piece: piece, file: file, charge: 0)) }
    if !new.isEmpty { pieces[pieces.count - 1].charge = charge }
  }

  /// Returns the next write; nil while one is running, or if nothing waits.
  mutating func nextBatch() -> Batch? {
    guard batchUnderWay == nil, let first = pieces.first else { return nil }
    let batch: Batch
    switch first.piece {
    case .gap(let note, let position):
      // Kept in order among the posts: what a gap note declares complete is stored by then.
      pieces.removeFirst()
      batch = Batch(content: .gap(note, position: position), file: first.file, charge: first.charge)
    case .posts: batch = takePosts(of: first.file)
    }
    batchUnderWay = batch
    return batch
  }

  /// Ends the write and returns it; nil if there is none.
  mutating func endBatch() -> Batch? {
    defer { batchUnderWay = nil }
    return batchUnderWay
  }

  /// Drops waiting work. Running work goes on.
  mutating func removeAll() {
    steps = []
    pieces = []
  }

  /// Removes the posts of the next write, all of one file, with the charge of the steps that it completes.
  private mutating func takePosts(of file: String) -> Batch {
    var posts: [ImportedPost] = []
    var positions: [Int] = []
    var charge = 0
    while posts.count < Self.postsPerWrite, let first = pieces.first, first.file == file,
      case .posts(let waiting, let places) = first.piece
    {
      let next = waiting.prefix(Self.postsPerWrite - posts.count)
      posts += next
      positions += places.prefix(next.count)
      if next.count == waiting.count {
        charge += first.charge
        pieces.removeFirst()
      } else {
        pieces[0].piece = .posts(waiting.dropFirst(next.count), places.dropFirst(next.count))
      }
    }
    return Batch(content: .posts(posts, positions), file: file, charge: charge)
  }
}

extension ImportBatch {
  /// Returns the batch's posts that satisfy `isWanted` and its gaps, in order.
  func pieces(keeping isWanted: (ImportedPost) -> Bool) -> [ImportQueue.Piece] {
    var pieces: [ImportQueue.Piece] = []
    var from = 0
    func add(upTo end: Int) {
      if posts[from..<end].allSatisfy(isWanted) {
        if from < end { pieces.append(.posts(posts[from..<end], positions[from..<end])) }
      } else {
        let kept = (from..<end).filter { isWanted(posts[$0]) }
        if !kept.isEmpty { pieces.append(.posts(kept.map { posts[$0] }[...], kept.map { positions[$0] }[...])) }
      }
      from = end
    }
    for mark in gaps {
      add(upTo: mark.postsBefore)
      pieces.append(.gap(mark.note, position: mark.position))
    }
    add(upTo: posts.count)
    return pieces
  }
}
