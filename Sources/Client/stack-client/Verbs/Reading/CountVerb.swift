internal import ArgumentParser
internal import ClientCore
internal import Messages
internal import ViewState

/// `count`: the number of posts in a section.
struct CountVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "count", abstract: "Print the number of posts in a section, or of those you have not seen.",
    discussion: """
      Examples:
        stack-client count
        stack-client count --unread mentions
        set -g status-right '#(stack-client count --unread mentions)'  # tmux.conf
      """)

  @Argument(help: ArgumentHelp("The section.", valueName: "section"))
  var chosen = SectionArgument<SectionChoices.Counted>(.timeline)

  @Flag(help: "Count only unseen posts, up to 1,000, of timeline, mentions or messages.")
  var unread = false

  @OptionGroup var options: CommonOptions

  private var section: Section { chosen.section }

  func validate() throws {
    if unread && ![.timeline, .mentions, .messages].contains(section) {
      throw ValidationError("--unread works for timeline, mentions and messages, not for \(section)")
    }
  }

  func run() throws {
    try ClientContext.run(options) { context in
      let link = try context.connect()
      defer { link.close() }
      // A layout with a navigation pane, which has the unseen counts. A view of a subject marks nothing as seen.
      let shown = try ShortView.look(
        link, subject: .section(section), layout: LayoutParameters(width: 80, height: 24), isWhole: false)
      if let failure = SignedOut.failure(shown.panes) { throw failure }
      let news = shown.navigation.rows.first { $0.section == section }?.unseen
      let number = (unread ? news : shown.panes.first?.status.rowCount) ?? 0
      try context.write(Record([("count", .number(number))], facts: [Record.Piece(String(number))]))
    }
  }
}
