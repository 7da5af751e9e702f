internal import ArgumentParser
internal import ClientCore
internal import Messages
internal import ViewState

/// `read-position`: how far a section has been read.
struct ReadPositionVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "read-position", abstract: "Note how far a section has been read; it only moves forward.",
    discussion: """
      Examples:
        stack-client read-position timeline 42
        stack-client read-position timeline 43 --if-revision 17
      """)

  @Argument(help: ArgumentHelp("timeline, mentions, messages or profile.", valueName: "section"))
  var section: Section

  @OptionGroup var subject: PostArgument

  @Option(help: ArgumentHelp("Which line of the post is the first one shown.", valueName: "N"))
  private var line = 0

  @OptionGroup var session: SessionOptions
  @OptionGroup var options: CommonOptions

  func validate() throws {
    if !(0...Int(UInt32.max)).contains(line) { throw ValidationError("--line is \(line); 0 or more is possible") }
  }

  func run() throws {
    try ClientContext.run(options) { context in
      try context.readRows(of: .post(subject.post)) { reader in
        var request = SetReadingPositionRequest(section, rowID: try reader.row(named: subject.post).rowID)
        request.command = try session.command()
        request.line = line
        let answer: RevisionResponse = try reader.link.call(Method.setReadingPosition, request)
        try context.tell(.done(answer.revision))
      }
    }
  }
}
