import Dates
import Posts
import TestSupport
import Testing

@testable import Store

@Suite("A store of an earlier version becomes one of this, with all that the earlier had")
struct MigrationTests {
  /// A store as version 1 made it, written by its own SQL: ann (1) and bob (2), ann's archive, what they wrote here.
  private static func version1() throws -> TemporaryFolder {
    let folder = TemporaryFolder()
    let connection = try Connection(path: folder.file("posts.db"), access: .readWrite, vfs: nil)
    try Schema.configure(connection)
    try Schema.migrate(connection, epoch: 7, migrations: Array(Schema.migrations.prefix(1)))
    try connection.execute(
      """
      INSERT INTO accounts VALUES (1, 1000, 'ann'), (2, 1001, 'bob');
      INSERT INTO sources VALUES (1, 'stack'), (2, 'twitter');
      INSERT INTO authors VALUES (1, 1, 'ann', 'ann', 'Ann', ''), (2, 1, 'bob', 'Robert', 'Bob', ''),
        (3, 2, '33', 'ann_tweets', 'Ann', ''), (4, 2, '44', 'carol', 'Carol', '');
      INSERT INTO identities VALUES (1, 1), (1, 3), (2, 2);
      UPDATE meta SET revision = 9, last_post = 20, closed = 1;
      INSERT INTO sessions VALUES (1, 'main', x'0102', 5);
      INSERT INTO requests VALUES (3, 2, 'r1', 6);
      """)
    let posts: [V1Post] = [
      V1Post(1, source: 2, author: 3, owner: 1, "my tweet"),
      V1Post(2, source: 2, author: 4, owner: 1, "@ANN_TWEETS hello"),
      V1Post(3, source: 2, author: 4, owner: 1, "@ann_tweets secret", .direct, audience: 1),
      V1Post(4, source: 2, author: 4, owner: 2, "an answer", replyTo: 1),
      V1Post(5, source: 2, author: 3, owner: 1, "@ann_tweets I call myself", replyTo: 1),
      V1Post(6, source: 1, author: 2, owner: 2, "@ann here"),
      V1Post(7, source: 1, author: 1, owner: 1, "@robert @bob", .followers, audience: 1),
      V1Post(8, source: 1, author: 1, owner: 1, "@Bob and @robert"),
      V1Post(9, source: 2, author: 4, owner: 2, "only inside of a repost, @ann_tweets", isEntry: false),
      V1Post(10, source: 2, author: 3, owner: 2, "", repostOf: 9),
    ]
    for post in posts { try post.insert(connection) }
    try connection.execute(
      "INSERT INTO tallies SELECT audience, count(*) FROM posts WHERE is_entry = 1 GROUP BY audience")
    return folder
  }

  private struct V1Post {
    let id: Int64
    let columns: [Int64?]
    let body: PostBody

    init(
      _ id: Int64, source: Int64, author: Int64, owner: Int64, _ text: String, _ visibility: Visibility = .public,
      audience: Int64 = 0, isEntry: Bool = true, repostOf: Int64? = nil, replyTo: Int64? = nil
    ) {
      self.id = id
      let text = SafeText(text)
      body = PostBody(text: text, spans: TextSpans.find(in: text), visibility: visibility)
      columns = [
        source, audience, owner, author, id * 1000, Int64(visibility.rawValue), audience, isEntry ? 1 : 0, repostOf,
        replyTo,
      ]
    }

    func insert(_ connection: Connection) throws {
      let statement = try connection.prepare(
        "INSERT INTO posts VALUES (?1, ?2, 'n' || ?1, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, NULL, ?12)")
      statement.bind(1, id)
      for (index, column) in columns.enumerated() { statement.bind(Int32(index + 2), column) }
      statement.bind(12, blob: PackedBody(body).bytes)
      _ = try statement.step()
    }
  }

  static let lists: [(ListName, AccountID, [Int64])] = [
    (.home(AccountID(1)), AccountID(1), [10, 8, 7, 6, 5, 3, 2, 1]),
    (.home(AccountID(2)), AccountID(2), [10, 8, 6, 4]),
    (.mentions(AccountID(1)), AccountID(1), [6, 4, 3, 2]),
    (.mentions(AccountID(2)), AccountID(2), [8]),
    (.messages(AccountID(1)), AccountID(1), []),
  ]

  @Test("home lists and mentions are filled as if they had always been there", arguments: lists)
  func filled(list: ListName, account: AccountID, posts: [Int64]) throws {
    let folder = try Self.version1()
    let store = try PostStore(path: folder.file("posts.db"), epoch: 8)
    let page = try #require(try store.page(of: list, for: account, limit: 100))
    #expect(page.posts.map(\.id.rawValue) == posts && page.total == posts.count)
    #expect(try store.integrity() == [])
  }

