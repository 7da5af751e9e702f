import Messages
import Posts
import Store
import ViewState

/// The model of a store's writes.
extension ActionModel {
  /// The result of a write.
  enum WriteResult: Equatable {
    case composed(UInt64, isRepeated: Bool)
    case marked(hasChanged: Bool, repost: UInt64?)
    case readMarked(Int)
    case edited(hasChanged: Bool)
    case deleted
    case undone(UInt64, repost: UInt64?, undoable: Int, redoable: Int)
    case obstacle
    case nothing
    case missing
    case notOwn

    /// Converts a store's outcome; nil for outcomes that the modelled writes never have.
    init?(_ outcome: Outcome) {
      switch outcome {
      case .composed(let composed): self = .composed(UInt64(composed.post.id.rawValue), isRepeated: composed.isRepeated)
      case .marked(let marked):
        self = .marked(hasChanged: marked.hasChanged, repost: marked.repost.map { UInt64($0.post.id.rawValue) })
      case .readMarked(let changed): self = .readMarked(changed)
      case .edited(let edited): self = .edited(hasChanged: edited.former != nil)
      case .postDeleted: self = .deleted
      case .undone(let undone) where undone.obstacle != nil: self = .obstacle
      case .undone(let undone):
        self = .undone(
          undone.post.map { UInt64($0.rawValue) } ?? 0, repost: undone.repost.map { UInt64($0.post.id.rawValue) },
          undoable: undone.undoable, redoable: undone.redoable)
      case .refused(.nothingToUndo): self = .nothing
      case .refused(.noSuchPost): self = .missing
      case .refused(.notOwn), .refused(.notOwnText): self = .notOwn
      default: return nil
      }
    }

    fileprivate init(_ expected: Expected, _ done: WriteResult, _ unchanged: WriteResult) {
      self =
        switch expected {
        case .done: done
        case .unchanged: unchanged
        case .missing: .missing
        case .notOwn: .notOwn
        }
    }
  }

  /// Performs a write. `newID` returns the ID of the post that the write creates. Returns nil if an ID was needed and
  /// missing.
  mutating func perform(_ write: Write, newID: () -> UInt64?) -> WriteResult? {
    switch write {
    case .compose(let composition): return compose(composition, newID)
    case .mark(let marking):
      let account = Int(marking.account.rawValue)
      let post = UInt64(marking.post.rawValue)
      let kind = MarkKind.allCases.first { $0.flag.rawValue == marking.mark.rawValue }!
      let expected = mark(account, post, kind, isOn: marking.isOn, marking.requestID)
      guard expected == .done, kind == .repost, marking.isOn else {
        return WriteResult(expected, .marked(hasChanged: true, repost: nil), .marked(hasChanged: false, repost: nil))
      }
      guard let id = newID() else { return nil }
      repost(account, id, of: subject(of: post)!.id)
      return .marked(hasChanged: true, repost: id)
    case .markRead(let marking):
      let (expected, changed) = markRead(
        Int(marking.account.rawValue), marking.posts.map { UInt64($0.rawValue) }, marking.isRead ? .read : .unread,
        marking.requestID)
      return WriteResult(expected, .readMarked(changed), .readMarked(0))
    case .edit(let edition):
      let expected = edit(
        Int(edition.account.rawValue), UInt64(edition.post.rawValue), edition.text.string, edition.requestID)
      return WriteResult(expected, .edited(hasChanged: true), .edited(hasChanged: false))
    case .deletePost(let account, let post, let requestID):
      return WriteResult(delete(Int(account.rawValue), UInt64(post.rawValue), requestID), .deleted, .deleted)
    case .undo(let command): return undo(command, newID)
    default: return nil
    }
  }

