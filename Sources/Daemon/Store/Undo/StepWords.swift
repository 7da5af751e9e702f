internal import Posts
internal import Search

/// Says what accounts did.
struct StepWords {
  private let connection: Connection

  init(_ connection: Connection) { self.connection = connection }

  /// What somebody did, in words that go on after "undone:".
  func words(_ change: Step) throws(StoreError) -> String {
    switch change {
    case .mark(let post, let mark, let isOn): mark.deed(isOn, "post \(post.rawValue)")
    case .post(let post, let isThere, _): "\(isThere ? "writing" : "deleting") post \(post.rawValue)"
    case .text(let post, _, _): "editing post \(post.rawValue)"
    case .follow(let author, let isOn): "\(isOn ? "following" : "unfollowing") \(try handle(of: author))"
    case .quiet(.word(let word), let isOn): "\(isOn ? "muting" : "no longer muting") \(word.spelling.shortened)"
    case .quiet(.muted(let author), let isOn): "\(isOn ? "muting" : "no longer muting") \(try handle(of: author))"
    case .quiet(.blocked(let author), let isOn): "\(isOn ? "blocking" : "no longer blocking") \(try handle(of: author))"
    case .list(_, let name, _, let isThere): "\(isThere ? "making" : "deleting") the list \(name.string.shortened)"
    case .listName(_, let before, let after):
      "renaming the list \(before.string.shortened) to \(after.string.shortened)"
    case .listAuthor(let list, let author, let isIn):
      "\(isIn ? "putting \(try handle(of: author)) into" : "taking \(try handle(of: author)) out of") \(try name(of: list))"
    case .reading(let changes):
      "marking \(changes.count == 1 ? "post \(changes[0].post.rawValue)" : "\(changes.count) posts") \(changes[0].after.word)"
    }
  }

  private func handle(of author: AuthorID) throws(StoreError) -> String {
    let known = try AuthorReader(connection).author(author)
    return known.map { "@\($0.handle.string)".shortened } ?? "author \(author.rawValue)"
  }

  private func name(of list: ListID) throws(StoreError) -> String {
    try ListReader(connection).madeListName(list).map { "the list \($0.shortened)" } ?? "a list"
  }
}

extension ReadMark {
  /// What a post is that is marked so.
  fileprivate var word: String {
    switch self {
    case .none: "as it was"
    case .read: "as read"
    case .unread: "as unread"
    }
  }
}
