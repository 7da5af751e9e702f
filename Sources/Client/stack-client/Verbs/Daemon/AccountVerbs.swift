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
      try context.tell(.caller(try context.ask(Method.whoAmI, EmptyMessage())))
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
      """, subcommands: [List.self, Make.self], defaultSubcommand: List.self)

  /// All of them.
  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "Print the accounts of the daemon.")

    @OptionGroup var options: CommonOptions

    func run() throws {
      try ClientContext.run(options) { context in
        let answer: ListAccountsResponse = try context.ask(Method.listAccounts, EmptyMessage())
        try context.tell(answer.accounts.map(Record.account), whenEmpty: "there are no accounts")
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
        let answer: MakeAccountResponse = try context.ask(Method.makeAccount, MakeAccountRequest(name: name))
        try context.tell(.account(answer.account))
      }
    }
  }
}
