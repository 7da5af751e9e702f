internal import ArgumentParser
internal import ClientCore
internal import Messages

/// `whoami`: who the daemon takes the caller for.
struct WhoAmIVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "whoami", abstract: "Say which account you are, and what you may do.",
    discussion: """
      Examples:
        stack-client whoami
        stack-client --connect 127.0.0.1:7825 --token-file bot.token whoami
      """)

  @OptionGroup var options: CommonOptions

  func run() throws {
    try ClientContext.run(options) { context in
      let caller: WhoAmIResponse = try context.ask(Method.whoAmI, EmptyMessage())
      try context.tell(caller.record)
    }
  }
}

/// `account`: who may connect.
struct AccountVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "account", abstract: "Print and make accounts. A user of this machine gets one by connecting.",
    discussion: """
      Examples:
        stack-client account list
        stack-client account make weather_bot
        stack-client account limit 500
      """, subcommands: [List.self, Make.self, Limit.self], defaultSubcommand: List.self)

  /// All of them.
  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "Print the accounts of the daemon.")

    @OptionGroup var options: CommonOptions

    func run() throws {
      try ClientContext.run(options) { context in
        let accounts = try context.list(Method.listAccounts, ListAccountsResponse.self)
        try context.tell(accounts.map(\.record), whenEmpty: "there are no accounts")
      }
    }
  }

  /// One that connects by token only.
  struct Make: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "make", abstract: "Make an account for a bot or a guest; `token issue --account` lets it in.")

    @Argument(help: ArgumentHelp("Its name: letters, digits and _; at most 64.", valueName: "name"))
    var name: String

    @OptionGroup var options: CommonOptions

    func run() throws {
      try ClientContext.run(options) { context in
        let answer: CreateAccountResponse = try context.ask(Method.createAccount, CreateAccountRequest(name: name))
        try context.tell(answer.account.record)
      }
    }
  }

  /// How long its posts may be.
  struct Limit: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "limit", abstract: "Set how long your posts may be.",
      discussion: """
        A link counts 23, an emoji 2, a character of Chinese, Japanese or Korean 2, most others 1; `stack-client measure` counts any text.
        """)

    @Argument(help: ArgumentHelp("1 to 10000, or default for 280.", valueName: "length"))
    var limit: String

    @Option(help: ArgumentHelp("The account; your own, unless you look after the daemon.", valueName: "name"))
    var account = ""

    @OptionGroup var options: CommonOptions

    func validate() throws { _ = try number }

    private var number: UInt32 {
      get throws {
        if limit == "default" { return 0 }
        guard let number = UInt32(limit), 1...10_000 ~= number else {
          throw ValidationError("'\(limit)' is no length of posts: 1 to 10000, or default")
        }
        return number
      }
    }

    func run() throws {
      try ClientContext.run(options) { context in
        var request = SetPostLimitRequest(try number)
        request.account = account
        let answer: CreateAccountResponse = try context.ask(Method.setPostLimit, request)
        try context.tell(answer.account.record)
      }
    }
  }
}
