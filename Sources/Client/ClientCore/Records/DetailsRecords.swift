public import Messages

extension PostDetailsMessage {
  /// The record of what is known about a post, a line for each fact.
  public var record: Record {
    Record(
      [
        ("id", .identifier(postID)), ("source", .text(Array(source.utf8))), ("native_id", .text(Array(nativeID.utf8))),
        ("created_at", .text(Array(ISOInstant.text(milliseconds: createdAtMilliseconds).utf8))),
        ("visibility", .text(Array(VisibilityName.of(visibility).utf8))), ("readers", .texts(readers)),
        ("reader_count", .number(Int(readerCount))), ("account", .text(Array(account.utf8))),
        ("imported", .flag(isImported)), ("import_id", importID == 0 ? .none : .identifier(importID)),
        ("file", .text(Array(file.utf8))),
        (
          "imported_at",
          importID == 0 ? .none : .text(Array(ISOInstant.text(milliseconds: importedAtMilliseconds).utf8))
        ),
      ], lines: facts.map { [Record.Piece($0)] })
  }

  /// The facts as sentences without full stops.
  public var facts: [String] {
    [
      "Post \(postID), \(source):\(nativeID)",
      "Written \(ISOInstant.minute(milliseconds: createdAtMilliseconds))",
      audience, origin,
    ]
  }

  /// Who may see the post.
  private var audience: String {
    let names = readers.map { "@\($0)" }.joined(separator: ", ")
    let rest = Int(readerCount) - readers.count
    let people = rest > 0 ? "\(names) and \(rest) more" : names
    switch (VisibilityName.of(visibility), readers.isEmpty) {
    case ("public", true), ("unlisted", true): return "Everyone here can see it (\(VisibilityName.of(visibility)))"
    case ("followers", true): return "Its author's followers can see it"
    case (let name, true): return "Not everyone can see it (\(name))"
    case (let name, false): return "\(people) can see it (\(name))"
    }
  }

  /// Who brought the post.
  private var origin: String {
    guard isImported else { return "Written here by @\(account)" }
    guard importID != 0 else { return "Imported by @\(account)" }
    return "Imported by @\(account) (import \(importID), \(file)), "
      + ISOInstant.minute(milliseconds: importedAtMilliseconds)
  }
}
