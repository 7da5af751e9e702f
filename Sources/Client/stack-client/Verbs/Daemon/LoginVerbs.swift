internal import ArgumentParser
internal import ClientCore
internal import Messages
internal import UV

/// `login`: signs in at a server elsewhere.
struct LoginVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "login", abstract: "Sign in at a Mastodon server, whose posts then come to your timeline.",
    discussion: """
      Prints the address of a page, and opens it if there is a display. Allow Stack to read and write there. Then \
      signing in goes on by itself if the browser is on this machine; otherwise paste the code that the page shows, \
      or the address to which it sends you. With --code, and over SSH, the page always shows the code.

      Examples:
        stack-client login ann@social.example
        stack-client login social.example --read-only
        stack-client login ann@social.example --secret-command "pass show stack/ann"

      With --secret-command there is no page: the command prints a token that you have made in the settings of your \
      server, on its first line. It is run when the daemon's program for the server starts, without a shell, so that \
      the token is on no disk but where the command has it.
      """)

  /// The time limit for what the server has to answer. The daemon gives up before.
  static let patience = Duration.seconds(180)

  @Argument(help: ArgumentHelp("Your name there and the server, or the server alone.", valueName: "name@server"))
  var server: String

  @Flag(help: "Only read: what you write, favourite or delete here stays here.") var readOnly = false
  @Flag(help: "Have the page show a code to paste.") var code = false
  @Flag(help: "Keep the posts that you save in the bookmarks of the server, and bring those that are there.")
  var bookmarks = false
  @Option(help: ArgumentHelp("Sign in with the token that this command prints.", valueName: "command"))
  var secretCommand = ""
  @OptionGroup var source: LoginSource
  @OptionGroup var options: CommonOptions

  func validate() throws {
    if readOnly, bookmarks {
      throw ValidationError("--read-only asks for no permission to write, and --bookmarks needs it")
    }
    if !secretCommand.isEmpty, readOnly || code {
      throw ValidationError("--secret-command brings a token, which cannot be changed by --read-only or --code")
    }
  }

  func run() throws {
    try ClientContext.run(options) { context in
      let link = try context.connect()
      defer { link.close() }
      let isRemote = UV.Process.environment("SSH_CONNECTION") != nil
      let input = SignInCode(loop: context.loop, listens: !code && secretCommand.isEmpty && !isRemote)
      defer { input.close() }
      let begun: BeginSignInResponse = try link.call(
        Method.beginSignIn,
        BeginSignInRequest(
          source: source.name, server: server, redirectPort: UInt32(input.port), isReadOnly: readOnly,
          secretCommand: secretCommand, keepsBookmarks: bookmarks),
        timeout: Self.patience)
      let code = try begun.url.isEmpty ? "" : waitForCode(at: begun.url, input, context)
      let done: FinishSignInResponse = try link.call(
        Method.finishSignIn, FinishSignInRequest(source: source.name, signIn: begun.signIn, code: code),
        timeout: Self.patience)
      context.console.notice("signed in as \(done.login); your timeline fills now")
    }
  }

  /// Shows the server's page, and waits for the code.
  private func waitForCode(at url: String, _ input: SignInCode, _ context: ClientContext) throws(ClientFailure)
    -> String
  {
    try context.console.write(url + "\n")
    try context.console.flush()
    input.openPage(url)
    context.console.notice(
      input.port == 0
        ? "open this page in a browser, then paste the code that it shows:"
        : "open this page in a browser on this machine; from another one, paste the code or the address it ends at:")
    return try input.wait()
  }
}

/// `logout`: signs a login out.
struct LogoutVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "logout", abstract: "Sign a login out. Its posts stay.",
    discussion: """
      Examples:
        stack-client logout ann@social.example
        stack-client logout ann@social.example --forget

      With --forget the posts go as with `stack-client forget source:mastodon`: those that other accounts have, answered, \
      reposted, favourited or saved stay, and so does what was written here.
      """)

  @Argument(help: ArgumentHelp("The login, as in `stack-client sources`.", valueName: "login"))
  var login: String

  @Flag(help: "Remove the posts, too. This cannot be undone.") var forget = false
  @Flag(name: .shortAndLong, help: "Do not ask.") var yes = false
  @OptionGroup var source: LoginSource
  @OptionGroup var options: CommonOptions

  func run() throws {
    try ClientContext.run(options) { context in
      if forget { try checkForgetting(context) }
      let answer: SignOutResponse = try context.ask(
        Method.signOut, SignOutRequest(source: source.name, login: login, forgets: forget),
        timeout: LoginVerb.patience)
      context.console.notice(
        answer.isUnconfirmed
          ? "signed out here, but the server did not confirm it: remove Stack from the authorized apps in its settings"
          : "signed out")
      if forget { try ImportForgetting(context).forget(.source(source.name)) }
    }
  }

  /// Asks, and fails if posts of other logins would go, too.
  private func checkForgetting(_ context: ClientContext) throws(ClientFailure) {
    let logins = try context.list(Method.listSources, ListSourcesResponse.self).filter { $0.source == source.name }
    if let other = logins.first(where: { $0.login != login }) {
      throw ClientFailure(
        .refused, "the posts of \(login) and \(other.login) cannot be told apart",
        hint: "sign one out without --forget first")
    }
    try context.confirm("remove all posts of source \(source.name)? This cannot be undone.", isAnswered: yes)
  }
}

/// The source of a login.
struct LoginSource: ParsableArguments {
  @Option(name: .customLong("source"), help: ArgumentHelp("The source whose program signs in.", valueName: "name"))
  var name = "mastodon"
}
