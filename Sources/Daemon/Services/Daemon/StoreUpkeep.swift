internal import Engine
internal import Store

/// Runs maintenance that may take seconds, beside the store's writer and readers. Its worker is created on first use.
final class StoreUpkeep {
  /// Maximum number of queued jobs; one more is refused with RESOURCE_EXHAUSTED.
  static let queueLimit = 4
  /// Maximum number of findings reported; more would not help.
  static let findingLimit = 100

  private enum Job: Sendable {
    case check
    case copy(path: String)
  }

  private enum Outcome: Sendable {
    case checked(Result<[String], EngineError>)
    case copied(Result<Int, EngineError>)
  }

  private let loop: any ServiceLoop
  private let place: StorePlace
  private var worker: (any ServiceWorker<Job>)?
  private var waiting: [(Outcome) -> Void] = []

  /// Maintains the store at `place`.
  init(loop: any ServiceLoop, place: StorePlace) {
    self.loop = loop
    self.place = place
  }

  /// Reads the whole store and reports what is wrong with it.
  func check(_ completion: @escaping (Result<[String], EngineError>) -> Void) {
    let isQueued = submit(.check) { outcome in
      if case .checked(let result) = outcome { completion(result) }
    }
    if !isQueued { completion(.failure(Self.busy)) }
  }

  /// Writes a copy of the store to `path`, an absolute path, and reports its size in bytes.
  func copy(to path: String, _ completion: @escaping (Result<Int, EngineError>) -> Void) {
    let isQueued = submit(.copy(path: path)) { outcome in
      if case .copied(let result) = outcome { completion(result) }
    }
    if !isQueued { completion(.failure(Self.busy)) }
  }

  /// Waits for running jobs, which may take seconds, and ends the worker.
  func close() {
    worker?.close()
    worker = nil
  }

  private static let busy = EngineError(
    .resourceExhausted, "other checks and backups are running; try again when they are done", reason: .busy)

  private func submit(_ job: Job, _ completion: @escaping (Outcome) -> Void) -> Bool {
    if worker == nil { worker = try? makeWorker() }
    guard worker?.submit(job) == true else { return false }
    waiting.append(completion)
    return true
  }

  private func makeWorker() throws -> any ServiceWorker<Job> {
    try loop.makeWorker(limit: Self.queueLimit, niceness: 10) { [place] in
      { (batch: [Job]) in batch.map { Self.perform($0, place) } }
    } deliver: { [weak self] (outcomes: [Outcome]) in
      guard let self else { return }
      let completions = waiting.prefix(outcomes.count)
      waiting.removeFirst(outcomes.count)
      for (completion, outcome) in zip(completions, outcomes) { completion(outcome) }
    }
  }

  /// Uses a new connection for each job, so that no memory is held in between.
  private static func perform(_ job: Job, _ place: StorePlace) -> Outcome {
    switch job {
    case .check:
      do throws(StoreError) {
        let findings = try StoreReader(path: place.path, vfs: place.vfs).integrity()
        return .checked(.success(Array(findings.prefix(findingLimit))))
      } catch {
        // Damage that prevents a full read is a finding too.
        return .checked(error.kind == .corrupt ? .success([error.message]) : .failure(EngineError(error)))
      }
    case .copy(let path):
      do throws(StoreError) {
        return .copied(.success(try StoreReader(path: place.path, vfs: place.vfs).backup(to: path)))
      } catch {
        return .copied(.failure(refusal(error)))
      }
    }
  }

  /// An unwritable path is the caller's mistake, not a failure of the store.
  private static func refusal(_ error: StoreError) -> EngineError {
    switch error.kind {
    case .cannotOpen, .readOnly: EngineError(.invalidArgument, error.message, field: "path")
    default: EngineError(error)
    }
  }
}
