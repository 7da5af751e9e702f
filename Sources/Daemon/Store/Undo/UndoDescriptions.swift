internal import Posts
internal import Search

/// Describes undo entries.
struct UndoDescriptions {
  private let connection: Connection

  init(_ connection: Connection) { self.connection = connection }

  /// Returns a description to follow "Undone:".
  func description(of change: UndoEntry) throws(StoreError) -> String {
    switch change {
    case .mark(let post, let mark, let isOn): mark.undoDescription(isOn, "post \(post.rawValue)")
    case .post(let post, let isThere, _): "\(isThere ? "writing" : "deleting") post \(post.rawValue)"
    case .text(let post, _, _): "editing post \(post.rawValue)"
    case .follow(let author, let isOn): "\(isOn ? "following" : "unfollowing") \(try handle(of: author))"
    case .mute(.word(let word), let isOn): "\(isOn ? "muting" : "unmuting") \(word.spelling.shortened)"
    case .mute(.muted(let author), let isOn): "\(isOn ? "muting" : "unmuting") \(try handle(of: author))"
    case .mute(.blocked(let author), let isOn): "\(isOn ? "blocking" : "unblocking") \(try handle(of: author))"
    case .list(_, let name, _, let isThere): "\(isThere ? "creating" : "deleting") the list \(name.string.shortened)"
    case .listName(_, let before, let after):
      "renaming the list \(before.string.shortened) to \(after.string.shortened)"
    case .listAuthor(let list, let author, let isIn):
      "\(isIn ? "adding \(try handle(of: author)) to" : "removing \(try handle(of: author)) from") \(try name(of: list))"
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
  /// Describes the mark that was set.
  fileprivate var word: String {
    switch self {
    case .none: "as it was"
    case .read: "as read"
    case .unread: "as unread"
    }
  }
}
