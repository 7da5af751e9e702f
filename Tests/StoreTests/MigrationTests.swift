import Dates
import Posts
import TestSupport
import Testing
import ViewState

@testable import Store

@Suite("Migrations bring an older file to this version; one that is too old is refused")
struct MigrationTests {
  private static let first = Schema.current.oldest
  /// Two fictitious migrations, and a schema with migrations.
  private static let otters = Migration("CREATE TABLE otters (x); INSERT INTO otters VALUES (4);")
  private static let more = Migration("INSERT INTO otters VALUES (10);") { connection throws(StoreError) in
    try connection.execute("INSERT INTO otters SELECT x + 1 FROM otters")
  }

  private static func schema(_ migrations: [Migration]) -> Schema {
    Schema(tables: Schema.tables + "CREATE TABLE otters (x);", oldest: first, migrations: migrations)
  }

  /// Takes away what the migrations since the oldest version added.
  private static let asOldest = """
    ALTER TABLE posts DROP COLUMN server_id; ALTER TABLE deleted_posts DROP COLUMN server_id;
    ALTER TABLE deleted_posts DROP COLUMN mentioned; ALTER TABLE gaps DROP COLUMN lost; ALTER TABLE gaps DROP COLUMN login; DROP TABLE servers;
    ALTER TABLE meta DROP COLUMN follows; DROP TABLE follow_requests; DROP INDEX posts_time;
    ALTER TABLE meta DROP COLUMN size_limit; DROP TABLE retention; DROP TABLE feed_links; DROP TABLE feed_attributes; DROP TABLE feeds; DROP TABLE cursors; DROP TABLE logins;
    DROP TABLE programs; DROP TABLE import_ranges; DROP TABLE imports;
    ALTER TABLE accounts DROP COLUMN display_name; ALTER TABLE accounts DROP COLUMN about;
    ALTER TABLE outbox DROP COLUMN former_body; ALTER TABLE outbox DROP COLUMN wanted_body; ALTER TABLE outbox DROP COLUMN sent_body; ALTER TABLE outbox DROP COLUMN login; DROP TABLE ended_logins;
    ALTER TABLE drafts DROP COLUMN warning; ALTER TABLE drafts DROP COLUMN language;
    PRAGMA user_version = \(first);
    """

  private let folder = TemporaryFolder()
  private let connection: Connection

  init() throws {
    connection = try Connection(path: folder.file("posts.db"), access: .readWrite, vfs: nil)
    try Schema(tables: Schema.tables, oldest: Self.first, migrations: []).migrate(connection, epoch: 5)
  }

  @Test("each migration runs once, in order: its SQL, then its code") func order() throws {
    for _ in 0..<2 { try Self.schema([Self.otters, Self.more]).migrate(connection, epoch: 6) }
    #expect(try connection.integer("PRAGMA user_version") == Int64(Self.first + 2))
    #expect(try connection.integer("SELECT count(*) * 100 + sum(x) FROM otters") == 430)
    #expect(try connection.integer("SELECT epoch FROM meta") == 5)
  }

  static let failing = [
    Migration("INSERT INTO otters VALUES (1); INSERT INTO nowhere VALUES (1);"),
    Migration("INSERT INTO otters VALUES (2);") { connection throws(StoreError) in
      try connection.execute("INSERT INTO otters SELECT x + 1 FROM otters; INSERT INTO nowhere VALUES (1)")
    },
  ]

