internal import ArgumentParser
internal import ClientCore
internal import Messages

/// `imports`: imports that can be taken back.
struct ImportsVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "imports", abstract: "List the imports that you can take back.",
    discussion: """
      Examples:
        stack-client imports
        stack-client import --undo last
      """)

  @Flag(help: "List those of all accounts; for administrators.")
  var everyone = false

  @OptionGroup var options: CommonOptions

  func run() throws {
    try ClientContext.run(options) { context in
      let imports = try context.list(Method.listImports, ListImportsResponse.self) { page in
        var request = ListImportsRequest()
        (request.page, request.isForEveryone) = (page, everyone)
        return request
      }
      try context.write(imports.map(\.record), whenEmpty: "there are no imports to take back")
    }
  }
}

/// `forget`: removes imported posts.
struct ForgetVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "forget", abstract: "Remove the posts that you imported from a source, or with one import.",
    discussion: """
      Examples:
        stack-client forget source:twitter
        stack-client forget import:12 --yes
        stack-client forget source:twitter --everyone

      Posts that other accounts imported too, answered, reposted, favourited or saved stay, and so does what was \
      written here. This cannot be undone, but the files can be imported again.
      """)

  @Argument(help: ArgumentHelp("source:NAME, or import:NUMBER.", valueName: "what"))
  var subject: String

  @Flag(help: "Remove the posts of all accounts, whatever they did with them; for administrators.")
  var everyone = false

  @Flag(name: .shortAndLong, help: "Do not ask.")
  var yes = false

  @OptionGroup var options: CommonOptions

  func validate() throws { _ = try wanted() }

  private func wanted() throws -> ForgetImportedRequest.Subject {
    let parts = subject.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    if parts.count == 2, parts[0] == "source", !parts[1].isEmpty { return .source(parts[1]) }
    if parts.count == 2, parts[0] == "import", let id = UInt64(parts[1]) { return .importID(id) }
    throw ValidationError("not something to forget: '\(subject)'; write source:NAME or import:NUMBER")
  }

  func run() throws {
    let wanted = try wanted()
    try ClientContext.run(options) { context in
      let whose = everyone ? "of all accounts" : "that you imported"
      let question =
        switch wanted {
        case .source(let name): "remove all posts of source \(name) \(whose)? This cannot be undone."
        case .importID(let id): "remove the posts of import \(id)? This cannot be undone."
        }
      try context.confirm(question, isAnswered: yes)
      try ImportForgetting(context).forget(wanted, everyone: everyone)
    }
  }
}

/// Removes imported posts part by part, and reports the result.
struct ImportForgetting {
  private let context: ClientContext

  init(_ context: ClientContext) { self.context = context }

  /// Removes the posts and prints how many there were.
  func forget(_ subject: ForgetImportedRequest.Subject, everyone: Bool = false) throws(ClientFailure) {
    let link = try context.connect()
    defer { link.close() }
    var request = ForgetImportedRequest(subject)
    request.isForEveryone = everyone
    var total = ForgetImportedResponse()
    repeat {
      let part: ForgetImportedResponse = try link.call(Method.forgetImported, request)
      total.removed &+= part.removed
      total.kept &+= part.kept
      total.revision = max(total.revision, part.revision)
      request.token = part.nextToken
      if !request.token.isEmpty, context.console.noticesGoToTerminal {
        context.console.progress("\(NumberText.grouped(Int(clamping: total.removed))) removed")
      }
    } while !request.token.isEmpty
    context.console.endProgress()
    try context.write(total.record)
  }
}
