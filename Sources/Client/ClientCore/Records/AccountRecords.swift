public import Messages

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

extension AccountSummary {
  /// An account.
  public var record: Record {
    Record(
      [
        ("id", .identifier(accountID)), ("name", .text(Array(name.utf8))),
        ("user_id", userID.map { .number(Int($0)) } ?? .none), ("post_limit", .number(Int(postLimit))),
      ],
      facts: [
        Record.Piece(name, .author), Record.Piece(userID.map { "user \($0)" } ?? "by token", .faint),
        Record.Piece("posts of at most \(postLimit)", .faint),
      ])
  }
}

extension WhoAmIResponse {
  /// Who the caller is.
  public var record: Record {
    Record(
      account.record.fields + [
        ("scopes", .texts(scopes.map(\.name))),
        ("token_id", tokenID == 0 ? .none : .identifier(tokenID)),
      ],
      facts: [
        Record.Piece(account.name, .author), Record.Piece("may " + scopes.map(\.name).joined(separator: ", "), .faint),
        Record.Piece(tokenID == 0 ? "" : "token \(tokenID)", .faint),
      ])
  }
}

extension IssueTokenResponse {
  /// A token that has just been made, secret and all; people get the secret alone, so that it can be piped.
  public var record: Record {
    Record(
      [("token", .text(Array(token.utf8))), ("id", .identifier(tokenID))], facts: [Record.Piece(token)])
  }
}

extension TokenSummary {
  /// A token, without what is secret.
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
  /// Whether the store is sound.
  public var record: Record {
    let lines =
      findings.isEmpty ? [[Record.Piece("the store is sound")]] : findings.map { [Record.Piece($0, .warning)] }
    return Record([("findings", .texts(findings))], lines: lines)
  }
}

extension BackupResponse {
  /// A copy of the store is written.
  public var record: Record {
    Record(
      [("path", .text(Array(path.utf8))), ("bytes", .number(Int(clamping: bytes)))],
      facts: [Record.Piece(path), Record.Piece("\(NumberText.grouped(bytes)) bytes", .faint)])
  }
}
