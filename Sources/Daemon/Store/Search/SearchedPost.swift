internal import Dates
internal import Posts
internal import Search

/// A post as it is, or was, in the search index.
struct SearchedPost {
  var createdAt: Instant
  var author: AuthorID
  var audience: Audience
  var body: PackedBody
  var owner: AccountID
  var marks = PostMarks.none

  /// Returns all indexed tokens, separated by spaces: audience, author, words and facets.
  ///
  /// The index is partitioned by audience: every token of a post that is not for everyone has a prefix, `5:` for
  /// account 5 alone, `c:` for audience groups. So a search never meets another account's private posts and pays
  /// nothing for them. `=` is in every post, `=7` in those for audience group 7, `~12` in those of author 12.
  func document(_ text: inout SearchText) -> [UInt8] { document(&text, withMarks: true) }

  /// Returns the tokens as stores of versions before 18 have them: without those of marks.
  func documentWithoutMarks(_ text: inout SearchText) -> [UInt8] { document(&text, withMarks: false) }

  private func document(_ text: inout SearchText, withMarks: Bool) -> [UInt8] {
    let body = body.unpacked() ?? PostBody(text: .empty)
    text.read(body)
    if withMarks { text.add(marks: marks, owner: owner, imported: body.flags) }
    let part = SearchPart(audience)
    let prefix = Array(part.prefix.utf8)
    var document = Array("\(part.prefix)= \(part.prefix)~\(author.rawValue)".utf8)
    if case .group(let group) = audience { document += Array(" \(part.prefix)=\(group.rawValue)".utf8) }
    document.reserveCapacity(document.count + text.bytes.count + text.count * (1 + prefix.count))
    for token in 0..<text.count {
      document.append(UInt8(ascii: " "))
      document += prefix
      document += text.bytes[text.range(token)]
    }
    return document
  }
}

/// A partition of the index: the posts of one kind of audience.
enum SearchPart {
  case everyone
  case only(AccountID)
  case groups

  init(_ audience: Audience) {
    self =
      switch audience {
      case .everyone, .nobody: .everyone
      case .only(let account): .only(account)
      case .group: .groups
      }
  }

  /// The prefix of all its tokens.
  var prefix: String {
    switch self {
    case .everyone: ""
    case .only(let account): "\(account.rawValue):"
    case .groups: "c:"
    }
  }
}

extension SearchedPost {
  /// Reads instant, author, audience, body, owner and marks from the first six columns.
  init(row: Statement) {
    self.init(
      createdAt: Instant(milliseconds: row.integer(0)), author: AuthorID(row.integer(1)),
      audience: Audience(number: row.integer(2)),
      body: PackedBody(trusted: row.bytes(3)), owner: AccountID(row.integer(4)),
      marks: PostMarks(trusted: row.bytes(5)))
  }

  /// The indexed part of a row with marks; nil for a repost, and for a post that nobody may see.
  init?(_ row: PostRow, marks: PostMarks = .none) {
    guard row.original == nil, row.audience != .nobody else { return nil }
    self.init(
      createdAt: row.createdAt, author: row.author, audience: row.audience, body: row.body, owner: row.owner,
      marks: marks)
  }
}
