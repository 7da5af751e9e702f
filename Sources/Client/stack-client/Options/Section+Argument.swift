internal import ArgumentParser
internal import ViewState

/// The sections that a verb accepts.
protocol SectionChoice {
  static var sections: [Section] { get }
}

/// The choices of the verbs.
enum SectionChoices {
  enum All: SectionChoice { static let sections = Section.allCases }
  enum Watched: SectionChoice { static let sections: [Section] = [.timeline, .mentions, .messages, .profile, .search] }
  enum Counted: SectionChoice { static let sections: [Section] = [.timeline, .mentions, .lists, .messages, .profile] }
  enum Positioned: SectionChoice { static let sections: [Section] = [.timeline, .mentions, .messages, .profile] }
  enum MarkedWhole: SectionChoice { static let sections: [Section] = [.timeline, .mentions, .profile] }
}

/// A section by its name on the command line. Help and errors list the sections of `Choice` alone.
struct SectionArgument<Choice: SectionChoice>: ExpressibleByArgument {
  let section: Section

  /// A default value, which is one of the choices.
  init(_ section: Section) { self.section = section }

  init?(argument: String) {
    guard let section = Choice.sections.first(where: { "\($0)" == argument }) else { return nil }
    self.section = section
  }

  var defaultValueDescription: String { "\(section)" }

  static var allValueStrings: [String] { Choice.sections.map { "\($0)" } }
  static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
}
