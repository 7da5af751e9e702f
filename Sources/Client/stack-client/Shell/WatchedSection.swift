internal import ClientCore
internal import Messages
internal import ViewState

/// A section that `watch` follows, and the session in which it is the only pane, whatever is opened in other sessions.
struct WatchedSection {
  /// What is watched.
  let section: Section
  /// With `search`, what for.
  let query: String
  /// The session.
  let session: String
  /// The session is of no use to anybody else, and is forgotten with the watch.
  let isTemporary: Bool

  /// A section in a session that stays.
  init(_ section: Section, session: String) {
    self.section = section
    self.session = session
    query = ""
    isTemporary = false
  }

  /// - Throws: where the kernel gives no random bytes to name the session of a search by.
  init(_ section: Section, query: String = "") throws(ClientFailure) {
    self.section = section
    self.query = query
    isTemporary = section == .search
    session =
      switch section {
      case .timeline: "line-mode"
      case .search: "search " + (try RequestID.make())
      default: "line-mode \(section)"
      }
  }

  /// The same as rows.
  var subject: GetRowsRequest.Subject { section == .search ? .search(query) : section == .timeline ? .timeline : .section(section) }

  /// Makes the session, where it is not there yet; that of the timeline is made by being used.
  func open(_ link: DaemonLink) throws(ClientFailure) {
    guard section != .timeline else { return }
    let sessions: ListSessionsResponse = try link.call(Method.listSessions, EmptyMessage())
    guard !sessions.sessions.contains(where: { $0.name == session }) else { return }
    var request = OpenRequest(section)
    request.command.session = session
    request.query = query
    let _: PaneResponse = try link.call(Method.open, request)
  }

  /// Forgets the session.
  func close(_ link: DaemonLink) {
    var request = SessionRequest()
    request.command.session = session
    let _: RevisionResponse? = try? link.call(Method.deleteSession, request)
  }
}
