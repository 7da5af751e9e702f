public import Messages
public import ViewState

extension Record {
  /// An author.
  public static func author(_ author: RowAuthor) -> Record {
    Record(
      [
        ("id", .identifier(author.id)), ("handle", .text(author.handle)), ("name", .text(author.displayName)),
        ("avatar_url", .text(author.avatarURL)),
      ], lines: [name(of: author)])
  }

  /// Name and handle; a source that gave no name has the handle in its place, and once is enough.
  private static func name(of author: RowAuthor) -> [Piece] {
    let handle = Array("@".utf8) + author.handle
    guard author.displayName != author.handle else { return [Piece(handle, .author)] }
    return [Piece(author.displayName, .author), Piece(" "), Piece(handle, .faint)]
  }

  /// An author, and what this account has to do with them.
  public static func profile(_ profile: ProfileSummary) -> Record {
    var facts = [
      count(profile.posts, "post", "posts"), count(profile.followers, "follower", "followers"),
      "follows \(profile.following)",
    ]
    if profile.isMe { facts.append("this is you") }
    if profile.isFollowed { facts.append("you follow them") }
    if profile.followsMe { facts.append("follows you") }
    if profile.isMuted { facts.append("you muted them") }
    if profile.isBlocked { facts.append("you blocked them") }
    return Record(
      author(profile.author).fields + [
        ("posts", .number(profile.posts)), ("followers", .number(profile.followers)),
        ("following", .number(profile.following)),
        ("followed", .flag(profile.isFollowed)), ("follows_me", .flag(profile.followsMe)), ("me", .flag(profile.isMe)),
        ("muted", .flag(profile.isMuted)), ("blocked", .flag(profile.isBlocked)),
      ], lines: [name(of: profile.author), [Piece(facts.joined(separator: " · "), .faint)]])
  }

  /// Something is muted or blocked, or is no longer. People see that by what they see.
  public static func quiet(_ answer: QuietResponse) -> Record {
    Record(
      [
        ("changed", .flag(answer.hasChanged)), ("unfollowed", .flag(answer.hasUnfollowed)),
        ("revision", .identifier(answer.revision)),
      ],
      lines: [])
  }

  /// All that an account does not want to see.
  public static func muted(_ answer: GetMutedResponse) -> Record {
    let lines =
      answer.muted.map { [Piece("muted ", .faint)] + name(of: $0) }
      + answer.blocked.map { [Piece("blocked ", .faint)] + name(of: $0) }
      + answer.words.map { [Piece("word ", .faint), Piece($0)] }
    return Record(
      [
        ("muted", .records(answer.muted.map(author))), ("blocked", .records(answer.blocked.map(author))),
        ("words", .texts(answer.words)),
      ], lines: lines.isEmpty ? [[Piece("nothing is muted")]] : lines)
  }

  /// A list of an account, without who is in it.
  public static func list(_ list: ListSummary) -> Record {
    Record(fields(of: list), lines: [words(of: list)])
  }

  /// A list of an account, and who is in it.
  public static func listWithAuthors(_ list: ListSummary) -> Record {
    Record(
      fields(of: list) + [("authors", .records(list.authors.map(author)))],
      lines: [words(of: list)] + list.authors.map { [Piece("  ")] + name(of: $0) })
  }

  private static func fields(of list: ListSummary) -> [(key: StaticString, value: Value)] {
    [
      ("id", .identifier(list.listID)), ("name", .text(Array(list.name.utf8))),
      ("author_count", .number(list.authorCount)),
      ("post_count", .number(list.postCount)),
    ]
  }

  private static func words(of list: ListSummary) -> [Piece] {
    let facts = [
      String(list.listID), count(list.authorCount, "author", "authors"), count(list.postCount, "post", "posts"),
    ]
    return [Piece(list.name, .author), Piece(" · " + facts.joined(separator: " · "), .faint)]
  }

  /// "1 post", "1,200 posts".
  static func count(_ number: Int, _ one: String, _ many: String) -> String {
    "\(ImportProgress.grouped(UInt64(clamping: number))) \(number == 1 ? one : many)"
  }
}
