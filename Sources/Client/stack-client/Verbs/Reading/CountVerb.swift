internal import ArgumentParser
internal import ClientCore
internal import Messages
internal import ViewState

/// `count`: how much is in a section, as one number.
struct CountVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "count", abstract: "Print how many posts a section has, or how many you have not seen.",
    discussion: """
      Examples:
        stack-client count
        stack-client count --unread mentions
        set -g status-right '#(stack-client count --unread mentions)'     in tmux.conf
      """)

  @Argument(help: ArgumentHelp("timeline, mentions, lists, messages or profile.", valueName: "section"))
  var section = SectionName.timeline

  @Flag(help: "Only what you have not seen yet; at most 1,000 are counted.")
  var unread = false

  @OptionGroup var options: CommonOptions

  func validate() throws {
    if section == .search { throw ValidationError("a search is not counted; `stack-client search --jsonl QUERY | wc -l` does") }
  }

  func run() throws {
    try ClientContext.run(options) { context in
      let link = try context.connect()
      defer { link.close() }
      let number = unread ? try Self.unseen(section.section, context, link) : try Self.all(section.section, context, link)
      try context.tell(Record([("count", .number(number))], facts: [Record.Piece(String(number))]))
    }
  }

  /// What glows in the navigation pane. The view that is opened for it shows an empty search, so that nothing is seen by being counted.
  private static func unseen(_ section: Section, _ context: ClientContext, _ link: DaemonLink) throws(ClientFailure) -> Int {
    let counter = WatchedSection(.search, session: "line-mode count")
    try counter.open(link)
    let shown = try ShortView.look(link, session: counter.session, layout: LayoutParameters(width: 80, height: 24)) { shown in
      !shown.navigation.rows.isEmpty
    }
    return shown.navigation.rows.first { $0.section == section }?.news ?? 0
  }

  private static func all(_ section: Section, _ context: ClientContext, _ link: DaemonLink) throws(ClientFailure) -> Int {
    switch section {
    case .lists:
      let answer: GetListsResponse = try link.call(Method.getLists, ListRequest(list: ""))
      return answer.lists.count
    case .profile:
      let answer: GetProfileResponse = try link.call(Method.getProfile, AuthorRequest(author: ""))
      return answer.profile.posts
    case .timeline:
      let status: DaemonStatus = try link.call(Method.getStatus, EmptyMessage())
      return Int(clamping: status.postCount)
    case .mentions, .messages, .search:
      let counted = try WatchedSection(section)
      try counted.open(link)
      let shown = try ShortView.look(link, session: counted.session, layout: context.layout)
      return shown.panes.first?.status.rowCount ?? 0
    }
  }
}
