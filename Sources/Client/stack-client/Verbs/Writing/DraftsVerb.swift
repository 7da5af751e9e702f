internal import ArgumentParser
internal import ClientCore
internal import Messages

/// `drafts`: texts that were begun.
struct DraftsVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "drafts", abstract: "Print and delete texts that you have begun; `post --draft` posts one.",
    discussion: """
      Examples:
        stack-client drafts
        stack-client drafts show 3
        stack-client post --draft 3
      """, subcommands: [All.self, Show.self, Delete.self], defaultSubcommand: All.self)

  /// All of them.
  struct All: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "Print all drafts, the last one first.")

    @OptionGroup var options: CommonOptions

    func run() throws {
      try ClientContext.run(options) { context in
        let drafts = try context.list(Method.listDrafts, ListDraftsResponse.self)
        try context.tell(drafts.map(\.record), whenEmpty: "there are no drafts")
      }
    }
  }

  /// One of them, whole.
  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "show", abstract: "Print a draft.")

    @Argument(help: DraftsVerb.help)
    var draft: UInt64

    @OptionGroup var options: CommonOptions

    func run() throws {
      try ClientContext.run(options) { context in try context.tell(try DraftsVerb.draft(draft, context).wholeRecord) }
    }
  }

  /// Away with it.
  struct Delete: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "delete", abstract: "Delete a draft; on a terminal you are asked first.")

    @Argument(help: DraftsVerb.help)
    var draft: UInt64

    @Flag(name: .shortAndLong, help: "Ask nothing.")
    var yes = false

    @OptionGroup var options: CommonOptions

    func run() throws {
      try ClientContext.run(options) { context in
        try context.confirm("delete the draft \(draft)?", isAnswered: yes)
        let _: EmptyMessage = try context.ask(Method.deleteDraft, DraftReference(draft))
        try context.tell(Record([("id", .identifier(draft))], facts: []))
      }
    }
  }

  static let help = ArgumentHelp("Its number, as drafts prints it.", valueName: "number")

  /// A draft of the account.
  static func draft(_ id: UInt64, _ context: ClientContext) throws(ClientFailure) -> DraftSummary {
    let drafts = try context.list(Method.listDrafts, ListDraftsResponse.self)
    guard let draft = drafts.first(where: { $0.draftID == id }) else {
      throw ClientFailure(.notFound, "there is no draft \(id)", hint: "`stack-client drafts` tells which there are")
    }
    return draft
  }
}
