import Dates
import Posts
import TestSupport
import Testing

@testable import Store

@Suite("Drafts are kept until they are posted or discarded")
struct DraftTests {
  private func save(
    _ fixture: Fixture, _ text: String, _ id: Int64? = nil, as account: AccountID? = nil,
    _ subject: StoredDraft.Subject = .post, at seconds: Int64 = 0,
    _ request: String = ""
  ) throws -> Outcome {
    let draft = SavedDraft(
      account: account ?? fixture.ann, draft: id, subject: subject, text: SafeText(text), at: Instant(seconds: seconds),
      requestID: request)
    return try fixture.store.commit([.saveDraft(draft)]).outcomes[0]
  }

  private func texts(_ fixture: Fixture, _ account: AccountID? = nil) throws -> [String] {
    try fixture.store.drafts(of: account ?? fixture.ann).map(\.text.string)
  }

  @Test("each save replaces the last, from the first letter on, without a revision") func states() throws {
    let fixture = try Fixture()
    let before = fixture.store.revision
    #expect(try save(fixture, "a", at: 1) == .draftSaved(1))
    #expect(try save(fixture, "ab", 1, at: 2) == .draftSaved(1))
    #expect(try save(fixture, "other", at: 3) == .draftSaved(2))
    #expect(try save(fixture, "abc", 1, at: 4) == .draftSaved(1))
    #expect(try texts(fixture) == ["abc", "other"] && texts(fixture, fixture.bob).isEmpty, "the last one first")
    #expect(fixture.store.revision == before)
    fixture.store = try PostStore(path: fixture.folder.file("posts.db"), epoch: 9)
    #expect(try texts(fixture) == ["abc", "other"])
  }

  @Test("a client that missed the ID continues under the request ID, and a text without visible characters is no draft")
  func names() throws {
    let fixture = try Fixture()
    #expect(
      try save(fixture, "a", nil, .post, "k") == .draftSaved(1)
        && save(fixture, "ab", nil, .post, "k") == .draftSaved(1))
    #expect(try save(fixture, "b", as: fixture.bob, .post, "k") == .draftSaved(2), "request IDs are per account")
    #expect(try save(fixture, " \u{200B}", 1) == .draftSaved(nil) && texts(fixture).isEmpty)
    #expect(try save(fixture, "  ") == .draftSaved(nil))
    #expect(try save(fixture, "again", nil, .post, "k") == .draftSaved(3), "IDs are never reused")
  }

  @Test("a draft keeps who is to see it, as last saved, and what it is for") func visibility() throws {
    let fixture = try Fixture()
    let post = try fixture.write("a post").id
    func save(_ subject: StoredDraft.Subject, _ visibility: Visibility?, _ id: Int64? = nil) throws {
      let draft = SavedDraft(
        account: fixture.ann, draft: id, subject: subject, text: SafeText("a"), at: Instant(seconds: 1),
        visibility: visibility)
      _ = try fixture.store.commit([.saveDraft(draft)])
    }
    for (number, visibility) in ([nil] + Visibility.allCases.map(Optional.init)).enumerated() {
      try save(.answer(to: post), .direct)
      try save(.post, visibility, Int64(number + 1))
      let draft = try #require(try fixture.store.drafts(of: fixture.ann).first { $0.id == Int64(number + 1) })
      #expect(draft.visibility == visibility && draft.subject == .answer(to: post))
    }
  }

  @Test("a draft keeps its content warning and its language") func warning() throws {
    let fixture = try Fixture()
    var draft = SavedDraft(
      account: fixture.ann, subject: .post, text: "a", at: Instant(seconds: 1), contentWarning: "eye contact",
      language: "pt-BR")
    _ = try fixture.store.commit([.saveDraft(draft)])
    #expect(try fixture.store.drafts(of: fixture.ann).map(\.contentWarning) == ["eye contact"])
    (draft.draft, draft.contentWarning) = (1, "")
    _ = try fixture.store.commit([.saveDraft(draft)])
    let kept = try fixture.store.drafts(of: fixture.ann)
    #expect(kept.map(\.contentWarning) == [""] && kept.map(\.language) == ["pt-BR"])
  }

  @Test("drafts are private to their account") func others() throws {
    let fixture = try Fixture()
    _ = try save(fixture, "mine")
    #expect(try save(fixture, "yours", 1, as: fixture.bob) == .refused(.noSuchDraft(1)))
    #expect(try fixture.store.commit([.deleteDraft(fixture.bob, 1)]).outcomes == [.refused(.noSuchDraft(1))])
    var composition = fixture.composition("a post", as: fixture.bob)
    composition.draft = 1
    _ = try fixture.store.commit([.compose(composition)])
    #expect(try texts(fixture) == ["mine"])
    #expect(try fixture.store.commit([.deleteDraft(fixture.ann, 1)]).outcomes == [.draftDeleted(1)])
    #expect(try fixture.store.commit([.deleteDraft(fixture.ann, 1)]).outcomes == [.refused(.noSuchDraft(1))])
  }

  @Test("posting deletes the draft in the same commit, and a refused post keeps it") func published() throws {
    let fixture = try Fixture()
    let post = try fixture.write("a question", as: fixture.bob)
    _ = try save(fixture, "an answer", nil, .answer(to: post.id))
    #expect(try fixture.store.drafts(of: fixture.ann)[0].subject == .answer(to: post.id))
    var composition = fixture.composition("@nobody-here", .direct, "r")
    composition.draft = 1
    guard case .refused = try fixture.store.commit([.compose(composition)]).outcomes[0] else { throw Missing() }
    #expect(try texts(fixture) == ["an answer"])
    composition = fixture.composition("an answer", to: post.id, .public, "r")
    composition.draft = 1
    for _ in 0..<2 { _ = try fixture.store.commit([.compose(composition)]) }
    #expect(try texts(fixture).isEmpty && fixture.texts().count == 2)
    let own = try fixture.write("mine", at: 1)
    _ = try save(fixture, "mine, edited", nil, .edit(of: own.id))
    let edition = Edition(account: fixture.ann, post: own.id, text: "mine, edited", spans: [], draft: 2)
    _ = try fixture.store.commit([.edit(edition)])
    #expect(try texts(fixture).isEmpty)
  }

  @Test("an account has at most a hundred drafts of ten thousand bytes") func limits() throws {
    let fixture = try Fixture()
    let full = String(repeating: "x", count: StoreLimits.draftBytes)
    #expect(try save(fixture, full + "x") == .refused(.tooLong("the draft", limit: StoreLimits.draftBytes)))
    for _ in 0..<StoreLimits.drafts { _ = try save(fixture, full) }
    #expect(try save(fixture, "one more") == .refused(.tooMany("drafts", limit: StoreLimits.drafts)))
    #expect(try save(fixture, "another state", 7) == .draftSaved(7))
    #expect(try save(fixture, "Bob's", as: fixture.bob) == .draftSaved(Int64(StoreLimits.drafts) + 1))
  }
}

/// Thrown when a test lacks a precondition.
private struct Missing: Error {}
