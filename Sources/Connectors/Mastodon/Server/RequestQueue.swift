internal import Dates
internal import HTTPSupport

/// A login's requests that wait, in order and within its budget.
struct RequestQueue {
  private(set) var budget = RequestBudget()
  private var waiting: [LoginQuestion] = []
  /// The time before which nothing that waits is asked; nil for none.
  private var notBefore: Instant?

  /// True if nothing waits.
  var isEmpty: Bool { waiting.isEmpty }

  /// True if no more than one turn of questions waits.
  var hasRoom: Bool { waiting.count < RequestBudget.openLimit }

  mutating func add(_ question: LoginQuestion) { waiting.append(question) }

  /// Puts a question first that is to be asked again, not before a time.
  mutating func putBack(_ question: LoginQuestion, until time: Instant? = nil) {
    waiting.insert(question, at: 0)
    if let time { notBefore = time }
  }

  /// Forgets what waits.
  mutating func clear() { (waiting, notBefore) = ([], nil) }

  /// Returns the next question, which is asked now; nil if there is none, or it has to wait.
  mutating func next(at now: Instant) -> LoginQuestion? {
    if let time = notBefore, time > now { return nil }
    notBefore = nil
    guard !waiting.isEmpty, budget.allows(at: now) else { return nil }
    budget.ask(at: now)
    return waiting.removeFirst()
  }

  /// Returns a question for which a person waits, which is asked now, if the budget allows that.
  mutating func nextUrgent<Question>(at now: Instant, _ question: () -> Question?) -> Question? {
    guard budget.allowsUrgent(at: now), let question = question() else { return nil }
    budget.ask(at: now)
    return question
  }

  /// Counts the end of a request.
  mutating func answered(_ result: Result<FetchResponse, FetchFailure>, at now: Instant) {
    if case .success(let response) = result { budget.answered(response, at: now) } else { budget.failed() }
  }

  /// The end of the server's rest, if something has to wait for it.
  func restEnd(at now: Instant) -> Instant? {
    isEmpty ? nil : budget.restEnd.flatMap { $0 > now ? $0 : nil }
  }

  /// The time at which ``next(at:)`` may have a question again; nil if that does not depend on time.
  func deadline(after now: Instant) -> Instant? { isEmpty ? nil : notBefore ?? budget.deadline(after: now) }
}
