internal import Posts
internal import Store

/// The workers of the store: one writer and two readers beside it. The second reader, the fetcher, reads what no client
/// waits for: later pages of lists, and exports. Jobs go in as values; the outcomes of each worker arrive on the loop
/// in the order of its jobs.
final class StoreWorkers {
  /// Maximum number of queued jobs of each worker; a client whose command does not fit is refused with
  /// RESOURCE_EXHAUSTED.
  static let queueLimit = 4096

  private var writer: (any ServiceWorker<WriteJob>)?
  private var reader: (any ServiceWorker<ReadJob>)?
  private var writes: [(WriteOutcome) -> Void] = []
  /// The number of writes that have an outcome.
  private(set) var writesDone: UInt64 = 0
  private var reads: [(ReadOutcome) -> Void] = []
  private var fetcher: (any ServiceWorker<ReadJob>)?
  private var fetches: [(ReadOutcome) -> Void] = []
  /// Called with the outcomes of each batch before their completions.
  private let onWritten: ([WriteOutcome]) -> Void

  /// Starts the workers on the store at `place`; each opens it for itself.
  init(loop: any ServiceLoop, place: StorePlace, onWritten: @escaping ([WriteOutcome]) -> Void) throws {
    self.onWritten = onWritten
    writer = try loop.makeWorker(limit: Self.queueLimit, niceness: 5) {
      var store = StoreWriting(place: place)
      return { batch in store.perform(batch) }
    } deliver: { [weak self] (outcomes: [WriteOutcome]) in
      self?.wrote(outcomes)
    }
    reader = try Self.makeReader(loop, place, niceness: 0) { [weak self] outcomes in
      guard let self else { return }
      for (completion, outcome) in zip(Self.pop(outcomes.count, from: &reads), outcomes) { completion(outcome) }
    }
    fetcher = try Self.makeReader(loop, place, niceness: 2) { [weak self] outcomes in
      guard let self else { return }
      for (completion, outcome) in zip(Self.pop(outcomes.count, from: &fetches), outcomes) { completion(outcome) }
    }
  }

  private static func makeReader(
    _ loop: any ServiceLoop, _ place: StorePlace, niceness: Int32, deliver: @escaping ([ReadOutcome]) -> Void
  ) throws -> any ServiceWorker<ReadJob> {
    try loop.makeWorker(limit: Self.queueLimit, niceness: niceness) {
      var store = StoreReading(place: place)
      return { batch in batch.map { store.perform($0) } }
    } deliver: {
      deliver($0)
    }
  }

  /// Queues a write. `completion` is called with its outcome after `onWritten`. Returns false if too many wait.
  func submit(_ write: Write, _ completion: @escaping (WriteOutcome) -> Void) -> Bool {
    guard writer?.submit(.write(write)) ?? false else { return false }
    writes.append(completion)
    return true
  }

  /// True if a write has no outcome yet.
  var isWriting: Bool { !writes.isEmpty }

  /// Queues a read. Returns false if too many wait.
  func submit(_ job: ReadJob, _ completion: @escaping (ReadOutcome) -> Void) -> Bool {
    guard (job.isBackground ? fetcher : reader)?.submit(job) ?? false else { return false }
    if job.isBackground { fetches.append(completion) } else { reads.append(completion) }
    return true
  }

  /// Waits for the queued jobs and ends the workers; the last writes are on the disk then.
  func close() {
    reader?.close()
    fetcher?.close()
    if writer?.submit(.close) == true { writes.append { _ in } }
    writer?.close()
    reader = nil
    fetcher = nil
    writer = nil
  }

  private func wrote(_ outcomes: [WriteOutcome]) {
    writesDone += UInt64(outcomes.count)
    onWritten(outcomes)
    for (completion, outcome) in zip(Self.pop(outcomes.count, from: &writes), outcomes) { completion(outcome) }
  }

  /// Removes and returns the next completions, which may submit more jobs.
  private static func pop<Outcome>(
    _ count: Int, from waiting: inout [(Outcome) -> Void]
  ) -> ArraySlice<(Outcome) -> Void> {
    defer { waiting.removeFirst(count) }
    return waiting.prefix(count)
  }
}
