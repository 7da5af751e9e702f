internal import Dates

/// How a login fares, in the words of docs/UPSTREAM.md.
struct LoginStatus: Equatable {
  enum State: String {
    case connecting, live, polling, waiting
    case signedOut = "signed_out"
    case failing
  }

  var state: State
  var since: Instant?
  var next: Instant?
  /// A clause for a person; empty while all is well.
  var reason = ""

  init(_ state: State, since: Instant? = nil, next: Instant? = nil, reason: String = "") {
    (self.state, self.since, self.next, self.reason) = (state, since, next, reason)
  }
}