  @Test("a failed migration leaves the file as the previous one did", arguments: [0, 1])
  func failed(index: Int) throws {
    #expect(throws: StoreError.self) {
      try Self.schema([Self.otters, Self.failing[index]]).migrate(connection, epoch: 6)
    }
    #expect(try connection.integer("PRAGMA user_version") == Int64(Self.first + 1))
    #expect(try connection.integer("SELECT sum(x) FROM otters") == 4)
  }

  @Test("a migration without room leaves the store unchanged") func full() throws {
    let large = Migration("CREATE TABLE otters (x);") { connection throws(StoreError) in
      for number in 0..<20 { try connection.execute("INSERT INTO otters VALUES (zeroblob(4000) || \(number))") }
    }
    let pages = try connection.integer("PRAGMA page_count")
    for room in [0, 1, 10] as [Int64] {
      try connection.execute("PRAGMA max_page_count = \(pages + room)")
      let error = #expect(throws: StoreError.self) { try Self.schema([large]).migrate(connection, epoch: 8) }
      #expect(error?.kind == .diskFull)
      #expect(try connection.integer("PRAGMA user_version") == Int64(Self.first))
      #expect(try connection.integer("SELECT count(*) FROM sqlite_schema WHERE name = 'otters'") == 0)
    }
    try connection.execute("PRAGMA max_page_count = 1000000")
    try Self.schema([large]).migrate(connection, epoch: 8)
    #expect(try connection.integer("SELECT count(*) FROM otters") == 20)
  }

  @Test("a migrated file has the tables of a new one, and keeps its setting open") func tables() throws {
    let connection = try Connection(path: folder.file("old.db"), access: .readWrite, vfs: nil)
    try Schema.current.migrate(connection, epoch: 5, follows: .ask)
    let columns = """
      SELECT group_concat(line) FROM (
        SELECT m.name || ' ' || c.name || ' ' || c.type || c.[notnull] || ifnull(c.dflt_value, '') AS line
        FROM sqlite_schema m JOIN pragma_table_info(m.name) c WHERE m.type = 'table'
        UNION ALL SELECT name FROM sqlite_schema WHERE type = 'index' ORDER BY 1)
      """
    func described() throws -> String {
      let statement = try connection.prepare(columns)
      return try statement.step() ? statement.text(0) : ""
    }
    let new = try described()
    try connection.execute(
      Self.asOldest)
    #expect(try described() != new)
    try Schema.current.migrate(connection, epoch: 6, follows: .ask)
    #expect(try described() == new)
    #expect(try FollowSetting(connection).policy() == .open)
  }

  @Test("a new file gets all tables and the newest version at once") func new() throws {
    let connection = try Connection(path: folder.file("new.db"), access: .readWrite, vfs: nil)
    #expect(try Self.schema([Self.otters, Self.more]).migrate(connection, epoch: 9))
    #expect(try connection.integer("PRAGMA user_version") == Int64(Self.first + 2))
    #expect(try connection.integer("SELECT count(*) FROM otters") == 0)
    #expect(try connection.integer("SELECT epoch FROM meta") == 9)
  }

  @Test("a store too old to be read is refused by writer and reader, and not touched", arguments: [1, 11])
  func old(version: Int) throws {
    try connection.execute("PRAGMA user_version = \(version); PRAGMA wal_checkpoint(TRUNCATE)")
    let path = folder.file("posts.db")
    let before = folder.read("posts.db")
    let error = #expect(throws: StoreError.self) { try PostStore(path: path, epoch: 8) }
    #expect(error?.kind == .olderSchema)
    #expect(error?.message.contains("(schema \(version), this one reads \(Self.first) and later); export it") == true)
    #expect(folder.read("posts.db") == before)
    let refused = #expect(throws: StoreError.self) { try StoreReader(path: path) }
    #expect(refused?.message.contains("start the daemon on it first") == true)
  }

  @Test("version 15 takes what blocked authors wrote out of the messages of those who blocked them") func blocked()
    throws
  {
    let fixture = try Fixture()
    let path = fixture.folder.file("posts.db")
    let bob = try #require(try fixture.store.localAuthor(of: fixture.bob)).id
    let carol = try fixture.store.account(uid: nil, name: "carol").id
    let first = try fixture.write("@bob @carol hello", at: 1, .direct)
    let last = try fixture.write("@ann @carol hello", as: fixture.bob, at: 2, .direct)
    _ = try fixture.write("@ann just us", as: fixture.bob, at: 3, .direct)
    _ = try fixture.store.commit([
      .mute(MuteChange(account: fixture.ann, subject: .blocked(bob), isOn: true))
    ])
    // As version 14 had it: each conversation's newest post, whoever wrote it.
    try fixture.store.database.execute(
      """
      DELETE FROM entries WHERE list_id = (SELECT id FROM lists WHERE kind = 3 AND account_id = \(fixture.ann.rawValue));
      INSERT INTO entries SELECT l.id, p.created_at, p.id, 0 FROM lists l JOIN posts p ON p.id IN (\(last.id.rawValue), 3)
      WHERE l.kind = 3 AND l.account_id = \(fixture.ann.rawValue);
      UPDATE tallies SET entries = 2
      WHERE list_id = (SELECT id FROM lists WHERE kind = 3 AND account_id = \(fixture.ann.rawValue));
      """)
    #expect(try !fixture.store.integrity().isEmpty)
    try fixture.store.database.execute(Self.asOldest)
    try fixture.store.close()
    fixture.store = try PostStore(path: path, epoch: 8)
    #expect(try fixture.store.integrity() == [])
    let messages = try fixture.store.page(of: .messages(fixture.ann), for: fixture.ann, limit: 9)
    #expect(messages?.posts.map(\.id) == [first.id] && messages?.total == 1)
    #expect(try fixture.store.count(of: .messages(carol), for: carol) == 1)
    #expect(try fixture.store.count(of: .messages(fixture.bob), for: fixture.bob) == 2)
  }

  @Test(
    "version 25 gives the posts of logins to their server, so that they can leave lists; files' posts stay their owner's"
  )
  func servers() throws {
    let fixture = try Fixture()
    fixture.store.upstreams = ["fake"]
    func post(_ id: String, by author: String = "cat") -> ImportedPost {
      ImportedPost(
        source: "fake", nativeID: id, author: ImportedAuthor(nativeID: author, handle: "cat", displayName: "Cat"),
        createdAt: Instant(seconds: 5), body: PostBody(text: SafeText(id)))
    }
    func bring(_ items: [UpstreamItem]) throws {
      let batch = UpstreamBatch(number: "1", subject: .login("ann@a@A.Example"), items: items)
      _ = try fixture.store.commit([.takeBatches(source: "fake", [batch])])
    }
    let run = ImportRun(name: "file", startedAt: Instant(seconds: 1))
    _ = try fixture.store.commit([.importBatch([post("old")], owner: fixture.ann, run: run)])
    _ = try fixture.store.commit([
      .greetProgram(UpstreamGreeting(source: "fake", hello: UpstreamHello(), account: fixture.ann))
    ])
    let source = try fixture.store.database.integer("SELECT source_id FROM programs")
    try fixture.store.database.execute(
      "DELETE FROM logins; INSERT INTO logins (source_id, name, account_id) VALUES (\(source), 'ann@a@A.Example', \(fixture.ann.rawValue))"
    )
    try bring(["n1", "n2"].map { .post(post($0), in: .home, unfiled: []) })
    try bring([.post(post("own", by: "ann"), in: .home, unfiled: [])])
    _ = try fixture.store.commit([.claimIdentity(fixture.ann, source: "fake", authorNativeID: "ann")])
    // As version 24 had them.
    try fixture.store.database.execute(
      """
      UPDATE posts SET server_id = 0; UPDATE entries SET reason = reason & ~4 | 1; DELETE FROM servers;
      ALTER TABLE posts DROP COLUMN server_id; ALTER TABLE deleted_posts DROP COLUMN server_id;
      ALTER TABLE deleted_posts DROP COLUMN mentioned; ALTER TABLE gaps DROP COLUMN lost; ALTER TABLE gaps DROP COLUMN login; DROP TABLE servers;
      ALTER TABLE logins DROP COLUMN bookmarks; ALTER TABLE logins DROP COLUMN characters; ALTER TABLE logins DROP COLUMN link_characters;
      ALTER TABLE feed_links DROP COLUMN is_own; ALTER TABLE feed_links DROP COLUMN item; DROP TABLE feed_attributes;
      ALTER TABLE outbox DROP COLUMN former_body; ALTER TABLE outbox DROP COLUMN wanted_body; ALTER TABLE outbox DROP COLUMN sent_body; ALTER TABLE outbox DROP COLUMN login; DROP TABLE ended_logins;
      ALTER TABLE drafts DROP COLUMN warning; ALTER TABLE drafts DROP COLUMN language;
      PRAGMA user_version = 24;
      """)
    try fixture.store.close()
    fixture.store = try PostStore(path: fixture.folder.file("posts.db"), epoch: 8)
    fixture.store.upstreams = ["fake"]
    #expect(try fixture.store.integrity() == [])
    try bring(["n1", "old", "own"].map { .left($0, .timelines) })
    #expect(try Set(fixture.store.home(fixture.ann).map(\.text)) == ["n2", "old", "own"])
    #expect(try fixture.store.database.integer("SELECT count(*) FROM servers WHERE host = 'a.example'") == 1)
    #expect(try fixture.store.integrity() == [])
  }
}
