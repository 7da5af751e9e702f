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
  var section = Section.timeline

  @Flag(help: "Only what you have not seen yet, of timeline, mentions or messages; at most 1,000 are counted.")
  var unread = false

  @OptionGroup var options: CommonOptions

  func validate() throws {
    if unread && ![.timeline, .mentions, .messages].contains(section) {
      throw ValidationError("what is new is counted in timeline, mentions and messages, not in \(section)")
    }
    if section == .search {
      throw ValidationError("a search is not counted; `stack-client search --jsonl QUERY | wc -l` does")
    }
  }

  func run() throws {
    try ClientContext.run(options) { context in
      let link = try context.connect()
      defer { link.close() }
      // A layout with a navigation pane, which tells what is new. Whatever a view of its own shows, nothing is seen by
      // it.
      let shown = try ShortView.look(
        link, subject: .section(section), layout: LayoutParameters(width: 80, height: 24), isWhole: false)
      if let failure = SignedOut.failure(shown.panes) { throw failure }
      let news = shown.navigation.rows.first { $0.section == section }?.unseen
      let number = (unread ? news : shown.panes.first?.status.rowCount) ?? 0
      try context.tell(Record([("count", .number(number))], facts: [Record.Piece(String(number))]))
    }
  }
}
