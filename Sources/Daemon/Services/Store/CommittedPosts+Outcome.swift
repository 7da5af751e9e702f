internal import Engine
internal import Posts
internal import Store

extension CommittedPosts {
  /// What the transactions of some writes did, in their order. What a transaction did beside its outcomes comes last in
  /// it: posts are in that as they were in the end.
  static func all(of outcomes: [WriteOutcome]) -> [CommittedPosts] {
    var all: [CommittedPosts] = []
    var seen: Set<PostID> = []
    var rest: [WriteOutcome] = []
    func close() {
      for outcome in rest { all[all.count - 1].add(outcome.changes, outcome.changedAuthors) }
      rest = []
    }
    for outcome in outcomes {
      guard case .success(let done) = outcome.result else { continue }
      if all.last?.revision != outcome.revision {
        close()
        all.append(CommittedPosts(revision: outcome.revision))
        seen = []
      }
      all[all.count - 1].add(done, firstNewPost: outcome.firstNewPost, &seen)
      rest.append(outcome)
    }
    close()
    return all
  }

  /// Adds what one write of the transaction changed. A post that an earlier write of it made, and this one changed, is
  /// new once and then changed.
  private mutating func add(_ outcome: Outcome, firstNewPost: PostID, _ seen: inout Set<PostID>) {
    switch outcome {
    case .imported(let report):
      for post in report.entries {
        if post.id >= firstNewPost, seen.insert(post.id).inserted { new.append(post) } else { changed.append(post) }
      }
      originals += report.originals
      authors += report.authors
    case .composed(let composed):
      authors.append(composed.author)
      if !composed.isRepeated { new.append(composed.post) }
    case .marked(let marked):
      add(marked.repost)
    case .undone(let undone):
      add(undone.repost)
      profilesChanged = true
    case .settled(let reposts): for repost in reposts { add(repost) }
    case .authorNamed(let author): authors.append(author)
    case .followed, .unfollowed, .identityClaimed, .accountOpened, .quieted: profilesChanged = true
    default: break
    }
  }

  private mutating func add(_ repost: ComposedPost?) {
    guard let repost else { return }
    authors.append(repost.author)
    new.append(repost.post)
  }

  /// Adds what the transaction did to lists, circles and posts that none of its outcomes names.
  private mutating func add(_ changes: Changes, _ changedAuthors: [Author]) {
    changed += changes.changed
    originals += changes.originals
    joined.merge(changes.joined) { $1 }
    withdrew.merge(changes.withdrew) { $1 }
    authors += changedAuthors
    removed += changes.removed
    members.merge(changes.members) { $1 }
    gaps.merge(changes.gaps) { $1 }
    listsChanged.formUnion(changes.listsChanged)
    quiet.merge(changes.quiet) { $1 }
    for (list, posts) in changes.entered {
      for key in keys(of: list) { entered[key, default: []] += posts }
    }
    for (list, keys) in changes.left {
      for key in self.keys(of: list) { left[key, default: []] += keys }
    }
    for list in changes.reloaded { reloaded += keys(of: list) }
  }

  /// A list by what the engine calls it: one that is the same for several accounts is one for each of them there.
  private func keys(of list: ListName) -> [ListKey] {
    switch list {
    case .home(let account): [.home(account)]
    case .mentions(let account): [.mentions(account)]
    case .messages(let account): [.messages(account)]
    case .made(let account, let list): [.made(account, list)]
    case .direct(let circle):
      members[circle, default: []].sorted { $0.rawValue < $1.rawValue }.map { .direct($0, circle) }
    }
  }
}
