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

  /// What a view of it, or its rows, are asked for by.
  var subject: Subject { section == .search ? .search(query) : .section(section) }
}
