internal import Dates
internal import Posts
internal import Search

/// A post as the index of words has it, or had it.
struct SearchedPost {
  var createdAt: Instant
  var author: AuthorID
  var audience: Audience
  var body: PackedBody

  /// All that is indexed of it, with a space between tokens: who may see it, who wrote it, its words and facets.
  ///
  /// The index is as many as there are audiences: every token of a post that is not for everyone begins with whom it is
  /// for, `5:` for account 5 alone, `c:` for circles. So a search never meets what is private to somebody else, and
  /// costs nothing for it. `=` is in every post, `=7` in those for circle 7, `~12` in those of author 12.
  func document(_ text: inout SearchText) -> [UInt8] {
    text.read(body.unpacked() ?? PostBody(text: .empty))
    let part = SearchPart(audience)
    let prefix = Array(part.prefix.utf8)
    var document = Array("\(part.prefix)= \(part.prefix)~\(author.rawValue)".utf8)
    if case .circle(let circle) = audience { document += Array(" \(part.prefix)=\(circle.rawValue)".utf8) }
    document.reserveCapacity(document.count + text.bytes.count + text.count * (1 + prefix.count))
    for token in 0..<text.count {
      document.append(UInt8(ascii: " "))
      document += prefix
      document += text.bytes[text.range(token)]
    }
    return document
  }
}

/// A part of the index: the posts of one kind of audience.
enum SearchPart {
  case everyone
  case only(AccountID)
  case circles

  init(_ audience: Audience) {
    self =
      switch audience {
      case .everyone, .nobody: .everyone
      case .only(let account): .only(account)
      case .circle: .circles
      }
  }

  /// What all its tokens begin with.
  var prefix: String {
    switch self {
    case .everyone: ""
    case .only(let account): "\(account.rawValue):"
    case .circles: "c:"
    }
  }
}

extension SearchedPost {
  /// Reads instant, author, audience and body from the first four columns.
  init(row: Statement) {
    self.init(
      createdAt: Instant(milliseconds: row.integer(0)), author: AuthorID(row.integer(1)),
      audience: Audience(number: row.integer(2)),
      body: PackedBody(trusted: row.bytes(3)))
  }

  /// What is indexed of a row: nothing of a repost, and of what nobody may see.
  init?(_ row: PostRow) {
    guard row.original == nil, row.audience != .nobody else { return nil }
    self.init(createdAt: row.createdAt, author: row.author, audience: row.audience, body: row.body)
  }
}
