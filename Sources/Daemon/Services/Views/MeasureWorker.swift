internal import DequeModule
internal import Engine
internal import Messages
internal import Posts
internal import RPC
internal import Store

/// Measures texts off the loop: the largest take 15 ms each. The accounts take turns, and so do an account's
/// connections (``Turns``). The worker is created on first use.
final class MeasureWorker {
  /// Maximum bytes of an account's waiting requests; one more is refused with RESOURCE_EXHAUSTED.
  private static let limitBytes = 16 << 20
  /// Memory of a waiting request beside its bytes.
  private static let overheadBytes = 1024
  /// Maximum jobs of the worker. It has one of an account at a time, and the daemon has fewer accounts.
  private static let jobLimit = 4096

  private typealias Receiver = (Result<MeasureResponse, EngineError>) -> Void

  private struct Job: Sendable {
    let request: MeasureRequest
    let account: Account
    /// The limits where a post with the text would go; nil for the account's own.
    let limits: PostLimits?
  }

  private let loop: any ServiceLoop
  private var worker: (any ServiceWorker<Job>)?
  /// An account has one text measured at a time, so that the worker's own queue, which is in order of arrival, never
  /// holds two of one account.
  private let turns = Turns<(job: Job, receiver: Receiver)>(window: 1, limitBytes: MeasureWorker.limitBytes)
  private var measuring = Deque<(account: AccountID?, receiver: Receiver)>()
  private var lastNumber: UInt64 = 0

  init(loop: any ServiceLoop) { self.loop = loop }

  /// Measures a text for an account, unless the call ends before its turn.
  func measure(
    _ request: MeasureRequest, _ account: Account, _ limits: PostLimits?, for requester: Requester,
    _ receiver: @escaping (Result<MeasureResponse, EngineError>) -> Void
  ) {
    let (call, origin) = (requester.call, requester.origin)
    guard call.isOpen else { return }
    lastNumber += 1
    let number = lastNumber
    let work = (job: Job(request: request, account: account, limits: limits), receiver: receiver)
    guard turns.append(work, number: number, bytes: requester.bytes + Self.overheadBytes, of: origin) else {
      return receiver(.failure(EngineDriver.tooMuchWaits))
    }
    call.onInterrupted = { [weak self] _, _ in self?.turns.withdraw(from: origin) { $0.number == number } }
    submit()
  }

  /// Waits for the texts that are being measured, and ends the worker.
  func close() {
    worker?.close()
    worker = nil
  }

  /// Hands over all that may be measured now.
  private func submit() {
    while let next = turns.next() {
      if worker == nil { worker = try? makeWorker() }
      if worker?.submit(next.work.job) == true {
        measuring.append((next.origin.account, next.work.receiver))
      } else {
        turns.finish(next.origin.account)
        next.work.receiver(.failure(Self.noWorker))
      }
    }
  }

  private static let noWorker = EngineError(
    .unavailable, "the daemon cannot start a thread for measuring; try again later")

  private func makeWorker() throws -> any ServiceWorker<Job> {
    try loop.makeWorker(limit: Self.jobLimit, niceness: 2) {
      { (batch: [Job]) in batch.map { Self.perform($0) } }
    } deliver: { [weak self] (responses: [MeasureResponse]) in
      self?.deliver(responses)
    }
  }

  private func deliver(_ responses: [MeasureResponse]) {
    for response in responses {
      guard let done = measuring.popFirst() else { return }
      turns.finish(done.account)
      done.receiver(.success(response))
    }
    submit()
  }

  private static func perform(_ job: Job) -> MeasureResponse {
    var response = MeasureResponse(measuring: job.request)
    let text = SafeText(job.request.text)
    let (length, maximum) = job.account.measure(
      text, warning: SafeText(line: job.request.contentWarning), by: job.limits)
    response.weightedLength = length
    response.remaining = PostText.remaining(after: text, length: length, of: maximum)
    return response
  }
}
