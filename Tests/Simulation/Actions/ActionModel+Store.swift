import Messages
import Posts
import Store
import ViewState

/// The model before a store instead of a service: what writes do.
extension ActionModel {
  /// What came of a write.
  enum Told: Equatable {
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

    /// What a store says; nil for what no write here is answered with.
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

    fileprivate init(_ expected: Expected, _ done: Told, _ unchanged: Told) {
      self =
        switch expected {
        case .done: done
        case .unchanged: unchanged
        case .missing: .missing
        case .notOwn: .notOwn
        }
    }
  }

  /// Does what a write does. `newID` says the number of the post that it makes, if it does; nil where that was needed,
  /// and there is none.
  mutating func perform(_ write: Write, newID: () -> UInt64?) -> Told? {
    switch write {
    case .compose(let composition): return compose(composition, newID)
    case .mark(let marking):
      let account = Int(marking.account.rawValue)
      let post = UInt64(marking.post.rawValue)
      let kind = MarkKind.allCases.first { $0.flag.rawValue == marking.mark.rawValue }!
      let expected = mark(account, post, kind, isOn: marking.isOn, marking.requestID)
      guard expected == .done, kind == .repost, marking.isOn else {
        return Told(expected, .marked(hasChanged: true, repost: nil), .marked(hasChanged: false, repost: nil))
      }
      guard let id = newID() else { return nil }
      repost(account, id, of: subject(of: post)!.id)
      return .marked(hasChanged: true, repost: id)
    case .markRead(let marking):
      let (expected, changed) = markRead(
        Int(marking.account.rawValue), marking.posts.map { UInt64($0.rawValue) }, marking.isRead ? .read : .unread,
        marking.requestID)
      return Told(expected, .readMarked(changed), .readMarked(0))
    case .edit(let edition):
      let expected = edit(
        Int(edition.account.rawValue), UInt64(edition.post.rawValue), edition.text.string, edition.requestID)
      return Told(expected, .edited(hasChanged: true), .edited(hasChanged: false))
    case .deletePost(let account, let post, let requestID):
      return Told(delete(Int(account.rawValue), UInt64(post.rawValue), requestID), .deleted, .deleted)
    case .undo(let command): return undo(command, newID)
    default: return nil
    }
  }

  private mutating func undo(_ command: Undo, _ newID: () -> UInt64?) -> Told? {
    let account = Int(command.account.rawValue)
    let undoing = undo(account, isRedo: command.isRedo, command.requestID)
    let journal = journal(of: account)
    switch undoing {
    case .done(let post): return .undone(post, repost: nil, undoable: journal.undoable, redoable: journal.redoable)
    case .reposted(let post):
      guard let id = newID() else { return nil }
      repost(account, id, of: post)
      return .undone(post, repost: id, undoable: journal.undoable, redoable: journal.redoable)
    case .obstacle: return .obstacle
    case .nothing: return .nothing
    }
  }

  private mutating func compose(_ composition: Composition, _ newID: () -> UInt64?) -> Told? {
    let account = Int(composition.account.rawValue)
    if let earlier = composed(account, composition.requestID) {
      return earlier.isThere ? .composed(earlier.id, isRepeated: true) : .missing
    }
    let parent = composition.inReplyTo.map { UInt64($0.rawValue) }
    if let parent, posts[parent] == nil { return .missing }
    guard let id = newID() else { return nil }
    compose(account, id, composition.body.text.string, answering: parent, composition.requestID)
    return .composed(id, isRepeated: false)
  }

  /// Does a write of which nobody was told what came of it, as a store has it. False where the store cannot have done
  /// it.
  mutating func redo(_ write: Write, _ look: StoreLook) -> Bool {
    let before = self
    let told = perform(write) {
      switch write {
      case .compose(let composition):
        return look.request(Int(composition.account.rawValue), composition.requestID).flatMap {
          $0 > 0 ? UInt64($0) : nil
        }
      case .mark(let marking):
        return before.subject(of: UInt64(marking.post.rawValue)).flatMap {
          look.repost(Int(marking.account.rawValue), of: $0.id, notAmong: before.met)
        }
      case .undo(let undo): return look.repost(Int(undo.account.rawValue), of: nil, notAmong: before.met)
      default: return nil
      }
    }
    return told != nil
  }

  /// What a store has otherwise of the posts that were written here, of what these accounts have done to them, and of
  /// their journals.
  func flaws(in look: StoreLook, of accounts: [Int]) -> [String] {
    var flaws: [String] = []
    for id in ids {
      guard let found = look.posts[id] else {
        flaws.append("post \(id) is not there")
        continue
      }
      if let flaw = flaw(in: found, posts[id]!, accounts) { flaws.append("post \(id) \(flaw)") }
    }
    for id in look.posts.keys.sorted() where posts[id] == nil && look.posts[id]!.isLocal {
      flaws.append("post \(id) is there, and should not be")
    }
    for account in accounts {
      let journal = journal(of: account)
      let found = (undoable: look.undoable[account] ?? 0, redoable: look.redoable[account] ?? 0)
      if journal != found { flaws.append("account \(account) has \(found), and should have \(journal)") }
    }
    return flaws
  }

  private func flaw(in found: StoreLook.Post, _ post: Post, _ accounts: [Int]) -> String? {
    if found.original != post.original { return "reposts \(found.original ?? 0), and should \(post.original ?? 0)" }
    if post.original != nil { return found.owner == post.author ? nil : "is not of account \(post.author)" }
    if found.text != post.text { return "says \(found.text.prefix(30)), and should \(post.text.prefix(30))" }
    let parent = post.parent.flatMap { posts[$0] == nil ? nil : $0 }
    if found.parent != parent { return "answers \(found.parent ?? 0), and should \(parent ?? 0)" }
    for account in accounts {
      var expected: Mark = []
      for kind in post.marks[account] ?? [] { expected.insert(Mark(rawValue: kind.flag.rawValue)) }
      expected.reading = ReadMark(rawValue: (post.readings[account] ?? .none).rawValue)!
      if found.mark(of: account) != expected {
        return "has \(found.mark(of: account)) of account \(account), and should have \(expected)"
      }
    }
    let counts = found.marks.counts(beside: Counts())
    let expected = Counts(
      replies: answers(of: post.id), reposts: count(.repost, of: post.id), favourites: count(.favourite, of: post.id))
    return counts == expected ? nil : "counts \(counts), and should \(expected)"
  }
}
