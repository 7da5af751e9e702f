import Dates
import Posts
import Search
import TestSupport
import Testing

@testable import Store

@Suite("Changes are undone one by one and redone")
struct UndoTests {
  @discardableResult
  private func undo(_ fixture: Fixture, _ request: String = "", redo: Bool = false, as account: AccountID? = nil) throws
    -> Outcome
  {
    try fixture.store.commit([
      .undo(Undo(account: account ?? fixture.ann, isRedo: redo, at: Instant(seconds: 99), requestID: request))
    ]).outcomes[0]
  }

  private func undone(_ outcome: Outcome) throws -> Undone {
    guard case .undone(let undone) = outcome else { throw Unexpected(outcome) }
    return undone
  }

  @Test("a deleted post is restored with ID, names, marks, reposts, replies and importers") func deleted()
    throws
  {
    let fixture = try Fixture()
    try fixture.load([tweet("0", by: "1")])
    _ = try fixture.store.commit([.claimIdentity(fixture.ann, source: "twitter", authorNativeID: "1")])
    try fixture.load([
      tweet("1", "mine", at: 1, by: "1", aliases: ["a"], native: "{}"),
      tweet("r", "reply", at: 2, by: "2", answers: "a"),
    ])
    try fixture.load(
      [
        tweet("1", "mine", at: 1, by: "1", aliases: ["a"]),
        tweet("x", at: 3, by: "3", of: tweet("1", "mine", at: 1, by: "1")),
      ], as: fixture.bob)
    let id = try #require(try fixture.store.resolve(reference: "twitter:1", visibleTo: fixture.ann))
    _ = try fixture.store.commit([
      .mark(Marking(account: fixture.bob, post: id, mark: .favourited, isOn: true, at: Instant(seconds: 5)))
    ])
    func everything() throws -> [String] {
      let rows = try fixture.store.database.prepare(
        """
        SELECT quote(id) || quote(native_id) || quote(scope) || quote(owner_id) || quote(author_id) || quote(created_at) || quote(audience)
          || quote(is_entry) || quote(repost_of) || quote(reply_to) || quote(reply_key) || quote(body) || quote(marks) FROM posts
        UNION ALL SELECT quote(alias) || quote(post_id) FROM aliases UNION ALL SELECT quote(post_id) || quote(json) FROM natives
        UNION ALL SELECT quote(list_id) || quote(post_id) || quote(reason) FROM entries
        UNION ALL SELECT quote(list_id) || quote(entries) FROM tallies ORDER BY 1
        """)
      var lines: [String] = []
      while try rows.step() { lines.append(rows.text(0)) }
      return lines
    }
    let before = try everything()
    _ = try fixture.store.commit([.deletePost(fixture.ann, id, requestID: "")])
    #expect(try everything() != before)
    let commit = try fixture.store.commit([.undo(Undo(account: fixture.ann, at: Instant(seconds: 99)))])
    #expect(try undone(commit.outcomes[0]).what == "deleting post \(id.rawValue)")
    #expect(try everything() == before)
    #expect(commit.changes.changed.map(\.text).contains("reply") && commit.changes.changed.map(\.id).contains(id))
    #expect(try fixture.store.integrity() == [])
    try undo(fixture, redo: true)
    #expect(try fixture.store.post(id) == nil)
    try undo(fixture)
    #expect(try everything() == before)
  }

  @Test("deleting and restoring a post in one transaction reports no removal") func together() throws {
    let fixture = try Fixture()
    let post = try fixture.write("hello")
    let commit = try fixture.store.commit([
      .deletePost(fixture.ann, post.id, requestID: ""), .undo(Undo(account: fixture.ann, at: Instant(seconds: 1))),
    ])
    #expect(commit.changes.removed.isEmpty)
    #expect(try fixture.texts() == ["hello"])
  }