  private mutating func undo(_ command: Undo, _ newID: () -> UInt64?) -> WriteResult? {
    let account = Int(command.account.rawValue)
    let outcome = undo(account, isRedo: command.isRedo, command.requestID)
    let counts = undoCounts(of: account)
    switch outcome {
    case .done(let post): return .undone(post, repost: nil, undoable: counts.undoable, redoable: counts.redoable)
    case .reposted(let post):
      guard let id = newID() else { return nil }
      repost(account, id, of: post)
      return .undone(post, repost: id, undoable: counts.undoable, redoable: counts.redoable)
    case .obstacle: return .obstacle
    case .nothing: return .nothing
    }
  }

  private mutating func compose(_ composition: Composition, _ newID: () -> UInt64?) -> WriteResult? {
    let account = Int(composition.account.rawValue)
    if let earlier = composed(account, composition.requestID) {
      return earlier.isThere ? .composed(earlier.id, isRepeated: true) : .missing
    }
    let parent = composition.inReplyTo.map { UInt64($0.rawValue) }
    if let parent, posts[parent] == nil { return .missing }
    guard let id = newID() else { return nil }
    compose(account, id, composition.body.text.string, replyingTo: parent, composition.requestID)
    return .composed(id, isRepeated: false)
  }

  /// Performs a write of unknown outcome with the IDs found in a store. Returns false if the store cannot have
  /// performed it.
  mutating func redo(_ write: Write, _ contents: StoreContents) -> Bool {
    let before = self
    let result = perform(write) {
      switch write {
      case .compose(let composition):
        return contents.request(Int(composition.account.rawValue), composition.requestID).flatMap {
          $0 > 0 ? UInt64($0) : nil
        }
      case .mark(let marking):
        return before.subject(of: UInt64(marking.post.rawValue)).flatMap {
          contents.repost(Int(marking.account.rawValue), of: $0.id, notAmong: before.knownIDs)
        }
      case .undo(let undo): return contents.repost(Int(undo.account.rawValue), of: nil, notAmong: before.knownIDs)
      default: return nil
      }
    }
    return result != nil
  }

  /// Returns the differences between a store and the model: local posts, these accounts' marks, and their undo counts.
  func flaws(in contents: StoreContents, of accounts: [Int]) -> [String] {
    var flaws: [String] = []
    for id in ids {
      guard let found = contents.posts[id] else {
        flaws.append("post \(id) is missing")
        continue
      }
      if let flaw = flaw(in: found, posts[id]!, accounts) { flaws.append("post \(id) \(flaw)") }
    }
    for id in contents.posts.keys.sorted() where posts[id] == nil && contents.posts[id]!.isLocal {
      flaws.append("post \(id) exists but should not")
    }
    for account in accounts {
      let counts = undoCounts(of: account)
      let found = (undoable: contents.undoable[account] ?? 0, redoable: contents.redoable[account] ?? 0)
      if counts != found { flaws.append("account \(account) has \(found), expected \(counts)") }
    }
    return flaws
  }

  private func flaw(in found: StoreContents.Post, _ post: Post, _ accounts: [Int]) -> String? {
    if found.original != post.original { return "reposts \(found.original ?? 0), expected \(post.original ?? 0)" }
    if post.original != nil { return found.owner == post.author ? nil : "does not belong to account \(post.author)" }
    if found.text != post.text { return "has the text \(found.text.prefix(30)), expected \(post.text.prefix(30))" }
    let parent = post.parent.flatMap { posts[$0] == nil ? nil : $0 }
    if found.parent != parent { return "replies to \(found.parent ?? 0), expected \(parent ?? 0)" }
    for account in accounts {
      var expected: Mark = []
      for kind in post.marks[account] ?? [] { expected.insert(Mark(rawValue: kind.flag.rawValue)) }
      expected.reading = ReadMark(rawValue: (post.readings[account] ?? .none).rawValue)!
      if found.mark(of: account) != expected {
        return "has \(found.mark(of: account)) of account \(account), expected \(expected)"
      }
    }
    let counts = found.marks.counts(beside: Counts())
    let expected = Counts(
      replies: replies(of: post.id), reposts: count(.repost, of: post.id), favourites: count(.favourite, of: post.id))
    return counts == expected ? nil : "counts \(counts), expected \(expected)"
  }
}
