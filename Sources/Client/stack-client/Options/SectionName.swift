internal import ArgumentParser
internal import ViewState

/// The rows of the navigation pane, by their names on the command line.
enum SectionName: String, CaseIterable, ExpressibleByArgument {
  case timeline, mentions, lists, messages, profile, search

  /// The section in the schema.
  var section: Section {
    switch self {
    case .timeline: .timeline
    case .mentions: .mentions
    case .lists: .lists
    case .messages: .messages
    case .profile: .profile
    case .search: .search
    }
  }
}