  @Test("a change that cannot be undone is reported and skipped") func obstacle() throws {
    let fixture = try Fixture()
    try fixture.load([tweet("1", "theirs", by: "1")], as: fixture.bob)
    let id = try #require(try fixture.store.resolve(reference: "twitter:1", visibleTo: fixture.ann))
    _ = try fixture.write("mine")
    _ = try fixture.store.commit([
      .claimIdentity(fixture.bob, source: "twitter", authorNativeID: "1"),
      .mark(Marking(account: fixture.ann, post: id, mark: .favourited, isOn: true, at: Instant(seconds: 5))),
      .deletePost(fixture.bob, id, requestID: ""),
    ])
    #expect(try undone(try undo(fixture)).obstacle == .noSuchPost(id))
    #expect(try undone(try undo(fixture)).what.hasPrefix("writing post"))
    #expect(try fixture.texts() == [])
    #expect(try undo(fixture) == .refused(.nothingToUndo(isRedo: false)))
    // A post that was imported again is not restored twice.
    let outcome = try fixture.store.commit([.importBatch([tweet("1", "theirs", by: "1")], owner: fixture.bob)])
      .outcomes[0]
    guard case .imported = outcome else { throw Unexpected(outcome) }
    #expect(try undone(try undo(fixture, as: fixture.bob)).obstacle == .isThereAgain(id))
    #expect(try fixture.texts() == ["theirs"])
  }

  @Test("only the account itself can undo its changes, and once per request ID") func requests() throws {
    let fixture = try Fixture()
    let first = try fixture.write("first"), second = try fixture.write("second", at: 1)
    #expect(try undo(fixture, as: fixture.bob) == .refused(.nothingToUndo(isRedo: false)))
    let once = try undone(try undo(fixture, "u1"))
    #expect(once.post == second.id && once.undoable == 1 && once.redoable == 1 && !once.isRepeated)
    let again = try undone(try undo(fixture, "u1"))
    #expect(again.isRepeated && again.what == once.what && again.post == second.id)
    #expect(try fixture.texts() == ["first"])
    #expect(try undone(try undo(fixture, "u2", redo: true)).post == second.id)
    #expect(try undone(try undo(fixture, "u2", redo: true)).isRepeated)
    #expect(try undone(try undo(fixture)).post == second.id)
    _ = try fixture.write("third")
    #expect(try undo(fixture, redo: true) == .refused(.nothingToUndo(isRedo: true)), "there was another change")
    #expect(try undone(try undo(fixture)).redoable == 1)
    #expect(try undone(try undo(fixture)).post == first.id)
  }

  @Test("repeating a failed undo with the same request ID fails again and undoes nothing else")
  func obstacleTwice() throws {
    let fixture = try Fixture()
    let theirs = try fixture.write("theirs", as: fixture.bob)
    let mine = try fixture.write("mine", at: 1)
    _ = try fixture.store.commit([
      .mark(Marking(account: fixture.ann, post: theirs.id, mark: .favourited, isOn: true, at: Instant(seconds: 5))),
      .deletePost(fixture.bob, theirs.id, requestID: ""),
    ])
    let once = try undone(try undo(fixture, "u"))
    #expect(once.obstacle == .noSuchPost(theirs.id))
    let again = try undone(try undo(fixture, "u"))
    #expect(again.obstacle == .passedOver && again.what == once.what && again.undoable == 1)
    #expect(try fixture.texts() == ["mine"])
    #expect(try undone(try undo(fixture, "next")).post == mine.id)
  }

  @Test("100 to 199 undo entries are kept, over a restart, and deleted posts are dropped with their entry")
  func many() throws {
    let fixture = try Fixture()
    var ids: [PostID] = []
    for number in 0..<Int(StoreLimits.undoEntries) { ids.append(try fixture.write("\(number)", at: Int64(number)).id) }
    for id in ids { _ = try fixture.store.commit([.deletePost(fixture.ann, id, requestID: "")]) }
    try fixture.store.close()
    fixture.store = try PostStore(path: fixture.folder.file("posts.db"), epoch: 8)
    for count in 1...Int(StoreLimits.undoEntries) {
      #expect(try undone(try undo(fixture)).obstacle == nil)
      #expect(try fixture.texts().count == count)
    }
    let kept = try fixture.store.database.integer("SELECT count(*) FROM undo_entries")
    #expect(kept >= StoreLimits.undoEntries && kept < 2 * StoreLimits.undoEntries)
    for id in ids { _ = try fixture.store.commit([.deletePost(fixture.ann, id, requestID: "")]) }
    for number in 0..<2 * Int(StoreLimits.undoEntries) {
      _ = try fixture.store.commit([.mark(mark(fixture, number % 2 == 0))])
    }
    #expect(try fixture.store.database.integer("SELECT count(*) FROM deleted_posts") == 0)
  }

  private func mark(_ fixture: Fixture, _ isOn: Bool) throws -> Marking {
    let post = try fixture.visible(fixture.bob).first ?? fixture.write("theirs", as: fixture.bob)
    return Marking(account: fixture.ann, post: post.id, mark: .saved, isOn: isOn, at: Instant(seconds: 1))
  }

