internal import ArgumentParser
internal import ClientCore
internal import Messages
internal import ViewState

/// `read-position`: the reading position of a section.
struct ReadPositionVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "read-position", abstract: "Set the reading position of a section; it only moves forward.",
    discussion: """
      Examples:
        stack-client read-position timeline 42
        stack-client read-position timeline 43 --if-revision 17
      """)

  @Argument(help: ArgumentHelp("The section.", valueName: "section"))
  var section: SectionArgument<SectionChoices.Positioned>

  @OptionGroup var subject: PostArgument

  @Option(parsing: .unconditional, help: ArgumentHelp("The first visible line of the post.", valueName: "N"))
  private var line = 0

  @OptionGroup var session: SessionOptions
  @OptionGroup var options: CommonOptions

  func validate() throws {
    if !(0...Int(UInt32.max)).contains(line) { throw ValidationError("--line must be 0 or more, not \(line)") }
  }

  func run() throws {
    try ClientContext.run(options) { context in
      try context.readRows(of: .post(subject.post)) { reader in
        var request = SetReadingPositionRequest(section.section, rowID: try reader.row(named: subject.post).rowID)
        request.command = try session.command()
        request.line = line
        let answer: RevisionResponse = try reader.link.call(Method.setReadingPosition, request)
        try context.write(.done(answer.revision))
      }
    }
  }
}
