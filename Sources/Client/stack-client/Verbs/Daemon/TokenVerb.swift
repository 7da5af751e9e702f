internal import ArgumentParser
internal import ClientCore
internal import Messages
internal import UV

/// `token`: what lets a program in over TCP.
struct TokenVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "token", abstract: "Issue, print and revoke tokens, which let programs in over TCP.",
    discussion: """
      Examples:
        stack-client token issue weather_bot --scope view,post --to bot.token
        stack-client --connect 127.0.0.1:7825 --token-file bot.token watch mentions --jsonl
        stack-client token revoke 3
      """, subcommands: [List.self, Issue.self, Revoke.self], defaultSubcommand: List.self)

  /// All of an account's.
  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "Print your tokens, without what is secret.")

    @Option(help: ArgumentHelp("Another account's; needs scope admin, or the daemon's user.", valueName: "name"))
    var account = ""

    @OptionGroup var options: CommonOptions

    func run() throws {
      try ClientContext.run(options) { context in
        let tokens = try context.list(Method.listTokens, ListTokensResponse.self) { page in
          var request = ListTokensRequest()
          (request.account, request.page) = (account, page)
          return request
        }
        try context.tell(
          tokens.map(\.record), whenEmpty: "there are no tokens: `stack-client token issue NAME` makes one")
      }
    }
  }

  /// A new one.
  struct Issue: TextVerb {
    static let configuration = CommandConfiguration(
      commandName: "issue",
      abstract: "Make a token; prints it, this once, or writes it to a file that only you may read.",
      discussion: """
        Examples:
          stack-client token issue weather_bot --to bot.token
          stack-client token issue desk --scope view,post --account ann
        """)

    @Argument(help: ArgumentHelp("What it is for, in your words; at most 64 bytes.", valueName: "name"))
    var name: String

    @Option(help: ArgumentHelp("What it allows, parted by commas: view, post, admin.", valueName: "scopes"))
    var scope = "view"

    @Option(help: ArgumentHelp("The account it is of; needs scope admin, or the daemon's user.", valueName: "name"))
    var account = ""

    @Option(help: ArgumentHelp("A file that does not exist yet; it gets mode 0600.", valueName: "path"))
    var to: String?

    @OptionGroup var options: CommonOptions

    /// The scopes that are named, each once.
    private func scopes() throws -> [Scope] {
      let scopes = try scope.split(separator: ",", omittingEmptySubsequences: false).map { word in
        guard let scope = Scope.allCases.first(where: { $0.name == word }) else {
          throw ValidationError("--scope has '\(word)' in it; view, post and admin are possible, parted by commas")
        }
        return scope
      }
      return Scope.allCases.filter(scopes.contains)
    }

    func validate() throws { _ = try scopes() }

    func run() throws {
      try ClientContext.run(options) { context in
        var request = IssueTokenRequest(name: name)
        request.scopes = try scopes()
        request.account = account
        // A file that cannot be made costs no token.
        let file = try to.map { path throws(ClientFailure) in try Self.newFile(path) }
        let link = try context.connect()
        defer { link.close() }
        let issued: IssueTokenResponse = try link.call(Method.issueToken, request)
        guard let file, let to else { return try context.tell(issued.record) }
        do throws(UVError) {
          try file.finish(Array((issued.token + "\n").utf8))
        } catch {
          throw Self.takeBack(issued.tokenID, because: "\(to) cannot be written: \(error)", link)
        }
        try context.tell(Record([("id", .identifier(issued.tokenID))], facts: [Record.Piece(String(issued.tokenID))]))
      }
    }

    private static func newFile(_ path: String) throws(ClientFailure) -> NewFile {
      do throws(UVError) {
        return try NewFile(path, mode: 0o600)
      } catch {
        throw ClientFailure(.failure, "\(path) cannot be made: \(error)", hint: "no token was issued")
      }
    }

    /// Revokes a token that nobody knows and nobody shall, and says what is left to do.
    private static func takeBack(_ token: UInt64, because reason: String, _ link: DaemonLink) -> ClientFailure {
      do throws(ClientFailure) {
        let _: EmptyMessage = try link.call(Method.revokeToken, RevokeTokenRequest(tokenID: token))
        return ClientFailure(.failure, reason, hint: "no token was issued")
      } catch {
        let hint = "token \(token) was issued all the same: `stack-client token revoke \(token)` takes it back"
        return ClientFailure(.failure, reason, hint: hint)
      }
    }
  }

  /// One less.
  struct Revoke: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "revoke", abstract: "Take a token back, at once: what it has opened ends.")

    @Argument(help: ArgumentHelp("Its number, as token list prints it.", valueName: "number"))
    var token: UInt64

    @OptionGroup var options: CommonOptions

    func run() throws {
      try ClientContext.run(options) { context in
        let _: EmptyMessage = try context.ask(Method.revokeToken, RevokeTokenRequest(tokenID: token))
        try context.tell(Record([("id", .identifier(token))], lines: []))
      }
    }
  }
}
