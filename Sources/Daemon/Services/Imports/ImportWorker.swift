internal import Ingest
internal import Posts

/// Parses imported files off the loop. Imports take turns, a chunk at a time.
final class ImportWorker {
  /// The ID of an import, chosen by the worker's owner.
  struct ImportID: Hashable, Sendable {
    let number: UInt64
  }

  /// A step of an import.
  enum Step: Sendable {
    case begin(ImportOptions)
    case file(String)
    case chunk([UInt8])
    case endFile
    /// Forget the import.
    case drop
  }

  private struct Job: Sendable {
    var id: ImportID
    var step: Step
  }

  /// Maximum number of queued steps of all imports. An import holds its client back long before.
  private static let queueLimit = 4096

  private var worker: (any ServiceWorker<Job>)?
  private var completions: [(Result<ImportBatch, ImportRefusal>) -> Void] = []

  /// Starts the worker.
  init(loop: any ServiceLoop) throws {
    worker = try loop.makeWorker(limit: Self.queueLimit, niceness: 10) {
      var importers: [ImportID: Importer] = [:]
      return { batch in batch.map { Self.perform($0, &importers) } }
    } deliver: { [weak self] (outcomes: [Result<ImportBatch, ImportRefusal>]) in
      self?.deliver(outcomes)
    }
  }

  /// Queues a step; the steps of one import are done in order. Returns false if too many wait.
  func submit(_ step: Step, of id: ImportID, _ completion: @escaping (Result<ImportBatch, ImportRefusal>) -> Void)
    -> Bool
  {
    guard worker?.submit(Job(id: id, step: step)) ?? false else { return false }
    completions.append(completion)
    return true
  }

  /// Ends the worker.
  func close() {
    worker?.close()
    worker = nil
  }

  private func deliver(_ outcomes: [Result<ImportBatch, ImportRefusal>]) {
    let waiting = Array(completions.prefix(outcomes.count))
    completions.removeFirst(outcomes.count)
    for (completion, outcome) in zip(waiting, outcomes) { completion(outcome) }
  }

  private static func perform(_ job: Job, _ importers: inout [ImportID: Importer]) -> Result<ImportBatch, ImportRefusal>
  {
    do throws(ImportRefusal) {
      switch job.step {
      case .begin(let options): importers[job.id] = Importer(options: options)
      case .file(let name): importers[job.id]?.begin(file: name)
      case .chunk(let bytes): return .success(try importers[job.id]?.receive(bytes) ?? ImportBatch())
      case .endFile: return .success(try importers[job.id]?.endFile() ?? ImportBatch())
      case .drop: importers[job.id] = nil
      }
      return .success(ImportBatch())
    } catch {
      return .failure(error)
    }
  }
}
