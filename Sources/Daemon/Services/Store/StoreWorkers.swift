internal import Posts
internal import Store

/// The two workers of the store: one that writes, one that reads beside it. Jobs go in as values, outcomes come back on the
/// loop in the order of their jobs.
final class StoreWorkers {
  /// Writes and reads that may wait; a client whose command finds no place is told RESOURCE_EXHAUSTED.
  static let queueLimit = 4096
  /// Posts an export reads at a time.
  static let exportPage = 32
  /// Bytes of a page above which it is read again post by post, so that a message stays below what gRPC libraries take.
  static let exportBytes = 1 << 20
  /// Posts of imports in one transaction, unless a single write has more.
  static let postsPerTransaction = 1000

  private var writer: (any ServiceWorker<WriteJob>)?
  private var reader: (any ServiceWorker<ReadJob>)?
  private var writes: [(WriteOutcome) -> Void] = []
  private var reads: [(ReadOutcome) -> Void] = []
  /// Told of the outcomes of each batch before those who wait for them.
  private let onWritten: ([WriteOutcome]) -> Void

  /// Starts both workers on the store at `place`; each opens it for itself.
  init(loop: any ServiceLoop, place: StorePlace, onWritten: @escaping ([WriteOutcome]) -> Void) throws {
    self.onWritten = onWritten
    writer = try loop.makeWorker(limit: Self.queueLimit, niceness: 5) {
      var store = StoreWriting(place: place)
      return { batch in store.perform(batch) }
    } deliver: { [weak self] (outcomes: [WriteOutcome]) in
      self?.wrote(outcomes)
    }
    reader = try loop.makeWorker(limit: Self.queueLimit, niceness: 0) {
      var store = StoreReading(place: place)
      return { batch in batch.map { store.perform($0) } }
    } deliver: { [weak self] (outcomes: [ReadOutcome]) in
      self?.read(outcomes)
    }
  }

  /// Has `write` done; `completion` is called with its outcome after `onWritten`. False where too many wait.
  func submit(_ write: Write, _ completion: @escaping (WriteOutcome) -> Void) -> Bool {
    guard writer?.submit(.write(write)) ?? false else { return false }
    writes.append(completion)
    return true
  }

  /// Has `job` read. False where too many wait.
  func submit(_ job: ReadJob, _ completion: @escaping (ReadOutcome) -> Void) -> Bool {
    guard reader?.submit(job) ?? false else { return false }
    reads.append(completion)
    return true
  }

  /// Lets both finish what they were given and ends them; the last writes are on the disk then.
  func close() {
    reader?.close()
    if writer?.submit(.close) == true { writes.append { _ in } }
    writer?.close()
    reader = nil
    writer = nil
  }

  private func wrote(_ outcomes: [WriteOutcome]) {
    onWritten(outcomes)
    let completions = Array(writes.prefix(outcomes.count))
    writes.removeFirst(outcomes.count)
    for (completion, outcome) in zip(completions, outcomes) { completion(outcome) }
  }

  private func read(_ outcomes: [ReadOutcome]) {
    let completions = Array(reads.prefix(outcomes.count))
    reads.removeFirst(outcomes.count)
    for (completion, outcome) in zip(completions, outcomes) { completion(outcome) }
  }
}
