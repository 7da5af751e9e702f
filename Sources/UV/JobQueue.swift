internal import CUV
internal import Synchronization

/// The queue between a loop and a worker's thread. `SerialWorker` bounds it; the queue itself accepts every job.
@safe final class JobQueue<Job: Sendable>: Sendable {
  private struct State {
    var jobs: [Job] = []
    var isClosed = false
  }

  private let state = Mutex(State())
  private let semaphore: AnyThreadPointer<uv_sem_t>

  /// An empty queue.
  init() throws(UVError) {
    let raw = UnsafeMutablePointer<uv_sem_t>.allocate(capacity: 1)
    let status = unsafe uv_sem_init(raw, 0)
    guard status == 0 else {
      unsafe raw.deallocate()
      throw UVError(rawValue: status)
    }
    unsafe semaphore = AnyThreadPointer(raw: raw)
  }

  deinit {
    unsafe uv_sem_destroy(semaphore.raw)
    unsafe semaphore.raw.deallocate()
  }

  /// Adds a job, and wakes the thread if the queue was empty.
  func add(_ job: Job) {
    let wasEmpty = state.withLock { state in
      state.jobs.append(job)
      return state.jobs.count == 1
    }
    if wasEmpty { unsafe uv_sem_post(semaphore.raw) }
  }

  /// Waits until there are jobs and removes them all. Returns nil once the queue is closed and empty.
  func waitForBatch() -> [Job]? {
    while true {
      let (jobs, isClosed) = state.withLock { state in
        let jobs = state.jobs
        state.jobs = []
        return (jobs, state.isClosed)
      }
      if !jobs.isEmpty { return jobs }
      if isClosed { return nil }
      unsafe uv_sem_wait(semaphore.raw)
    }
  }

  /// Ends `waitForBatch` once the queue is empty.
  func close() {
    state.withLock { $0.isClosed = true }
    unsafe uv_sem_post(semaphore.raw)
  }
}

/// The body of a thread; retained by `uv_thread_create`'s argument until the thread begins.
final class ThreadBody: Sendable {
  private let body: @Sendable () -> Void

  /// Wraps the body.
  init(_ body: @escaping @Sendable () -> Void) { self.body = body }

  /// Called by the trampoline, on the thread.
  func run() { body() }
}