  @Test("accounts follow each other, sessions and requests are kept, and it goes on") func kept() throws {
    let folder = try Self.version1()
    let store = try PostStore(path: folder.file("posts.db"), epoch: 8)
    let (ann, bob) = (AccountID(1), AccountID(2))
    #expect(try store.followed(by: ann).map(\.id.rawValue) == [2])
    #expect(try store.followed(by: bob).map(\.id.rawValue) == [1])
    #expect(try store.session(ann, "main") == SavedSession(name: "main", bytes: [1, 2], revision: 5))
    #expect(store.epoch == 7 && store.revision == 9)
    let repeated = Composition(
      account: bob, body: PostBody(text: "again"), createdAt: Instant(seconds: 50), requestID: "r1")
    guard case .composed(let composed) = try store.commit([.compose(repeated)]).outcomes[0] else { return }
    #expect(composed.isRepeated && composed.post.id == PostID(6))
    guard
      case .composed(let new) = try store.commit([
        .compose(
          Composition(
            account: bob, body: PostBody(text: "new", visibility: .followers), createdAt: Instant(seconds: 50)))
      ]).outcomes[0]
    else { return }
    #expect(new.post.id == PostID(21) && new.post.audience == .circle(CircleID(1)))
    #expect(try store.home(ann, limit: 1).map(\.id) == [PostID(21)])
    #expect(try store.integrity() == [])
  }

  @Test("accounts are called so that they can be named with @, and are who they were") func renamed() throws {
    let folder = try Self.version1()
    let connection = try Connection(path: folder.file("posts.db"), access: .readWrite, vfs: nil)
    try connection.execute(
      """
      INSERT INTO accounts VALUES (3, 1002, 'jean-luc'), (4, 1003, 'jean_luc'), (5, 1004, 'x.y'), (6, NULL, '--');
      INSERT INTO authors VALUES (5, 1, 'jean-luc', 'jean-luc', 'Jean-Luc', ''), (6, 1, 'jean_luc', 'jean_luc', 'J', ''),
        (7, 1, 'x.y', 'xy', 'X', ''), (8, 1, 'x_y', 'of an export', '', '');
      INSERT INTO identities VALUES (3, 5), (4, 6), (5, 7);
      """)
    try V1Post(11, source: 1, author: 5, owner: 3, "@jean_luc_1002 I").insert(connection)
    try V1Post(12, source: 1, author: 1, owner: 1, "@jean_luc_1002 you").insert(connection)
    let store = try PostStore(path: folder.file("posts.db"), epoch: 8)
    #expect(try store.accounts().map(\.name) == ["ann", "bob", "jean_luc_1002", "jean_luc", "x_y_1004", "user"])
    let author = try #require(try store.localAuthor(of: AccountID(3)))
    #expect(author.id == AuthorID(5) && author.handle == "jean_luc_1002" && author.displayName == "Jean-Luc")
    #expect(
      try store.localAuthor(of: AccountID(5)).map { ($0.id, $0.handle) } ?? (AuthorID(0), "") == (AuthorID(7), "xy"))
    #expect(try store.account(uid: 1002, name: "jean-luc").id == AccountID(3))
    #expect(try store.page(of: .mentions(AccountID(3)), for: AccountID(3), limit: 9)?.posts.map(\.id) == [PostID(12)])
    #expect(try store.home(AccountID(1)).map(\.id.rawValue).prefix(2) == [12, 11], "they follow each other as before")
    #expect(try store.integrity() == [])
  }

  @Test("a migration that has no room leaves the earlier store as it was") func full() throws {
    let folder = try Self.version1()
    let connection = try Connection(path: folder.file("posts.db"), access: .readWrite, vfs: nil)
    let pages = try connection.integer("PRAGMA page_count")
    for room in 0..<30 {
      try connection.execute("PRAGMA max_page_count = \(pages + Int64(room))")
      do throws(StoreError) {
        try Schema.migrate(connection, epoch: 8, migrations: Array(Schema.migrations.prefix(2)))
        #expect(room > 20, "there was room for new tables only then")
        return
      } catch {
        #expect(error.kind == .diskFull)
        #expect(try connection.integer("PRAGMA user_version") == 1)
        #expect(try connection.integer("SELECT sum(entries) FROM tallies WHERE audience >= 0") == 9)
      }
    }
    Issue.record("30 pages are enough")
  }

  @Test("a reader of this version does not read an earlier store") func earlier() throws {
    let folder = try Self.version1()
    let error = #expect(throws: StoreError.self) { try StoreReader(path: folder.file("posts.db")) }
    #expect(error?.message.contains("start the daemon on it first") == true)
  }
}
