internal import CUV

/// One thread that does jobs in the order in which they were given, as many at a time as are waiting.
///
/// Made for group commit: while one batch is being written, the next gathers. Each job has exactly one result; results
/// come back on the loop in the order of their jobs, a batch at a time. What the work needs (a database connection,
/// say) is made on the thread and never leaves it.
public final class SerialWorker<Job: Sendable, Outcome: Sendable> {
  /// What is done with a batch: one outcome for each job, in order.
  public typealias Work = (_ batch: [Job]) -> [Outcome]

  private let queue: JobQueue<Job>
  private let mailbox: Mailbox<[Outcome]>
  private let delivery: Delivery
  private let limit: Int
  private var thread: uv_thread_t?

  /// Starts the thread.
  ///
  /// - Parameters:
  ///   - limit: jobs that may be outstanding, waiting and being done together; beyond it `submit` refuses.
  ///   - niceness: how far the thread stands back, where cores are scarce, behind the loop, which somebody waits for: 0
  ///     to 19, each step about a tenth of a core.
  ///   - makeWork: called first, on the thread; what it returns is called there with every batch.
  ///   - deliver: called on the loop with the outcomes of one or more whole batches.
  public init(
    loop: Loop, limit: Int, niceness: Int32 = 0, makeWork: @escaping @Sendable () -> Work,
    deliver: @escaping ([Outcome]) -> Void
  ) throws(UVError) {
    self.limit = limit
    let queue = try JobQueue<Job>()
    let delivery = Delivery(deliver)
    // A batch holds at least one job, so no more batches than jobs can wait.
    let mailbox = try Mailbox<[Outcome]>(loop: loop, limit: limit) { delivery.take($0) }
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
        precondition(outcomes.count == batch.count, "a worker must have one outcome for each job")
        let wasSent = sender.send(outcomes)
        precondition(wasSent, "there were more outcomes than jobs")
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

  deinit { precondition(thread == nil, "a worker must be closed before it is let go") }

  /// Jobs that have been given and whose outcome has not been delivered.
  public var outstanding: Int { delivery.outstanding }

  /// Gives the worker a job, which keeps the loop running until its outcome is there. False if as many as allowed are
  /// outstanding, or if the worker has been closed.
  public func submit(_ job: Job) -> Bool {
    guard thread != nil, delivery.outstanding < limit else { return false }
    delivery.outstanding += 1
    mailbox.keepsLoopRunning = true
    queue.add(job)
    return true
  }

  /// Lets the thread finish every job that it has been given, waits for it (blocking the loop), delivers the last
  /// outcomes and lets go of the thread. Asking twice is harmless.
  public func close() {
    guard var identifier = thread else { return }
    queue.close()
    // Fails only on a thread that is not joinable.
    _ = unsafe uv_thread_join(&identifier)
    thread = nil
    delivery.take(mailbox.takeAll())
    mailbox.close()
  }

  /// The loop's side: how many outcomes are owed, and to whom.
  private final class Delivery {
    var outstanding = 0
    var onIdle: () -> Void = {}
    private let deliver: ([Outcome]) -> Void

    init(_ deliver: @escaping ([Outcome]) -> Void) { self.deliver = deliver }

    func take(_ batches: [[Outcome]]) {
      guard !batches.isEmpty else { return }
      let outcomes = batches.count == 1 ? batches[0] : batches.flatMap { $0 }
      outstanding -= outcomes.count
      if outstanding == 0 { onIdle() }
      deliver(outcomes)
    }
  }
}
