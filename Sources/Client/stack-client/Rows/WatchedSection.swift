internal import Messages
internal import ViewState

/// The content of an ephemeral view: a section, or the results of a search.
struct WatchedSection {
  /// The section.
  let section: Section
  /// The query, for `search`.
  let query: String

  init(_ section: Section, query: String = "") {
    self.section = section
    self.query = query
  }

  /// The subject of requests for a view or rows.
  var subject: Subject { section == .search ? .search(query) : .section(section) }
}
