internal import Ingest
internal import Posts

/// The reason why a command has printed nothing that can be used.
package struct CommandFailure: Error, Equatable {
  /// A clause, of which the command is the subject.
  package let reason: String

  package init(reason: String) { self.reason = reason }
}

/// What the program keeps on its disk: the tokens of logins.
package struct Secrets: Equatable {
  /// A login's token, the address of the server that it is for, and as which application this program got it: only that
  /// may revoke it.
  struct Token: Equatable {
    var server: String
    /// Empty until its command has printed it.
    var token: String
    var id: String
    var secret: String
    /// The command that prints the token, which is then not kept; empty for none.
    var command = ""

    /// The token; nil until its command has printed it.
    var usable: String? { token.isEmpty ? nil : token }

    /// True if `text` can be a token, which becomes part of a header field (RFC 6750, section 2.1).
    static func isUsable(_ text: String) -> Bool {
      (1...4_096).contains(text.utf8.count) && text.utf8.allSatisfy { 0x21...0x7E ~= $0 }
    }

    /// Returns the token on the first line of what a command has printed.
    static func printed(_ result: Result<[UInt8], CommandFailure>, by command: String) -> Result<String, CommandFailure>
    {
      result.mapError { CommandFailure(reason: "the command '\(command.shortened)' \($0.reason)") }.flatMap { bytes in
        let line = String(decoding: bytes.prefix { $0 != 0x0A && $0 != 0x0D }, as: UTF8.self)
        guard isUsable(line) else {
          return .failure(CommandFailure(reason: "the command '\(command.shortened)' does not print a token"))
        }
        return .success(line)
      }
    }
  }

  /// By the name of the login.
  var tokens: [String: Token] = [:]
  /// New tokens of logins that the daemon has not told yet.
  var unconfirmed: [String: Token] = [:]

  package init() {}

  /// The most bytes of the file.
  package static let byteLimit = 1 << 20

  /// Reads the file. Nil if it is not one of this program's.
  package init?(_ bytes: [UInt8]) {
    var bytes = bytes
    guard let secrets = try? JSONParser().parse(&bytes, { value, _ in Self.read(value) }) else { return nil }
    self = secrets
  }

  private static func read(_ value: JSONValue) -> Secrets? {
    guard value.isObject else { return nil }
    var secrets = Secrets()
    guard let tokens = tokens(value, "tokens", "commands"),
      let unconfirmed = Self.tokens(value, "unconfirmed", "unconfirmed_commands")
    else { return nil }
    (secrets.tokens, secrets.unconfirmed) = (tokens, unconfirmed)
    return secrets
  }

  /// Reads the tokens under one name, and the commands that print tokens under another: a version of this program that
  /// knows no commands passes those over.
  private static func tokens(_ file: JSONValue, _ name: StaticString, _ commandsName: StaticString) -> [String: Token]?
  {
    var tokens: [String: Token] = [:]
    for (login, value) in file[name]?.fields ?? JSONValue.Fields.none {
      guard let server = value["server"]?.string, let token = value["token"]?.string, Token.isUsable(token)
      else { return nil }
      tokens[login.string] = Token(
        server: server, token: token, id: value["id"]?.string ?? "", secret: value["secret"]?.string ?? "")
    }
    for (login, value) in file[commandsName]?.fields ?? JSONValue.Fields.none {
      guard let server = value["server"]?.string, let command = value["command"]?.string, !command.isEmpty
      else { return nil }
      tokens[login.string] = Token(server: server, token: "", id: "", secret: "", command: command)
    }
    return tokens
  }

  /// The file.
  package var bytes: [UInt8] {
    JSONLinesWriter.object { writer in
      Self.write(tokens, "tokens", "commands", to: &writer)
      Self.write(unconfirmed, "unconfirmed", "unconfirmed_commands", to: &writer)
    } + [0x0A]
  }

  private static func write(
    _ tokens: [String: Token], _ name: StaticString, _ commandsName: StaticString, to writer: inout JSONLinesWriter
  ) {
    let commands = tokens.filter { !$0.value.command.isEmpty }
    let kept = tokens.filter { $0.value.command.isEmpty }
    if !kept.isEmpty { writer.object(name) { write(kept, to: &$0) } }
    if !commands.isEmpty { writer.object(commandsName) { write(commands, to: &$0) } }
  }

  private static func write(_ tokens: [String: Token], to writer: inout JSONLinesWriter) {
    for (login, token) in tokens.sorted(by: { $0.key < $1.key }) {
      writer.field(Array(login.utf8)) { writer in
        writer.object { writer in
          writer.field("server", token.server)
          guard token.command.isEmpty else { return writer.field("command", token.command) }
          writer.field("token", token.token)
          writer.field("id", token.id)
          writer.field("secret", token.secret)
        }
      }
    }
  }
}
