public import Messages
public import ViewState

extension RowAuthor {
  /// The record of an author.
  public var record: Record {
    Record(names + originFields, lines: [nameAndHandle])
  }

  fileprivate var names: [(key: StaticString, value: Record.Value)] {
    [
      ("id", .identifier(id)), ("handle", .text(handle)), ("name", .text(displayName)),
      ("avatar_url", .text(avatarURL)),
    ]
  }

  fileprivate var originFields: [(key: StaticString, value: Record.Value)] {
    [("source", .text(source)), ("namesake", .flag(isNamesake))]
  }

  /// The words after the handle of an author of another source that bears an account's name: " (from twitter)"; empty
  /// for other authors.
  package var origin: [UInt8] { isNamesake ? Array(" (from ".utf8) + source + Array(")".utf8) : [] }

  /// Name and handle. Only the handle if the source gave no name, since the handle then stands in for it.
  fileprivate var nameAndHandle: [Record.Piece] {
    let at = Array("@".utf8) + handle + origin
    guard displayName != handle else { return [Record.Piece(at, .author)] }
    return [Record.Piece(displayName, .author), Record.Piece(" "), Record.Piece(at, .faint)]
  }
}

extension FollowResponse {
  /// The outcome of following `author`. Prints something as text only if the author has to approve it.
  public func record(of author: String) -> Record {
    Record(
      [("revision", .identifier(revision)), ("pending", .flag(isPending))],
      lines: isPending ? [[Record.Piece(sentence(of: author))]] : [])
  }

  /// The outcome of following `author`, in a sentence.
  package func sentence(of author: String) -> String {
    isPending ? "Asked \(author) to follow." : "Following \(author)."
  }
}

extension PendingFollowSummary {
  /// The record of a request to follow the account.
  public var record: Record {
    let time = ISOInstant.text(milliseconds: askedAtMilliseconds)
    return Record(
      author.record.fields + [("asked_at", .text(Array(time.utf8)))],
      lines: [
        author.nameAndHandle + [Record.Piece(" · \(ISOInstant.minute(milliseconds: askedAtMilliseconds))", .faint)]
      ])
  }
}

extension ProfileSummary {
  /// The record of an author, with their relation to this account.
  public var record: Record {
    var facts = [
      NumberText.count(posts, "post", "posts"), NumberText.count(followers, "follower", "followers"),
      "\(following) following",
    ]
    if isMe { facts.append("you") }
    if isFollowed { facts.append("you follow them") }
    if followsMe { facts.append("follows you") }
    if isMuted { facts.append("muted") }
    if isBlocked { facts.append("blocked") }
    return Record(
      author.names + [
        ("posts", .number(posts)), ("followers", .number(followers)),
        ("following", .number(following)),
        ("followed", .flag(isFollowed)), ("follows_me", .flag(followsMe)), ("me", .flag(isMe)),
        ("muted", .flag(isMuted)), ("blocked", .flag(isBlocked)),
      ] + author.originFields + [("about", .text(about))],
      lines: [author.nameAndHandle] + (about.isEmpty ? [] : [[Record.Piece(about)]]) + [
        [Record.Piece(facts.joined(separator: " · "), .faint)]
      ])
  }
}

extension MuteResponse {
  /// The outcome of a mute, an unmute or an unblock. Prints nothing as text.
  public var record: Record {
    Record([("changed", .flag(hasChanged)), ("revision", .identifier(revision))], lines: [])
  }
}

extension BlockResponse {
  /// The outcome of a block. Prints nothing as text.
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
  /// The record of everything that an account has muted or blocked; without lines if that is nothing.
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
      ], lines: lines)
  }
}

extension ListSummary {
  /// The record of a list, without its members.
  public var record: Record { Record(fields, lines: [words]) }

  /// The record of a list with its members.
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
  /// The record of a muted conversation, by its first post.
  fileprivate var record: Record {
    Record([("post_id", .identifier(postID)), ("author", .text(author.handle)), ("text", .text(text))], lines: [])
  }
}
