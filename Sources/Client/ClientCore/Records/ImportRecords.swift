public import Messages

extension ImportSummary {
  /// The record of an import that can be taken back.
  public var record: Record {
    let time = ISOInstant.text(milliseconds: startedAtMilliseconds)
    return Record(
      [
        ("id", .identifier(importID)), ("account", .text(Array(account.utf8))), ("file", .text(Array(file.utf8))),
        ("started_at", .text(Array(time.utf8))), ("new", .number(Int(clamping: new))),
        ("changed", .number(Int(clamping: changed))),
      ],
      facts: [
        Record.Piece(String(importID)), Record.Piece(file),
        Record.Piece("\(NumberText.grouped(new)) new, \(NumberText.grouped(changed)) changed"),
        Record.Piece("by \(account)", .faint),
        Record.Piece(ISOInstant.minute(milliseconds: startedAtMilliseconds), .faint),
      ])
  }
}

extension ForgetImportedResponse {
  /// The record of a completed removal.
  public var record: Record {
    var line = NumberText.count(removed, "post removed", "posts removed")
    if kept > 0 { line += "; \(kept) kept, since other accounts have a part in them or they were written here" }
    return Record(
      [
        ("removed", .number(Int(clamping: removed))), ("kept", .number(Int(clamping: kept))),
        ("revision", .identifier(revision)),
      ],
      lines: [[Record.Piece(line)]])
  }
}
