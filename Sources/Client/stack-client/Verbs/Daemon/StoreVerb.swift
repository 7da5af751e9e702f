internal import ArgumentParser
internal import ClientCore
internal import Messages

/// `store`: the size of the store, and what is kept in it.
struct StoreVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "store", abstract: "Show the size of the store, and set how much it keeps.",
    discussion: """
      What you saved, favourited, reposted, answered or marked as unread stays, and so does what was written here or \
      imported.

      Examples:
        stack-client store
        stack-client store keep feed 90d
        stack-client feed set f7 --keep 1000
        stack-client store limit 2GB
      """,
    subcommands: [Show.self, Keep.self, Limit.self], defaultSubcommand: Show.self)

  /// Prints the store as it is now.
  private static func show(_ context: ClientContext) throws(ClientFailure) {
    let status: StoreStatus = try context.ask(Method.getStore, EmptyMessage())
    try context.write(status.record)
  }

  /// Prints the size.
  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "show", abstract: "Print the size of the store, the room on its disk, and what it keeps.")

    @OptionGroup var options: CommonOptions

    func run() throws {
      try ClientContext.run(options) { try StoreVerb.show($0) }
    }
  }

  /// Sets how much is kept of a source.
  struct Keep: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "keep", abstract: "Set how much is kept of what a program brings; older posts are removed.")

    @Argument(help: ArgumentHelp("A source, as in `stack-client sources`; feed for all feeds.", valueName: "source"))
    var source: String

    @Argument(help: ArgumentHelp("Days or posts to keep, as in 90d or 10000; all for everything.", valueName: "amount"))
    var amount: String

    @OptionGroup var options: CommonOptions

    func validate() throws {
      if Messages.Keep(amount) == nil {
        throw ValidationError("'\(amount)' is neither days nor posts to keep, such as 90d or 10000, nor all")
      }
    }

    func run() throws {
      guard let keep = Messages.Keep(amount) else { return }
      try ClientContext.run(options) { context in
        let _: EmptyMessage = try context.command(
          Method.setRetention, SetRetentionRequest(source: source, keep: keep))
        try StoreVerb.show(context)
      }
    }
  }

  /// Sets the size above which old posts are removed.
  struct Limit: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "limit", abstract: "Set the size above which the oldest posts that programs brought are removed.")

    @Argument(help: ArgumentHelp("A size, such as 2GB or 500MB; none for no limit.", valueName: "size"))
    var size: String

    @OptionGroup var options: CommonOptions

    func validate() throws {
      if StoreStatus.bytes(size) == nil {
        throw ValidationError("'\(size)' is not a size such as 2GB or 500MB, nor none")
      }
    }

    func run() throws {
      guard let bytes = StoreStatus.bytes(size) else { return }
      try ClientContext.run(options) { context in
        let _: EmptyMessage = try context.command(Method.setStoreLimit, SetStoreLimitRequest(limitBytes: bytes))
        try StoreVerb.show(context)
      }
    }
  }
}
