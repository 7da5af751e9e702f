internal import Engine
internal import Posts
internal import Store

extension CommittedPosts {
  /// Returns one value per transaction of the writes, in order. A transaction's changes beside its outcomes come last
  /// in it: they hold the posts' final state.
  static func all(of outcomes: [WriteOutcome]) -> [CommittedPosts] {
    var all: [CommittedPosts] = []
    var seen: Set<PostID> = []
    var rest: [WriteOutcome] = []
    func close() {
      for outcome in rest {
        all[all.count - 1].changes.merge(outcome.changes)
        all[all.count - 1].authors += outcome.changedAuthors
      }
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

  /// Adds the changes of one write of the transaction. A post that an earlier write of it created and this one changed
  /// counts as new once and then as changed.
  private mutating func add(_ outcome: Outcome, firstNewPost: PostID, _ seen: inout Set<PostID>) {
    switch outcome {
    case .imported(let report): add(report, firstNewPost: firstNewPost, &seen)
    case .batchesTaken(let batches): for batch in batches { add(batch.report, firstNewPost: firstNewPost, &seen) }
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
    case .feedStored(let listed):
      authors.append(listed.author)
      profilesChanged = true
    case .profileSet(_, let author):
      authors.append(author)
      profilesChanged = true
    case .followed, .unfollowed, .followerChanged, .identityClaimed, .loginOpened, .accountOpened, .muted:
      profilesChanged = true
    default: break
    }
  }

  private mutating func add(_ report: ImportReport, firstNewPost: PostID, _ seen: inout Set<PostID>) {
    for post in report.entries {
      if post.id >= firstNewPost, seen.insert(post.id).inserted {
        new.append(post)
      } else {
        changes.changed.append(post)
      }
    }
    changes.originals += report.originals
    authors += report.authors
  }

  private mutating func add(_ repost: ComposedPost?) {
    guard let repost else { return }
    authors.append(repost.author)
    new.append(repost.post)
  }
}