  @Test(
    "mutes and blocks are undo entries of the acting account; the blocked account gets none")
  func muteList() throws {
    let fixture = try Fixture()
    let bob = try #require(try fixture.store.localAuthor(of: fixture.bob)?.id)
    let word = try MutedWord(parsing: "otter")
    for subject in [MuteChange.Subject.muted(bob), .word(word), .blocked(bob)] {
      _ = try fixture.store.commit([.mute(MuteChange(account: fixture.ann, subject: subject, isOn: true))])
    }
    #expect(try fixture.store.followed(by: fixture.bob).isEmpty && fixture.store.followed(by: fixture.ann).isEmpty)
    #expect(try undo(fixture, as: fixture.bob) == .refused(.nothingToUndo(isRedo: false)))
    #expect(try undone(try undo(fixture)).what == "blocking @bob")
    #expect(try undone(try undo(fixture)).what == "muting otter")
    #expect(try undone(try undo(fixture)).what == "muting @bob")
    #expect(try fixture.store.muteList(of: fixture.ann).isEmpty)
    #expect(try undo(fixture) == .refused(.nothingToUndo(isRedo: false)))
    for _ in 0..<3 { #expect(try undone(try undo(fixture, redo: true)).obstacle == nil) }
    let muteList = try fixture.store.muteList(of: fixture.ann)
    #expect(muteList.words.count == 1 && !muteList.isEmpty)
    #expect(try undo(fixture, as: fixture.bob) == .refused(.nothingToUndo(isRedo: false)))
  }

  @Test("undoing an edit restores the text and its mentions") func text() throws {
    let fixture = try Fixture()
    let post = try fixture.write("hello")
    let text = SafeText("hello @bob")
    _ = try fixture.store.commit([
      .edit(Edition(account: fixture.ann, post: post.id, text: text, spans: TextSpans.find(in: text)))
    ])
    func mentions() throws -> Int { try fixture.store.count(of: .mentions(fixture.bob), for: fixture.bob) }
    #expect(try mentions() == 1)
    #expect(try undone(try undo(fixture)).what == "editing post \(post.id.rawValue)")
    #expect(try fixture.texts() == ["hello"] && mentions() == 0)
    #expect(try undone(try undo(fixture, redo: true)).post == post.id)
    #expect(try fixture.texts() == ["hello @bob"] && mentions() == 1)
    #expect(try fixture.store.integrity() == [])
  }

  @Test("a list is restored with its ID and authors unless its name is taken") func lists() throws {
    let fixture = try Fixture()
    try fixture.load([tweet("1", "one", by: "1"), tweet("2", "two", by: "2")])
    let authors = try ["@h1", "@h2"].map { try #require(try fixture.store.resolve(author: $0, for: fixture.ann)) }
    guard case .listMade(let list) = try fixture.store.commit([.makeList(fixture.ann, name: "cats")]).outcomes[0] else {
      return
    }
    _ = try fixture.store.commit(authors.map { .addToList(fixture.ann, list, $0) })
    let keys = try #require(try fixture.store.page(of: .made(fixture.ann, list), for: fixture.ann, limit: 9)).posts.map(
      \.id)
    #expect(keys.count == 2)
    _ = try fixture.store.commit([.deleteList(fixture.ann, list)])
    #expect(try undone(try undo(fixture)).what == "deleting the list cats")
    #expect(try fixture.store.page(of: .made(fixture.ann, list), for: fixture.ann, limit: 9)?.posts.map(\.id) == keys)
    #expect(try undone(try undo(fixture)).what == "adding @h2 to the list cats")
    #expect(try fixture.store.madeList(list, of: fixture.ann)?.authorCount == 1)
    _ = try fixture.store.commit([.deleteList(fixture.ann, list), .makeList(fixture.bob, name: "cats")])
    #expect(try undone(try undo(fixture)).obstacle == nil, "another account's list is no obstacle")
    _ = try fixture.store.commit([.deleteList(fixture.ann, list)])
    try fixture.store.database.execute("UPDATE lists SET account_id = \(fixture.ann.rawValue) WHERE name = 'cats'")
    #expect(try undone(try undo(fixture)).obstacle == .nameTaken("cats"))
    #expect(try fixture.store.integrity() == [])
  }
}
