internal import ArgumentParser
internal import ClientCore
internal import Messages
internal import ViewState

/// `whoami`: the account and the scopes of the caller.
struct WhoAmIVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "whoami", abstract: "Print your account and your scopes.",
    discussion: """
      Examples:
        stack-client whoami
        stack-client --connect 127.0.0.1:7825 --token-file bot.token whoami
      """)

  @OptionGroup var options: CommonOptions

  func run() throws {
    try ClientContext.run(options) { context in
      let caller: WhoAmIResponse = try context.ask(Method.whoAmI, EmptyMessage())
      try caller.account.check()
      try context.write(caller.record)
    }
  }
}

/// `account`: the accounts of the daemon.
struct AccountVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "account", abstract: "Print and make accounts. Users of this machine get one when they connect.",
    discussion: """
      Examples:
        stack-client account list
        stack-client account make weather_bot
        stack-client account limit 500
        stack-client account name "Ann of the harbour"
        stack-client account about "I count gulls."
        stack-client account follows ask
      """, subcommands: [List.self, Make.self, Name.self, About.self, Limit.self, Follows.self],
    defaultSubcommand: List.self)

  /// Prints all accounts.
  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "Print the accounts of the daemon.")

    @OptionGroup var options: CommonOptions

    func run() throws {
      try ClientContext.run(options) { context in
        let accounts = try context.list(Method.listAccounts, ListAccountsResponse.self)
        try context.write(accounts.map(\.record), whenEmpty: "no accounts")
      }
    }
  }

  /// Makes an account that connects by token only.
  struct Make: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "make", abstract: "Make an account for a bot or a guest; it connects with a token.")

    @Argument(help: ArgumentHelp("The name: at most 64 letters, digits and _.", valueName: "name"))
    var name: String

    @OptionGroup var options: CommonOptions

    func run() throws {
      try ClientContext.run(options) { context in
        let answer: CreateAccountResponse = try context.ask(Method.createAccount, CreateAccountRequest(name: name))
        try answer.account.check()
        try context.write(answer.account.record)
      }
    }
  }

  /// Prints or sets how accounts come to be followed.
  struct Follows: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "follows",
      abstract: "Print who can follow accounts here and so read their posts for followers, or change it for all.",
      discussion: """
        open: accounts follow each other from the start, and anyone here can follow anyone. ask: each account approves \
        its followers, with `stack-client followers`. A daemon first started with --group begins with open, any other \
        with ask. A change leaves existing follows and requests as they are. Only an administrator can make it.

        Examples:
          stack-client account follows
          stack-client account follows ask
        """)

    @Argument(help: ArgumentHelp("open or ask (default: print the current one).", valueName: "policy"))
    var policy: FollowPolicy?

    @OptionGroup var options: CommonOptions

    func run() throws {
      try ClientContext.run(options) { context in
        if let policy {
          let answer: FollowPolicyMessage = try context.ask(Method.setFollowPolicy, FollowPolicyMessage(policy))
          return try context.write(answer.policy.record)
        }
        let status: DaemonStatus = try context.ask(Method.getStatus, EmptyMessage())
        guard let policy = status.follows else {
          throw ClientFailure(
            .versionMismatch, "the daemon does not say who can follow its accounts",
            hint: "it is older than this client; update it")
        }
        try context.write(policy.record)
      }
    }
  }

  /// Sets the maximum length of posts.
  struct Limit: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "limit", abstract: "Set the maximum length of your posts.",
      discussion: """
        A link counts 23, an emoji or a Chinese, Japanese or Korean character 2, most other characters 1. \
        `stack-client measure` counts a text.
        """)

    @Argument(help: ArgumentHelp("1 to 10000, or default for 280.", valueName: "length"))
    var limit: String

    @Option(
      help: ArgumentHelp("The account (default: your own; an administrator can name another).", valueName: "name"))
    var account = ""

    @OptionGroup var options: CommonOptions

    func validate() throws { _ = try number }

    private var number: UInt32 {
      get throws {
        if limit == "default" { return 0 }
        guard let number = UInt32(limit), 1...10_000 ~= number else {
          throw ValidationError("the limit must be 1 to 10000 or default, not '\(limit)'")
        }
        return number
      }
    }

    func run() throws {
      try ClientContext.run(options) { context in
        var request = SetPostLimitRequest(try number)
        request.account = account
        let answer: CreateAccountResponse = try context.ask(Method.setPostLimit, request)
        try answer.account.check()
        try context.write(answer.account.record)
      }
    }
  }
}

extension AccountSummary {
  /// Fails for the empty account of a response that names none.
  func check() throws(ClientFailure) {
    if accountID == 0 { throw .invalidResponse("it names no account") }
  }
}
