internal import CUV

/// A thread that executes jobs in order, as many at a time as are queued.
///
/// Designed for group commit: while one batch is being written, the next accumulates. Each job has exactly one outcome;
/// outcomes come back on the loop in the order of their jobs, a batch at a time. Resources of the work, such as a
/// database connection, are created on the thread and never leave it.
public final class SerialWorker<Job: Sendable, Outcome: Sendable> {
  /// Processes a batch: returns one outcome for each job, in order.
  public typealias Work = (_ batch: [Job]) -> [Outcome]

  private let queue: JobQueue<Job>
  private let mailbox: Mailbox<[Outcome]>
  private let delivery: Delivery
  private let limit: Int
  private var thread: uv_thread_t?

  /// Starts the thread.
  ///
  /// - Parameters:
  ///   - limit: maximum number of outstanding jobs, queued and in progress together; `submit` refuses more.
  ///   - niceness: lowers the thread's priority below the loop's, for which clients wait: 0 to 19, each
  ///     step about a tenth of a core.
  ///   - makeWork: called first, on the thread; its result is called there with every batch.
  ///   - deliver: called on the loop with the outcomes of one or more whole batches.
  public init(
    loop: Loop, limit: Int, niceness: Int32 = 0, makeWork: @escaping @Sendable () -> Work,
    deliver: @escaping ([Outcome]) -> Void
  ) throws(UVError) {
    self.limit = limit
    let queue = try JobQueue<Job>()
    let delivery = Delivery(deliver)
    // A batch contains at least one job, so there are never more batches than jobs.
    let mailbox = try Mailbox<[Outcome]>(loop: loop, limit: limit) { delivery.deliverBatches($0) }
    mailbox.keepsLoopRunning = false
    delivery.onIdle = { [unowned mailbox] in mailbox.keepsLoopRunning = false }
    self.queue = queue
    self.delivery = delivery
    self.mailbox = mailbox
    let sender = mailbox.sender
    let body = ThreadBody {
      _ = cuv_yield_to_others(niceness)
      let work = makeWork()
      while let batch = queue.waitForBatch() {
        let outcomes = work(batch)
        precondition(outcomes.count == batch.count, "a worker must return one outcome for each job")
        let wasSent = sender.send(outcomes)
        precondition(wasSent, "a worker returned more outcomes than jobs")
      }
    }
    var identifier = uv_thread_t()
    let retained = unsafe Unmanaged.passRetained(body)
    let status = unsafe uv_thread_create(&identifier, onThread, retained.toOpaque())
    guard status == 0 else {
      unsafe retained.release()
      mailbox.close()
      throw UVError(rawValue: status)
    }
    thread = identifier
  }

  deinit { precondition(thread == nil, "a worker must be closed before it is released") }

  /// Submitted jobs whose outcome has not been delivered.
  public var outstanding: Int { delivery.outstanding }

  /// Submits a job, which keeps the loop running until its outcome is delivered. Returns false if the limit of
  /// outstanding jobs is reached, or if the worker is closed.
  public func submit(_ job: Job) -> Bool {
    guard thread != nil, delivery.outstanding < limit else { return false }
    delivery.outstanding += 1
    mailbox.keepsLoopRunning = true
    queue.add(job)
    return true
  }

  /// Lets the thread finish all submitted jobs, waits for it (blocking the loop), delivers the last outcomes and joins
  /// the thread. Idempotent.
  public func close() {
    guard var identifier = thread else { return }
    queue.close()
    // Fails only on a thread that is not joinable.
    _ = unsafe uv_thread_join(&identifier)
    thread = nil
    delivery.deliverBatches(mailbox.takeAll())
    mailbox.close()
  }

  /// The loop's side: counts outstanding outcomes and delivers them.
  private final class Delivery {
    var outstanding = 0
    var onIdle: () -> Void = {}
    private let deliver: ([Outcome]) -> Void

    init(_ deliver: @escaping ([Outcome]) -> Void) { self.deliver = deliver }

    func deliverBatches(_ batches: [[Outcome]]) {
      guard !batches.isEmpty else { return }
      let outcomes = batches.count == 1 ? batches[0] : batches.flatMap { $0 }
      outstanding -= outcomes.count
      if outstanding == 0 { onIdle() }
      deliver(outcomes)
    }
  }
}
