import Dates
import Posts
import TestSupport
import Testing

@testable import Store

@Suite("A store agrees with a model in plain arrays")
struct ModelTests {
  @Test(
    "every list, count and profile of every account, after random changes",
    arguments: seeds(1...4 as ClosedRange<UInt64>))
  func model(seed: UInt64) throws {
    var world = try ModelWorld(seed: seed)
    for round in 0..<240 {
      try world.step()
      if round % 8 == 0 { try check(&world) }
    }
    try check(&world)
    #expect(try world.store.integrity() == [])
    let path = world.folder.file("copy.db")
    try world.store.backup(to: path)
    #expect(try PostStore(path: path, epoch: 8).integrity() == [])
  }

  @Test(
    "undo restores the state before a change, redo the state after it", arguments: seeds(1...8 as ClosedRange<UInt64>))
  func undo(seed: UInt64) throws {
    var world = try ModelWorld(seed: seed)
    world.blocksAuthors = false
    for _ in 0..<120 { try world.step() }
    let actor = world.account()
    world.actor = actor
    // Earlier changes do not count.
    try world.store.database.execute("DELETE FROM undo_entries; DELETE FROM deleted_posts")
    var models = [world.model]
    var place = 0
    for round in 0..<200 {
      switch Int.random(in: 0..<10, using: &world.random) {
      case 0..<4:
        let last = try world.store.database.integer(
          "SELECT coalesce(max(id), 0) FROM undo_entries WHERE account_id = \(actor.rawValue)")
        try world.act()
        guard
          try world.store.database.integer("SELECT max(id) FROM undo_entries WHERE account_id = \(actor.rawValue)")
            > last
        else { continue }
        models = models[...place] + [world.model]
        place += 1
      case 4..<8:
        let outcome = try world.commit(.undo(Undo(account: actor, at: Instant(seconds: 9_999))))
        guard place > 0 else {
          #expect(outcome == .refused(.nothingToUndo(isRedo: false)))
          continue
        }
        place -= 1
        expect(outcome, undoable: place, redoable: models.count - 1 - place)
      default:
        let outcome = try world.commit(.undo(Undo(account: actor, isRedo: true, at: Instant(seconds: 9_999))))
        guard place < models.count - 1 else {
          #expect(outcome == .refused(.nothingToUndo(isRedo: true)))
          continue
        }
        place += 1
        expect(outcome, undoable: place, redoable: models.count - 1 - place)
      }
      world.model = models[place]
      if round % 4 == 0 { try check(&world) }
    }
    try check(&world)
    #expect(try world.store.integrity() == [])
  }

  private func expect(_ outcome: Outcome, undoable: Int, redoable: Int) {
    guard case .undone(let undone) = outcome else { return #expect(Bool(false), "\(outcome)") }
    #expect(undone.obstacle == nil, "\(undone.what)")
    #expect(undone.undoable == undoable && undone.redoable == redoable && undone.repost == nil && !undone.what.isEmpty)
  }

  private func check(_ world: inout ModelWorld) throws {
    let model = world.model
    for account in model.accounts {
      try check(.home(account), for: account, is: model.home(account), &world)
      try check(.mentions(account), for: account, is: model.mentions(account), &world)
      try check(.messages(account), for: account, is: model.messages(account), &world)
      for (people, keys) in model.conversations(of: account) {
        guard case .group(let group) = try world.store.post(keys[0].id, visibleTo: account)?.audience else {
          Issue.record("\(people) have a group")
          continue
        }
        try check(.direct(group), for: account, is: keys, &world)
        #expect(try Set(world.store.people(of: group, for: account)?.map(\.id) ?? []) == people)
      }
      let lists = model.lists.filter { $0.account == account }
      for list in lists {
        try check(.made(account, list.id), for: account, is: model.made(list), &world)
        #expect(try Set(world.store.authors(in: list.id, of: account)?.map(\.id) ?? []) == list.authors)
      }
      let reported = try world.store.madeLists(of: account)
      #expect(
        reported.map(\.name.string) == lists.map(\.name) && reported.map(\.authorCount) == lists.map(\.authors.count))
      #expect(reported.map(\.postCount) == lists.map { model.made($0).count })
      for section in SeenSection.allCases {
        #expect(try world.store.unseen(section, of: account) == model.unseen(section, account))
      }
      #expect(try Set(world.store.followed(by: account).map(\.id)) == model.follows[account])
      try checkProfile(of: world.author(), for: account, &world)
      try checkProfile(of: model.ownAuthors[account]!, for: account, &world)
    }
    for post in model.posts.values {
      let stored = try #require(try world.store.post(post.id))
      let subject = model.posts[post.original ?? post.id]!
      for account in model.accounts {
        let mark = stored.marks.mark(of: account, owner: subject.owner, imported: stored.body.flags)
        #expect(mark == subject.marks[account] ?? [], "\(post.id) \(account)")
      }
      let counts = stored.marks.counts(beside: Counts())
      #expect(counts.favourites == subject.marks.values.count { $0.contains(.favourited) })
      #expect(counts.reposts == subject.marks.values.count { $0.contains(.reposted) })
    }
    for (list, keys) in world.mirror.lists {
      guard case .made(let account, let id) = list, !model.lists.contains(where: { $0.id == id }) else { continue }
      #expect(keys.isEmpty, "deleted")
      #expect(try world.store.page(of: list, for: account, limit: 1) == nil)
    }
  }

  private func check(
    _ list: ListName, for account: AccountID, is expected: [OrderKey], _ world: inout ModelWorld
  ) throws {
    let limit = Int.random(in: 1...20, using: &world.random)
    let found = try keys(limit) { try world.store.page(of: list, for: account, before: $0, limit: limit) }
    #expect(found == expected, "\(list)")
    #expect(try world.store.count(of: list, for: account) == expected.count, "\(list)")
    #expect(world.mirror.lists[list, default: []] == Set(expected), "according to the commits: \(list)")
  }

  private func checkProfile(of author: AuthorID, for account: AccountID, _ world: inout ModelWorld) throws {
    let model = world.model
    let expected = model.profile(author, for: account)
    let limit = Int.random(in: 1...20, using: &world.random)
    let found = try keys(limit) { try world.store.page(by: author, for: account, before: $0, limit: limit) }
    #expect(found == expected)
    let profile = try #require(try world.store.profile(of: author, for: account))
    #expect(profile.posts == expected.count && profile.author.id == author)
    #expect(profile.followers == model.follows.values.count { $0.contains(author) })
    #expect(profile.isFollowed == model.follows[account]!.contains(author))
    #expect(profile.isMe == model.identities[account]!.contains(author))
    let writer = model.accounts.first { model.ownAuthors[$0] == author }
    #expect(profile.account?.id == writer)
    #expect(profile.following == writer.map { model.follows[$0]!.count } ?? 0)
    #expect(profile.followsMe == writer.map { model.follows[$0]!.contains(model.ownAuthors[account]!) } ?? false)
    #expect(
      try Set(world.store.followers(of: author).map(\.id))
        == Set(model.accounts.filter { model.follows[$0]!.contains(author) }))
  }

  /// Returns a whole list, read page by page.
  private func keys(_ limit: Int, _ read: (OrderKey?) throws -> PostPage?) throws -> [OrderKey] {
    var keys: [OrderKey] = []
    while true {
      let page = try #require(try read(keys.last))
      keys += page.posts.map(\.orderKey)
      #expect(page.posts.count == limit || page.isLast)
      if page.isLast { return keys }
    }
  }
}
