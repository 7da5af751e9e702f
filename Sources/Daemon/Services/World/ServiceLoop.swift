public import Dates

/// What the services ask of the loop that they run on: the time, the end of a turn, timers, and somebody who does long
/// work elsewhere.
///
/// The daemon's loop is libuv's; a simulation has one of its own, with made-up time. One thread alone touches a loop
/// and all that is made on it.
public protocol ServiceLoop: AnyObject {
  /// Now, by the wall clock, which may step.
  var wallClock: Instant { get }
  /// Now, by the monotonic clock: a length of time since an origin that is arbitrary but fixed while the process lives.
  var monotonicClock: Duration { get }
  /// Has `body` called at the end of every turn, as long as the loop lives.
  func atTurnEnd(_ body: @escaping () -> Void)
  /// Sees to it that a turn ends before the loop next waits.
  func scheduleTurn()
  /// Sends what has been made for connections so far, which would otherwise be sent when the turn ends.
  func flush()
  /// A timer that is not armed.
  func makeTimer(_ onFired: @escaping () -> Void) throws -> any ServiceTimer
  /// Somebody who does work that would hold up the loop.
  ///
  /// - Parameters:
  ///   - limit: jobs that may be outstanding; beyond it `submit` refuses.
  ///   - niceness: how far the work stands back behind the loop: 0 to 19.
  ///   - makeWork: called once, where the work is done; what it returns is called there with every batch, and answers
  ///     with one outcome for each job, in order.
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
  /// Forgets the arming.
  func disarm()
  /// Lets go of the timer. The last call.
  func close()
}

/// Does jobs in the order in which they are given, as many at a time as are waiting.
public protocol ServiceWorker<Job>: AnyObject {
  /// What is to be done.
  associatedtype Job: Sendable
  /// Gives the worker a job. False if as many as allowed are outstanding, or if it has been closed.
  func submit(_ job: Job) -> Bool
  /// Lets it finish every job that it was given, waits for that and delivers the last outcomes. The last call.
  func close()
}
