public import Messages

extension Scope {
  /// The name on the command line and in JSON.
  public var name: String {
    switch self {
    case .view: "view"
    case .panes: "panes"
    case .post: "post"
    case .admin: "admin"
    }
  }
}

extension AccountSummary {
  /// The record of an account.
  public var record: Record {
    Record(
      [
        ("id", .identifier(accountID)), ("name", .text(Array(name.utf8))),
        ("user_id", userID.map { .number(Int($0)) } ?? .none), ("post_limit", .number(Int(postLimit))),
      ],
      facts: [
        Record.Piece(name, .author), Record.Piece(userID.map { "user \($0)" } ?? "token only", .faint),
        Record.Piece("post limit \(postLimit)", .faint),
      ])
  }
}

extension WhoAmIResponse {
  /// The record of the caller.
  public var record: Record {
    Record(
      account.record.fields + [
        ("scopes", .texts(scopes.map(\.name))),
        ("token_id", tokenID == 0 ? .none : .identifier(tokenID)),
      ],
      facts: [
        Record.Piece(account.name, .author),
        Record.Piece("scopes " + scopes.map(\.name).joined(separator: ", "), .faint),
        Record.Piece(tokenID == 0 ? "" : "token \(tokenID)", .faint),
      ])
  }
}

extension IssueTokenResponse {
  /// The record of a new token, with its secret. As text it is the secret alone, so that it can be piped.
  public var record: Record {
    Record(
      [("token", .text(Array(token.utf8))), ("id", .identifier(tokenID))], facts: [Record.Piece(token)])
  }
}

extension TokenSummary {
  /// The record of a token, without its secret.
  public var record: Record {
    let time = ISOInstant.text(milliseconds: createdAtMilliseconds)
    return Record(
      [
        ("id", .identifier(tokenID)), ("name", .text(Array(name.utf8))),
        ("scopes", .texts(scopes.map(\.name))),
        ("created_at", .text(Array(time.utf8))),
      ],
      facts: [
        Record.Piece(String(tokenID)), Record.Piece(name, .author),
        Record.Piece(scopes.map(\.name).joined(separator: ", "), .faint),
        Record.Piece(time, .faint),
      ])
  }
}

extension CheckIntegrityResponse {
  /// The findings of an integrity check.
  public var record: Record {
    let lines =
      findings.isEmpty ? [[Record.Piece("the store is sound")]] : findings.map { [Record.Piece($0, .warning)] }
    return Record([("findings", .texts(findings))], lines: lines)
  }
}

extension BackupResponse {
  /// The path and size of a backup.
  public var record: Record {
    Record(
      [("path", .text(Array(path.utf8))), ("bytes", .number(Int(clamping: bytes)))],
      facts: [Record.Piece(path), Record.Piece("\(NumberText.grouped(bytes)) bytes", .faint)])
  }
}
