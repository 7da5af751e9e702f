import Dates
import Posts
import Testing

@testable import Store

@Suite("An import can be taken back, but not what others have a part in")
struct ImportRemovalTests {
  private let fixture: Fixture

  init() throws { fixture = try Fixture() }

  /// Imports posts in batches of one run; returns its number.
  @discardableResult
  private func run(_ posts: [ImportedPost], as owner: AccountID? = nil, batch size: Int = 500) throws -> Int64? {
    var run = ImportRun(name: "tweets.js", startedAt: Instant(seconds: 7))
    for start in stride(from: 0, to: posts.count, by: size) {
      let batch = Array(posts[start..<min(posts.count, start + size)])
      let outcome = try fixture.store.commit([.importBatch(batch, owner: owner ?? fixture.ann, run: run)]).outcomes[0]
      guard case .imported(let report) = outcome else { throw Unexpected(outcome) }
      run.number = report.run
    }
    return run.number
  }

  /// Removes posts slice by slice.
  private func forget(_ subject: Forgetting.Subject, of account: AccountID?) throws -> (removed: Int, kept: Int) {
    var total = (removed: 0, kept: 0)
    var cursor: Forgetting.Cursor?
    repeat {
      let outcome = try fixture.store.commit([.forget(Forgetting(subject, of: account, after: cursor))]).outcomes[0]
      guard case .forgotten(let part) = outcome else { throw Unexpected(outcome) }
      total = (total.removed + part.removed, total.kept + part.kept)
      cursor = part.next.map { Forgetting.Cursor(token: $0.token) } ?? nil
    } while cursor != nil
    return total
  }

  @Test("all posts that a run brought first go, in slices, and the run with them; others stay", arguments: [3, 500])
  func whole(size: Int) throws {
    let before = try #require(try run([tweet("0", "before", at: 0)]))
    let posts = (1...450).map { tweet("\($0)", "number \($0)", at: Int64($0)) }
    let number = try #require(try run([tweet("0", "before", at: 0)] + posts, batch: size))
    _ = try fixture.write("here", at: 1_000)
    #expect(number != before)
    let known = try fixture.store.imports(of: fixture.ann)
    #expect(known.map(\.number) == [number, before] && known.map(\.new) == [450, 1])
    #expect(try fixture.store.imports(of: fixture.bob) == [] && fixture.store.imports(of: nil) == known)
    #expect(try forget(.run(number), of: fixture.ann) == (450, 0))
    #expect(try fixture.texts() == ["here", "before"] && fixture.store.home(fixture.ann).count == 2)
    #expect(try SearchTests.hits(fixture, "number") == [])
    #expect(try fixture.store.imports(of: fixture.ann).map(\.number) == [before])
    #expect(try fixture.store.integrity() == [])
    #expect(try run(posts) != nil && fixture.texts().count == 452, "the file can be imported again")
  }

  @Test("posts that others imported too, answered, reposted, favourited or saved stay") func shared() throws {
    let (ann, bob) = (fixture.ann, fixture.bob)
    let number = try #require(try run((1...6).map { tweet("\($0)", "number \($0)", at: Int64($0)) }))
    let ids = try fixture.visible().reversed().map(\.id)
    _ = try fixture.load([tweet("1", "number 1", at: 1)], as: bob)
    _ = try fixture.write("an answer", as: bob, at: 20, to: ids[1])
    for (post, mark) in [(ids[2], Mark.favourited), (ids[3], .saved), (ids[4], .reposted)] {
      _ = try fixture.store.commit([
        .mark(Marking(account: bob, post: post, mark: mark, isOn: true, at: Instant(seconds: 21)))
      ])
    }
    // What ann did herself keeps nothing.
    _ = try fixture.write("my own answer", at: 22, to: ids[5])
    _ = try fixture.store.commit([
      .mark(Marking(account: ann, post: ids[5], mark: .reposted, isOn: true, at: Instant(seconds: 23)))
    ])
    #expect(try forget(.run(number), of: ann) == (2, 5), "the sixth, with ann's repost of it")
    #expect(try fixture.store.post(ids[5]) == nil && fixture.texts().contains("my own answer"))
    #expect(try fixture.store.integrity() == [])
  }

