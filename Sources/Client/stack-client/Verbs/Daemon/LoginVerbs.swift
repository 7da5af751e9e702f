internal import ArgumentParser
internal import ClientCore
internal import Messages
internal import UV

/// `login`: signs in at a server elsewhere.
struct LoginVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "login", abstract: "Sign in at a Mastodon server, whose posts then come to your timeline.",
    discussion: """
      Prints the address of a page. Open it in a browser, allow Stack to read, and paste the code that the page shows; \
      the address to which it sends you will do, too. The code is read from standard input.

      Examples:
        stack-client login ann@social.example
        stack-client login social.example
      """)

  @Argument(help: ArgumentHelp("Your name there and the server, or the server alone.", valueName: "name@server"))
  var server: String

  @OptionGroup var source: LoginSource
  @OptionGroup var options: CommonOptions

  func run() throws {
    try ClientContext.run(options) { context in
      let link = try context.connect()
      defer { link.close() }
      let begun: BeginSignInResponse = try link.call(
        Method.beginSignIn, BeginSignInRequest(source: source.name, server: server))
      try context.console.write(begun.url + "\n")
      try context.console.flush()
      context.console.notice("open this page in a browser, then paste the code that it shows:")
      let code = try Self.readLine()
      guard !code.isEmpty else { throw ClientFailure(.refused, "no code was given; nothing was done") }
      let done: FinishSignInResponse = try link.call(
        Method.finishSignIn, FinishSignInRequest(source: source.name, signIn: begun.signIn, code: code))
      context.console.notice("signed in as \(done.login); your timeline fills now")
    }
  }

  /// Reads a line of standard input, without its end.
  private static func readLine() throws(ClientFailure) -> String {
    var bytes: [UInt8] = []
    do throws(UVError) {
      while bytes.count < 4096, !bytes.contains(0x0A) {
        let more = try Descriptor.standardInput.read(limit: 4096)
        if more.isEmpty { break }
        bytes += more
      }
    } catch {
      throw ClientFailure(.interrupted, "")
    }
    return String(decoding: bytes.prefix { $0 != 0x0A && $0 != 0x0D }, as: UTF8.self)
  }
}

/// `logout`: signs a login out.
struct LogoutVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "logout", abstract: "Sign a login out. Its posts stay.",
    discussion: """
      Examples:
        stack-client logout ann@social.example
      """)

  @Argument(help: ArgumentHelp("The login, as in `stack-client sources`.", valueName: "login"))
  var login: String

  @OptionGroup var source: LoginSource
  @OptionGroup var options: CommonOptions

  func run() throws {
    try ClientContext.run(options) { context in
      let answer: SignOutResponse = try context.ask(
        Method.signOut, SignOutRequest(source: source.name, login: login))
      guard answer.isUnconfirmed else { return context.console.notice("signed out") }
      context.console.notice(
        "signed out here, but the server did not confirm it: remove Stack from the authorized apps in its settings")
    }
  }
}

/// The source of a login.
struct LoginSource: ParsableArguments {
  @Option(name: .customLong("source"), help: ArgumentHelp("The source whose program signs in.", valueName: "name"))
  var name = "mastodon"
}
