internal import ArgumentParser
internal import ClientCore
internal import Messages
internal import UV

/// `token`: tokens for access over TCP.
struct TokenVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "token", abstract: "Issue, print and revoke tokens, with which programs connect over TCP.",
    discussion: """
      Examples:
        stack-client token issue weather_bot --scope view,post --to bot.token
        stack-client --connect 127.0.0.1:7825 --token-file bot.token watch
        stack-client token revoke 3
      """, subcommands: [List.self, Issue.self, Revoke.self], defaultSubcommand: List.self)

  /// Prints the tokens of an account.
  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "Print your tokens, without their secrets.")

    @Option(
      help: ArgumentHelp("The account (default: your own; an administrator can name another).", valueName: "name"))
    var account = ""

    @OptionGroup var options: CommonOptions

    func run() throws {
      try ClientContext.run(options) { context in
        let tokens = try context.list(Method.listTokens, ListTokensResponse.self) { page in
          var request = ListTokensRequest()
          (request.account, request.page) = (account, page)
          return request
        }
        try context.write(
          tokens.map(\.record), whenEmpty: "no tokens: `stack-client token issue NAME` makes one")
      }
    }
  }

  /// Issues a token.
  struct Issue: TextVerb {
    static let configuration = CommandConfiguration(
      commandName: "issue",
      abstract: "Issue a token; prints it this once, or writes it to a private file.",
      discussion: """
        Examples:
          stack-client token issue weather_bot --to bot.token
          stack-client token issue desk --scope view,panes,post --account ann

        Scopes:
          view    look: posts, searches, live views, the names of sessions
          panes   change panes and sessions, and what counts as read and seen
          post    write and delete posts, mark them, follow, mute, import
          admin   issue tokens, make accounts, check and copy the store
        """)

    @Argument(help: ArgumentHelp("A name that says what it is for, at most 64 bytes.", valueName: "name"))
    var name: String

    @Option(
      help: ArgumentHelp("Comma-separated scopes: view, panes, post, admin (default: view).", valueName: "scopes"))
    var scope: [String] = []

    @Option(
      help: ArgumentHelp("The account (default: your own; an administrator can name another).", valueName: "name"))
    var account = ""

    @Option(
      help: ArgumentHelp("Write the token to a new file, with mode 0600.", valueName: "path"), completion: .file())
    var to: String?

    @OptionGroup var options: CommonOptions

    /// Returns the named scopes, without duplicates.
    private func scopes() throws -> [Scope] {
      let words = scope.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }
      let scopes = try words.map { word in
        guard let scope = Scope.allCases.first(where: { $0.name == word }) else {
          throw ValidationError("--scope: '\(word)' is not one of view, panes, post or admin")
        }
        return scope
      }
      return scopes.isEmpty ? [.view] : Scope.allCases.filter(scopes.contains)
    }

    func validate() throws { _ = try scopes() }

    func run() throws {
      try ClientContext.run(options) { context in
        var request = IssueTokenRequest(name: name)
        request.scopes = try scopes()
        request.account = account
        // The file is created first, so that no token is issued if that fails.
        let file = try to.map { path throws(ClientFailure) in try Self.newFile(path) }
        let link = try context.connect()
        defer { link.close() }
        let issued: IssueTokenResponse = try link.call(Method.issueToken, request)
        guard !issued.token.isEmpty else { throw ClientFailure.invalidResponse("it holds no token") }
        guard let file, let to else { return try context.write(issued.record) }
        do throws(UVError) {
          try file.finish(Array((issued.token + "\n").utf8))
        } catch {
          throw Self.revoke(issued.tokenID, because: "cannot write \(to): \(error)", link)
        }
        try context.write(Record([("id", .identifier(issued.tokenID))], facts: [Record.Piece(String(issued.tokenID))]))
      }
    }

    private static func newFile(_ path: String) throws(ClientFailure) -> NewFile {
      do throws(UVError) {
        return try NewFile(path, mode: 0o600)
      } catch {
        throw ClientFailure(.failure, "cannot create \(path): \(error)", hint: "no token was issued")
      }
    }

    /// Revokes a token that could not be written, and returns the failure with what is left to do.
    private static func revoke(_ token: UInt64, because reason: String, _ link: DaemonLink) -> ClientFailure {
      do throws(ClientFailure) {
        let _: EmptyMessage = try link.call(Method.revokeToken, RevokeTokenRequest(tokenID: token))
        return ClientFailure(.failure, reason, hint: "no token was issued")
      } catch {
        let hint = "token \(token) was issued anyway: revoke it with `stack-client token revoke \(token)`"
        return ClientFailure(.failure, reason, hint: hint)
      }
    }
  }

  /// Revokes a token.
  struct Revoke: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "revoke", abstract: "Revoke a token and end its connections at once.")

    @Argument(help: ArgumentHelp("The token number, as shown by token list.", valueName: "number"))
    var token: UInt64

    @OptionGroup var options: CommonOptions

    func run() throws {
      try ClientContext.run(options) { context in
        let _: EmptyMessage = try context.ask(Method.revokeToken, RevokeTokenRequest(tokenID: token))
        try context.write(Record([("id", .identifier(token))], lines: []))
      }
    }
  }
}
