internal import Messages
internal import ViewState

/// What a view of the client's own shows: a section, or what a search finds. Nothing of it stays in the daemon.
struct WatchedSection {
  /// What is watched.
  let section: Section
  /// With `search`, what for.
  let query: String

  init(_ section: Section, query: String = "") {
    self.section = section
    self.query = query
  }

  /// As a view of it is opened.
  var viewSubject: Hello.Subject { section == .search ? .search(query) : .section(section) }

  /// The same as rows.
  var subject: GetRowsRequest.Subject { section == .search ? .search(query) : .section(section) }
}
