public import Messages
public import ViewState

extension RowAuthor {
  /// An author.
  public var record: Record {
    Record(
      [
        ("id", .identifier(id)), ("handle", .text(handle)), ("name", .text(displayName)),
        ("avatar_url", .text(avatarURL)),
      ], lines: [nameAndHandle])
  }

  /// Name and handle; a source that gave no name has the handle in its place, and once is enough.
  fileprivate var nameAndHandle: [Record.Piece] {
    let at = Array("@".utf8) + handle
    guard displayName != handle else { return [Record.Piece(at, .author)] }
    return [Record.Piece(displayName, .author), Record.Piece(" "), Record.Piece(at, .faint)]
  }
}

extension ProfileSummary {
  /// An author, and what this account has to do with them.
  public var record: Record {
    var facts = [
      NumberText.count(posts, "post", "posts"), NumberText.count(followers, "follower", "followers"),
      "follows \(following)",
    ]
    if isMe { facts.append("this is you") }
    if isFollowed { facts.append("you follow them") }
    if followsMe { facts.append("follows you") }
    if isMuted { facts.append("you muted them") }
    if isBlocked { facts.append("you blocked them") }
    return Record(
      author.record.fields + [
        ("posts", .number(posts)), ("followers", .number(followers)),
        ("following", .number(following)),
        ("followed", .flag(isFollowed)), ("follows_me", .flag(followsMe)), ("me", .flag(isMe)),
        ("muted", .flag(isMuted)), ("blocked", .flag(isBlocked)),
      ], lines: [author.nameAndHandle, [Record.Piece(facts.joined(separator: " · "), .faint)]])
  }
}

extension MuteResponse {
  /// Something is muted, or is no longer muted or blocked. People see that by what they see.
  public var record: Record {
    Record([("changed", .flag(hasChanged)), ("revision", .identifier(revision))], lines: [])
  }
}

extension BlockResponse {
  /// Somebody is blocked.
  public var record: Record {
    Record(
      [
        ("changed", .flag(hasChanged)), ("unfollowed", .flag(hasUnfollowed)),
        ("revision", .identifier(revision)),
      ],
      lines: [])
  }
}

extension MutedItem {
  /// All that an account does not want to see.
  public static func record(of items: [MutedItem]) -> Record {
    let muted = items.compactMap { if case .author(let author) = $0 { author } else { nil } }
    let blocked = items.compactMap { if case .blocked(let author) = $0 { author } else { nil } }
    let words = items.compactMap { if case .word(let word) = $0 { word } else { nil } }
    let conversations = items.compactMap { if case .conversation(let first) = $0 { first } else { nil } }
    let lines =
      muted.map { [Record.Piece("muted ", .faint)] + $0.nameAndHandle }
      + blocked.map { [Record.Piece("blocked ", .faint)] + $0.nameAndHandle }
      + words.map { [Record.Piece("word ", .faint), Record.Piece($0)] }
      + conversations.map {
        [Record.Piece("conversation \($0.postID) ", .faint)] + $0.author.nameAndHandle + [Record.Piece(" ")]
          + [Record.Piece(Array($0.text.prefix { $0 != UInt8(ascii: "\n") }))]
      }
    return Record(
      [
        ("muted", .records(muted.map(\.record))), ("blocked", .records(blocked.map(\.record))),
        ("words", .texts(words)), ("conversations", .records(conversations.map(\.record))),
      ], lines: lines.isEmpty ? [[Record.Piece("nothing is muted")]] : lines)
  }
}

extension ListSummary {
  /// A list of an account, without who is in it.
  public var record: Record { Record(fields, lines: [words]) }

  /// A list of an account, and who is in it.
  public func record(with authors: [RowAuthor]) -> Record {
    Record(
      fields + [("authors", .records(authors.map(\.record)))],
      lines: [words] + authors.map { [Record.Piece("  ")] + $0.nameAndHandle })
  }

  private var fields: [(key: StaticString, value: Record.Value)] {
    [
      ("id", .identifier(listID)), ("name", .text(Array(name.utf8))), ("author_count", .number(authorCount)),
      ("post_count", .number(postCount)),
    ]
  }

  private var words: [Record.Piece] {
    let facts = [
      String(listID), NumberText.count(authorCount, "author", "authors"),
      NumberText.count(postCount, "post", "posts"),
    ]
    return [Record.Piece(name, .author), Record.Piece(" · " + facts.joined(separator: " · "), .faint)]
  }
}

extension MutedConversation {
  /// The first post of a muted conversation.
  fileprivate var record: Record {
    Record([("post_id", .identifier(postID)), ("author", .text(author.handle)), ("text", .text(text))], lines: [])
  }
}
