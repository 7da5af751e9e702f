package import Dates
package import Posts

/// How a login or a feed fares, as its connector says (docs/UPSTREAM.md).
package struct ConnectorStatus: Equatable {
  package var state: UpstreamStatus.State
  package var since: Instant?
  package var next: Instant?
  /// A clause for a person; empty while all is well.
  package var reason: String
  /// A line for each of the last times that the source was asked, the newest last.
  package var history: [String] = []

  package init(_ state: UpstreamStatus.State, since: Instant? = nil, next: Instant? = nil, reason: String = "") {
    (self.state, self.since, self.next, self.reason) = (state, since, next, reason)
  }
}
