internal import ArgumentParser
internal import ClientCore
internal import Messages

/// `drafts`: unfinished posts.
struct DraftsVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "drafts", abstract: "Print and delete drafts; `post --draft` publishes one.",
    discussion: """
      Examples:
        stack-client drafts
        stack-client drafts show 3
        stack-client post --draft 3
      """, subcommands: [All.self, Show.self, Delete.self], defaultSubcommand: All.self)

  /// Prints all drafts.
  struct All: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "Print all drafts, newest first.")

    @OptionGroup var options: CommonOptions

    func run() throws {
      try ClientContext.run(options) { context in
        let drafts = try context.list(Method.listDrafts, ListDraftsResponse.self)
        try context.write(drafts.map(\.record), whenEmpty: "no drafts")
      }
    }
  }

  /// Prints one draft in full.
  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "show", abstract: "Print a draft.")

    @Argument(help: DraftsVerb.help)
    var draft: UInt64

    @OptionGroup var options: CommonOptions

    func run() throws {
      try ClientContext.run(options) { context in try context.write(try DraftsVerb.draft(draft, context).wholeRecord) }
    }
  }

  /// Deletes a draft.
  struct Delete: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "delete", abstract: "Delete a draft; asks first; without a terminal it needs --yes.")

    @Argument(help: DraftsVerb.help)
    var draft: UInt64

    @Flag(name: .shortAndLong, help: "Do not ask.")
    var yes = false

    @OptionGroup var options: CommonOptions

    func run() throws {
      try ClientContext.run(options) { context in
        try context.confirm("delete draft \(draft)?", isAnswered: yes)
        let _: EmptyMessage = try context.ask(Method.deleteDraft, DraftReference(draft))
        try context.write(Record([("id", .identifier(draft))], facts: []))
      }
    }
  }

  static let help = ArgumentHelp("The draft number, as shown by drafts.", valueName: "number")

  /// Returns a draft of the account.
  static func draft(_ id: UInt64, _ context: ClientContext) throws(ClientFailure) -> DraftSummary {
    let drafts = try context.list(Method.listDrafts, ListDraftsResponse.self)
    guard let draft = drafts.first(where: { $0.draftID == id }) else {
      throw ClientFailure(.notFound, "there is no draft \(id)", hint: "`stack-client drafts` shows them")
    }
    return draft
  }
}
