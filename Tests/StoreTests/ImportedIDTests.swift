import Posts
import Testing

@testable import Store

@Suite("An ID of source stack means one post")
struct ImportedIDTests {
  /// Returns a post by bob, as a line of a file would say it.
  private func line(_ id: String, _ text: String, by author: String = "bob", _ visibility: Visibility = .public)
    -> ImportedPost
  {
    var post = tweet(id, text, at: 9, by: author, visibility)
    post.source = "stack"
    return post
  }

  private func name(_ post: StoredPost, _ fixture: Fixture) throws -> String {
    try #require(try PostReader(fixture.store.database).name(of: post.id)).nativeID
  }

  @Test(
    "the ID of any post that this daemon has is refused, whether the importer sees the post or not",
    arguments: [Visibility.public, .followers, .direct])
  func given(visibility: Visibility) throws {
    let fixture = try Fixture()
    let carol = try fixture.store.account(uid: 1002, name: "carol").id
    _ = try fixture.store.commit([.unfollow(carol, try #require(try fixture.store.localAuthor(of: fixture.ann)).id)])
    let id = try name(try fixture.write("@bob hello", at: 1, visibility), fixture)
    for (importer, author) in [(fixture.bob, "bob"), (fixture.bob, "ghost"), (carol, "carol"), (carol, "ghost")] {
      for visibility in Visibility.allCases {
        let report = try fixture.load([line(id, "not what ann said", by: author, visibility)], as: importer)
        #expect(report.refused.map(\.reason) == [.takenID] && report.new == 0, "\(author)")
      }
      let repost = tweet("r", of: line(id, "not what ann said", by: author))
      #expect(try fixture.load([repost], as: importer).refused.map(\.reason) == [.takenID], "inside a repost")
    }
    #expect(try fixture.store.resolve(reference: "stack:\(id)", visibleTo: fixture.bob) == PostID(1))
    #expect(try fixture.texts(fixture.bob) == ["@bob hello"] && fixture.store.integrity() == [])
  }

  @Test("one's own export comes back the same, including direct posts of others") func same() throws {
    let fixture = try Fixture()
    _ = try fixture.write("@bob for you", at: 1, .direct)
    _ = try fixture.write("@ann back", as: fixture.bob, at: 2, .direct)
    _ = try fixture.write("for followers", at: 3, .followers)
    _ = try fixture.write("for all", as: fixture.bob, at: 4)
    let exported = try fixture.store.exportPage(limit: 9, visibleTo: fixture.bob).posts
    #expect(exported.count == 4)
    let report = try fixture.load(exported, as: fixture.bob)
    #expect((report.same, report.refused) == (4, []))
    #expect(try fixture.store.exportPage(limit: 9, visibleTo: fixture.bob).posts == exported)
    var forged = exported[0]
    forged.body.text = "@bob never said"
    #expect(try fixture.load([forged], as: fixture.bob).refused.map(\.reason) == [.anotherAccount])
    #expect(
      try fixture.load([tweet("r", at: 5, of: exported[0])], as: fixture.bob).refused.map(\.reason) == [
        .anotherAccount
      ],
      "a repost would show it to others")
  }

  @Test("a deleted post comes back by its author's import as long as they could undo that; its ID is not for others")
  func deleted() throws {
    let fixture = try Fixture()
    let post = try fixture.write("once", at: 1)
    let exported = try fixture.store.exportPage(limit: 1, visibleTo: fixture.ann).posts
    _ = try fixture.store.commit([.deletePost(fixture.ann, post.id, requestID: "")])
    let theft = line(exported[0].nativeID, "instead")
    #expect(try fixture.load([theft], as: fixture.bob).refused.map(\.reason) == [.takenID])
    #expect(try fixture.load(exported).new == 1)
    #expect(try fixture.store.exportPage(limit: 9, visibleTo: fixture.ann).posts == exported)
    #expect(try fixture.load([theft], as: fixture.bob).refused.map(\.reason) == [.takenID])
  }

  @Test("IDs of another daemon are free, but an ID that the importer sees stays with its post") func foreign() throws {
    let fixture = try Fixture()
    #expect(try fixture.load([line("0000000000000008-1", "mine", by: "bob")], as: fixture.bob).new == 1)
    #expect(try fixture.load([line("0000000000000008-2", "hers", by: "carol")], as: fixture.bob).new == 1)
    let other = line("0000000000000008-1", "another", by: "ann")
    #expect(try fixture.load([other]).refused.map(\.reason) == [.takenID])
    let copy = line("0000000000000008-2", "hers", by: "carol", .direct)
    #expect(try fixture.load([copy]).refused.map(\.reason) == [.takenID])
    let again = try fixture.load([line("0000000000000008-2", "changed", by: "carol")])
    #expect(again.changed == 1, "it joins ann's timeline as it is")
    #expect(try fixture.store.home(fixture.ann).map(\.text).contains("hers"))
    #expect(try fixture.load([line("0000000000000008-2", "changed", by: "carol")], as: fixture.bob).changed == 1)
  }

  @Test("an author who came with an import keeps the name: no account takes it, or its posts") func names() throws {
    let fixture = try Fixture()
    var ghost = line("x", "boo", by: "ghost")
    ghost.author.handle = "ann"
    #expect(try fixture.load([ghost], as: fixture.bob).new == 1)
    #expect(try fixture.store.commit([.makeAccount(name: "ghost")]).outcomes == [.refused(.nameTaken("ghost"))])
    let user = try fixture.store.account(uid: 7, name: "ghost")
    #expect(user.name == "ghost_7")
    let author = try #require(try fixture.store.resolve(author: "stack:ghost", for: fixture.ann))
    #expect(try !fixture.store.identities(of: user.id).contains(author))
    #expect(try fixture.store.account(writingAs: author) == nil)
    #expect(
      try fixture.store.resolve(author: "@ann", for: fixture.bob) == fixture.store.localAuthor(of: fixture.ann)?.id,
      "a handle means the account that has it")
    #expect(
      try fixture.store.commit([.claimIdentity(fixture.bob, source: "stack", authorNativeID: "ghost")]).outcomes
        == [.refused(.noSuchAuthor(source: "stack", nativeID: "ghost"))])
    #expect(try fixture.store.integrity() == [])
  }
}
