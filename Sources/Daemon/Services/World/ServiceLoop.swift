public import Dates

/// The services' view of their event loop: time, end-of-turn hooks, timers, and background workers.
///
/// The daemon uses libuv's loop; a simulation has its own, with made-up time. Only one thread touches a loop and
/// everything created on it.
public protocol ServiceLoop: AnyObject {
  /// The current time of the wall clock, which may step.
  var wallClock: Instant { get }
  /// The current time of the monotonic clock: a duration since an arbitrary origin that is fixed while the process
  /// lives.
  var monotonicClock: Duration { get }
  /// Calls `body` at the end of every turn, as long as the loop lives.
  func atTurnEnd(_ body: @escaping () -> Void)
  /// Ensures that a turn ends before the loop next waits.
  func scheduleTurn()
  /// Sends the connections' pending output now rather than at the end of the turn.
  func flush()
  /// Creates a timer that is not armed.
  func makeTimer(_ onFired: @escaping () -> Void) throws -> any ServiceTimer
  /// Creates a background worker for work that would block the loop.
  ///
  /// - Parameters:
  ///   - limit: maximum number of outstanding jobs; beyond it `submit` refuses.
  ///   - niceness: how far the work's priority is below the loop's: 0 to 19.
  ///   - makeWork: called once on the worker; the closure it returns is called there with every batch, and returns one
  ///     outcome per job, in order.
  ///   - deliver: called on the loop with the outcomes of one or more whole batches.
  func makeWorker<Job: Sendable, Outcome: Sendable>(
    limit: Int, niceness: Int32, makeWork: @escaping @Sendable () -> (_ batch: [Job]) -> [Outcome],
    deliver: @escaping ([Outcome]) -> Void
  ) throws -> any ServiceWorker<Job>
}

/// A timer of a ``ServiceLoop``.
public protocol ServiceTimer: AnyObject {
  /// Fires once, `delay` from now by the monotonic clock, in place of any earlier arming. Below zero counts as zero.
  func arm(after delay: Duration)
  /// Cancels the arming.
  func disarm()
  /// Releases the timer. Must be the last call.
  func close()
}

/// Performs jobs in the order in which they are submitted, in batches of all that are waiting.
public protocol ServiceWorker<Job>: AnyObject {
  /// The type of a job.
  associatedtype Job: Sendable
  /// Submits a job. Returns false if too many are outstanding, or if the worker has been closed.
  func submit(_ job: Job) -> Bool
  /// Waits for every submitted job and delivers the last outcomes. Must be the last call.
  func close()
}
