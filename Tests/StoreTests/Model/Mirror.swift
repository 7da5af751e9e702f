import Posts
import Testing

@testable import Store

/// Lists in memory that follow a store by its commits, as in the engine.
struct Mirror {
  private(set) var lists: [ListName: Set<OrderKey>] = [:]
  private var readers: [ListName: AccountID] = [:]

  /// Follows an account's own lists from now on.
  mutating func watch(_ account: AccountID, _ store: PostStore) {
    for list in [ListName.home(account), .mentions(account), .messages(account)] { watch(list, account, store) }
  }

  /// Follows a list from now on.
  mutating func watch(_ list: ListName, _ account: AccountID, _ store: PostStore) {
    readers[list] = account
    read(list, store)
  }

  private mutating func read(_ list: ListName, _ store: PostStore) {
    guard let reader = readers[list] else { return }
    lists[list] = Set((try? store.page(of: list, for: reader, limit: .max)?.posts.map(\.orderKey)) ?? [])
  }

  /// Applies a commit.
  mutating func apply(_ commit: Commit, _ store: PostStore) {
    var posts = commit.changes.changed
    for outcome in commit.outcomes {
      switch outcome {
      case .imported(let report): posts += report.entries + report.originals
      case .composed(let composed): posts.append(composed.post)
      case .marked(let marked): if let repost = marked.repost { posts.append(repost.post) }
      case .undone(let undone): if let repost = undone.repost { posts.append(repost.post) }
      default: break
      }
    }
    var reported: [PostID: OrderKey] = [:]
    for post in posts {
      reported[post.id] = post.orderKey
      #expect(post == (try? store.post(post.id)), "as it is now")
      if case .group(let group) = post.audience {
        #expect(commit.changes.groups.members[group] != nil, "with its members")
      }
    }
    for (list, left) in commit.changes.left {
      for key in left {
        let wasThere = lists[list, default: []].remove(key) != nil
        #expect(wasThere, "\(key) left \(list)")
      }
    }
    for (list, entered) in commit.changes.entered {
      #expect(!commit.changes.reloaded.contains(list))
      for id in entered {
        let isNew = reported[id].map { lists[list, default: []].insert($0).inserted }
        #expect(isNew == true, "\(id) entered \(list) once, and is reported")
      }
    }
    for key in commit.changes.removed {
      for (list, posts) in lists { #expect(!posts.contains(key) || commit.changes.reloaded.contains(list)) }
    }
    for list in commit.changes.reloaded { read(list, store) }
    for (group, members) in commit.changes.groups.members {
      #expect((try? store.members(of: [group])) == [group: members])
    }
  }
}
