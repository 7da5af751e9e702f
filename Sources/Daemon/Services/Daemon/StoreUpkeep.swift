internal import Engine
internal import Store

/// Looks after the store where that may take seconds, beside those who write it and read it. Its worker is made when it
/// is first needed.
final class StoreUpkeep {
  /// Jobs that may wait; one more is told RESOURCE_EXHAUSTED.
  static let queueLimit = 4
  /// Findings that are told; more help nobody.
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

  /// Looks after the store at `place`.
  init(loop: any ServiceLoop, place: StorePlace) {
    self.loop = loop
    self.place = place
  }

  /// Reads all of the store and says what is wrong with it.
  func check(_ completion: @escaping (Result<[String], EngineError>) -> Void) {
    let isTaken = submit(.check) { outcome in
      if case .checked(let result) = outcome { completion(result) }
    }
    if !isTaken { completion(.failure(Self.busy)) }
  }

  /// Writes a copy of the store to `path`, which is absolute; tells its size in bytes.
  func copy(to path: String, _ completion: @escaping (Result<Int, EngineError>) -> Void) {
    let isTaken = submit(.copy(path: path)) { outcome in
      if case .copied(let result) = outcome { completion(result) }
    }
    if !isTaken { completion(.failure(Self.busy)) }
  }

  /// Lets it finish, which may take seconds, and ends it.
  func close() {
    worker?.close()
    worker = nil
  }

  private static let busy = EngineError(
    .resourceExhausted, "other checks and backups are under way; wait until they are done", reason: .busy)

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

  /// By a connection of its own each time, so that it keeps no memory in between.
  private static func perform(_ job: Job, _ place: StorePlace) -> Outcome {
    switch job {
    case .check:
      do throws(StoreError) {
        let findings = try StoreReader(path: place.path, vfs: place.vfs).integrity()
        return .checked(.success(Array(findings.prefix(findingLimit))))
      } catch {
        // What is so damaged that it cannot be read to the end is a finding too.
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

  /// A place that cannot be written to is the caller's mistake, and no trouble of the store's.
  private static func refusal(_ error: StoreError) -> EngineError {
    switch error.kind {
    case .cannotOpen, .readOnly: EngineError(.invalidArgument, error.message, field: "path")
    default: EngineError(error)
    }
  }
}