  @Test("a run is for its account, a source for what the account brought; an administrator removes all") func rights()
    throws
  {
    let (ann, bob) = (fixture.ann, fixture.bob)
    let number = try #require(try run([tweet("1", "one", at: 1), tweet("2", "two", at: 2)]))
    try run([tweet("3", "three", at: 3)], as: bob)
    let denied = try fixture.store.commit([.forget(Forgetting(.run(number), of: bob))]).outcomes[0]
    #expect(denied == .refused(.noSuchImport(number)))
    #expect(try forget(.source("twitter"), of: bob) == (1, 0))
    #expect(try fixture.texts() == ["two", "one"])
    _ = try fixture.store.commit([
      .mark(Marking(account: bob, post: PostID(1), mark: .saved, isOn: true, at: Instant(seconds: 9)))
    ])
    #expect(try forget(.source("twitter"), of: ann) == (1, 1))
    #expect(try forget(.source("twitter"), of: nil) == (1, 0))
    for (subject, refusal) in [
      (Forgetting.Subject.source("stack"), Refusal.sourceOfHere), (.source("x"), .unknownSource("x")),
      (.run(99), .noSuchImport(99)),
    ] {
      #expect(try fixture.store.commit([.forget(Forgetting(subject, of: ann))]).outcomes == [.refused(refusal)])
    }
    #expect(try fixture.texts() == [] && fixture.store.integrity() == [])
  }

  @Test("an original goes with the reposts of its run, but stays for a repost of another run") func reposts() throws {
    let first = try #require(try run([tweet("r1", at: 5, of: tweet("o", "original", at: 1, by: "2"))]))
    let second = try #require(try run([tweet("r2", at: 6, by: "3", of: tweet("o", "original", at: 1, by: "2"))]))
    #expect(try forget(.run(first), of: fixture.ann) == (1, 1))
    #expect(try fixture.store.home(fixture.ann).count == 1 && fixture.store.integrity() == [])
    #expect(try forget(.run(second), of: fixture.ann) == (1, 0))
    #expect(try fixture.store.home(fixture.ann).isEmpty && fixture.store.integrity() == [])
  }

  @Test("of the imports of an account only the newest are known") func limit() throws {
    let run = ImportRun(name: "tweets.js", startedAt: Instant(seconds: 7))
    _ = try fixture.store.commit(
      (0...StoreLimits.imports).map {
        .importBatch([tweet("\($0)", at: Int64($0))], owner: fixture.ann, run: run)
      })
    #expect(try fixture.store.imports(of: fixture.ann).count == StoreLimits.imports)
    #expect(try fixture.store.imports(of: fixture.ann).last?.number == 2)
  }

  @Test("an import that goes on after it was forgotten goes on as another one") func underWay() throws {
    let number = try #require(try run([tweet("1", "first", at: 1)]))
    #expect(try forget(.run(number), of: fixture.ann) == (1, 0))
    var rest = ImportRun(name: "tweets.js", startedAt: Instant(seconds: 7))
    rest.number = number
    let outcome = try fixture.store.commit([
      .importBatch([tweet("2", "second", at: 2)], owner: fixture.ann, run: rest)
    ]).outcomes[0]
    guard case .imported(let report) = outcome else { throw Unexpected(outcome) }
    let other = try #require(report.run)
    #expect(try other != number && fixture.store.imports(of: fixture.ann).map(\.number) == [other])
    #expect(try fixture.store.integrity() == [])
    #expect(try forget(.run(other), of: fixture.ann) == (1, 0))
  }

  @Test("the last slice may be asked for again") func again() throws {
    let number = try #require(try run((1...3).map { tweet("\($0)", at: Int64($0)) }))
    #expect(try forget(.run(number), of: fixture.ann) == (3, 0))
    let forgetting = Forgetting(.run(number), of: fixture.ann, after: Forgetting.Cursor(token: "1:0:"))
    #expect(try fixture.store.commit([.forget(forgetting)]).outcomes[0] == .forgotten(Forgotten()))
  }
}
