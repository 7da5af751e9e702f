public import Messages

extension Record {
  /// An account.
  public static func account(_ account: AccountSummary) -> Record {
    Record(
      [
        ("id", .identifier(account.accountID)), ("name", .text(Array(account.name.utf8))),
        ("user_id", account.userID.map { .number(Int($0)) } ?? .none), ("post_limit", .number(Int(account.postLimit))),
      ],
      facts: [
        Piece(account.name, .author), Piece(account.userID.map { "user \($0)" } ?? "by token", .faint),
        Piece("posts of at most \(account.postLimit)", .faint),
      ])
  }

  /// Who the caller is.
  public static func caller(_ caller: WhoAmIResponse) -> Record {
    Record(
      account(caller.account).fields + [
        ("scopes", .texts(caller.scopes.map(\.name))),
        ("token_id", caller.tokenID == 0 ? .none : .identifier(caller.tokenID)),
      ],
      facts: [
        Piece(caller.account.name, .author), Piece("may " + caller.scopes.map(\.name).joined(separator: ", "), .faint),
        Piece(caller.tokenID == 0 ? "" : "token \(caller.tokenID)", .faint),
      ])
  }

  /// A token that has just been made, secret and all; people get the secret alone, so that it can be piped.
  public static func token(_ issued: IssueTokenResponse) -> Record {
    Record(
      [("token", .text(Array(issued.token.utf8))), ("id", .identifier(issued.tokenID))], facts: [Piece(issued.token)])
  }

  /// A token, without what is secret.
  public static func token(_ token: TokenSummary) -> Record {
    let time = ISOInstant.text(milliseconds: token.createdAtMilliseconds)
    return Record(
      [
        ("id", .identifier(token.tokenID)), ("name", .text(Array(token.name.utf8))),
        ("scopes", .texts(token.scopes.map(\.name))),
        ("created_at", .text(Array(time.utf8))),
      ],
      facts: [
        Piece(String(token.tokenID)), Piece(token.name, .author),
        Piece(token.scopes.map(\.name).joined(separator: ", "), .faint),
        Piece(time, .faint),
      ])
  }

  /// Whether the store is sound.
  public static func integrity(_ answer: CheckIntegrityResponse) -> Record {
    let lines =
      answer.findings.isEmpty ? [[Piece("the store is sound")]] : answer.findings.map { [Piece($0, .warning)] }
    return Record([("findings", .texts(answer.findings))], lines: lines)
  }

  /// A copy of the store is written.
  public static func backup(_ answer: BackupResponse) -> Record {
    Record(
      [("path", .text(Array(answer.path.utf8))), ("bytes", .number(Int(clamping: answer.bytes)))],
      facts: [Piece(answer.path), Piece("\(ImportProgress.grouped(answer.bytes)) bytes", .faint)])
  }
}

extension Scope {
  /// The word for it on the command line and in JSON.
  public var name: String {
    switch self {
    case .view: "view"
    case .post: "post"
    case .admin: "admin"
    }
  }
}
