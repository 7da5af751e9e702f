import Glibc
import Posts
import TestSupport
import Testing

@testable import Store

@Suite("Disk failures end in one clear error, and the store recovers")
struct FailureTests {
  /// Two of these do not fit into the room that is left.
  static let long = String(repeating: "long ", count: 4_000)

  @Test("on a full disk the transaction is rolled back, reads continue, and writes succeed once there is room")
  func full() throws {
    let fixture = try Fixture()
    try fixture.load([tweet("1", "kept", at: 1)])
    let before = try contents(fixture)
    let pages = try fixture.store.database.integer("PRAGMA page_count")
    try fixture.store.database.execute("PRAGMA max_page_count = \(pages + 2)")
    let batch = (0..<50).map { tweet("new\($0)", Self.long, by: "author\($0)", answers: "1", aliases: ["alias\($0)"]) }
    let error = #expect(throws: StoreError.self) {
      try fixture.store.commit([
        .compose(fixture.composition("lost")), .saveSession(fixture.ann, name: "lost", bytes: [1]),
        .importBatch(batch, owner: fixture.ann),
      ])
    }
    #expect(error?.kind == .diskFull && error?.message.contains("free some space") == true)
    #expect(try contents(fixture) == before)
    #expect(try fixture.store.session(fixture.ann, "lost") == nil)
    try fixture.store.database.execute("PRAGMA max_page_count = 1000000")
    #expect(try fixture.load(batch).new == 50)
    #expect(try fixture.store.integrity() == [])
  }

  @Test("a transaction is rolled back wherever the disk becomes full", arguments: 0..<20)
  func fullAnywhere(room: Int64) throws {
    let fixture = try Fixture()
    try fixture.load([tweet("1", "kept", at: 1), tweet("w", "waits", at: 2, answers: "new3")])
    let before = try contents(fixture)
    let pages = try fixture.store.database.integer("PRAGMA page_count")
    try fixture.store.database.execute("PRAGMA max_page_count = \(pages + room)")
    let batch = (0..<10).map {
      tweet("new\($0)", String(repeating: "x", count: 9_000), native: String(repeating: "n", count: 900))
    }
    let error = #expect(throws: StoreError.self) {
      try fixture.store.commit([.compose(fixture.composition("lost")), .importBatch(batch, owner: fixture.ann)])
    }
    #expect(error?.kind == .diskFull)
    #expect(try contents(fixture) == before)
    try fixture.store.database.execute("PRAGMA max_page_count = 1000000")
    #expect(try fixture.load(batch).new == 10)
    #expect(try fixture.store.integrity() == [])
  }

  @Test("caches filled by a failed transaction are dropped") func forgotten() throws {
    let fixture = try Fixture()
    let author = try fixture.write("before", as: fixture.bob, at: 1).author
    _ = try fixture.store.commit([.unfollow(fixture.ann, author)])
    let pages = try fixture.store.database.integer("PRAGMA page_count")
    try fixture.store.database.execute("PRAGMA max_page_count = \(pages + 4)")
    let error = #expect(throws: StoreError.self) {
      try fixture.store.commit([
        .follow(fixture.ann, author), .compose(fixture.composition("quiet", as: fixture.bob, .followers)),
        .makeAccount(name: "carol"), .importBatch([tweet("1", Self.long + Self.long)], owner: fixture.ann),
      ])
    }
    #expect(error?.kind == .diskFull)
    #expect(
      try fixture.store.page(of: .home(fixture.ann), for: fixture.ann, limit: 9)?.posts == [], "lists can still be read"
    )
    try fixture.store.database.execute("PRAGMA max_page_count = 1000000")
    let post = try fixture.write("after", as: fixture.bob, at: 2, .followers)
    #expect(try fixture.store.home(fixture.ann).isEmpty && fixture.store.post(post.id, visibleTo: fixture.ann) == nil)
    #expect(try fixture.store.integrity() == [])
  }

  private func contents(_ fixture: Fixture) throws -> [ImportedPost] {
    let store = fixture.store
    #expect(
      try Int(store.database.integer("SELECT count(*) FROM posts WHERE is_entry = 1"))
        == store.count(of: .home(fixture.ann), for: fixture.ann))
    #expect(try store.revision == UInt64(store.database.integer("SELECT revision FROM meta")))
    return try store.exportPage(limit: 1_000, visibleTo: fixture.ann).posts
  }

  @Test("a read-only store reports that and can be read") func readOnly() throws {
    let fixture = try Fixture()
    try fixture.load([tweet("1", "kept")])
    try fixture.store.database.execute("PRAGMA query_only = ON")
    let error = #expect(throws: StoreError.self) { try fixture.load([tweet("2", "lost")]) }
    #expect(error?.kind == .readOnly && error?.message.contains("permissions") == true)
    #expect(try fixture.texts() == ["kept"])
    #expect(try fixture.store.account(uid: 1000, name: "ann").id == fixture.ann, "a known account can still be opened")
    let author = try #require(try fixture.store.localAuthor(of: fixture.bob)?.id)
    for write in [Write.unfollow(fixture.ann, author), .makeList(fixture.ann, name: "x"), .makeAccount(name: "x")] {
      #expect(throws: StoreError.self) { try fixture.store.commit([write]) }
    }
    #expect(try fixture.store.profile(of: author, for: fixture.ann)?.isFollowed == true)
    #expect(try fixture.store.integrity() == [], "it can be checked")
  }

  /// True for root, unless the capability to override permissions was dropped, as `scripts/test` does.
  private static let mayOverridePermissions: Bool = {
    let folder = TemporaryFolder()
    unsafe chmod(folder.path, 0o500)
    defer { unsafe chmod(folder.path, 0o700) }
    return unsafe access(folder.path, W_OK) == 0
  }()

  @Test(
    "a file without write permission is opened for reading",
    .enabled(if: !mayOverridePermissions, "this user may write everything"))
  func permission() throws {
    let folder = TemporaryFolder()
    let path = folder.file("100% #1?.db")
    var store: PostStore? = try PostStore(path: path, epoch: 7)
    let ann = try store!.account(uid: 1, name: "ann").id
    _ = try store!.commit([.importBatch([tweet("1", "kept")], owner: ann)])
    try store!.close()
    store = nil
    unsafe chmod(path, 0o400)
    unsafe chmod(folder.path, 0o500)
    defer { unsafe chmod(folder.path, 0o700) }
    let reopened = try PostStore(path: path, epoch: 7)
    #expect(reopened.isReadOnly)
    #expect(try reopened.account(uid: 1, name: "ann").id == ann)
    #expect(try StoreReader(path: path).count(of: .home(ann), for: ann) == 1)
    #expect(try reopened.home(ann, limit: 10).map(\.text) == ["kept"])
    let error = #expect(throws: StoreError.self) { try reopened.commit([.importBatch([tweet("2")], owner: ann)]) }
    #expect(error?.kind == .readOnly)
  }

  static let foreignFiles: [(String, [UInt8], StoreError.Kind)] = [
    ("text", Array(String(repeating: "not a database\n", count: 100).utf8), .notADatabase),
    ("a header and then nothing", Array("SQLite format 3\0".utf8) + Array(repeating: 0xFF, count: 100), .notADatabase),
  ]

  @Test("a file that is not a store is refused and left alone", arguments: foreignFiles)
  func foreignFile(what: String, bytes: [UInt8], kind: StoreError.Kind) throws {
    let folder = TemporaryFolder()
    folder.write(bytes, to: "posts.db")
    let error = #expect(throws: StoreError.self) { try PostStore(path: folder.file("posts.db"), epoch: 7) }
    #expect(error?.kind == kind, "\(what)")
    #expect(folder.read("posts.db") == bytes)
  }

  @Test("another program's database is refused and left alone") func foreignDatabase() throws {
    let folder = TemporaryFolder()
    let path = folder.file("posts.db")
    try Connection(path: path, access: .readWrite, vfs: nil).execute("CREATE TABLE recipes (name)")
    let before = folder.read("posts.db")
    let error = #expect(throws: StoreError.self) { try PostStore(path: path, epoch: 7) }
    #expect(error?.kind == .notADatabase)
    #expect(folder.read("posts.db") == before)
  }

  @Test("a store of a later version is refused by writer and reader, with both versions in the message")
  func newer() throws {
    let fixture = try Fixture()
    try fixture.store.database.execute("PRAGMA user_version = 99")
    let path = fixture.folder.file("posts.db")
    let error = #expect(throws: StoreError.self) { try PostStore(path: path, epoch: 7) }
    #expect(
      error?.kind == .newerSchema
        && error?.message.contains("schema 99, this one reads up to \(Schema.current.version)") == true)
    #expect(throws: StoreError.self) { try StoreReader(path: path) }
  }

  @Test("a missing folder, or a folder in place of the file, cannot be opened")
  func unopenable() throws {
    let folder = TemporaryFolder()
    for path in [folder.file("none/posts.db"), folder.path] {
      let error = #expect(throws: StoreError.self) { try PostStore(path: path, epoch: 7) }
      #expect(error?.kind == .cannotOpen && error?.message.contains(path) == true)
    }
    let missing = #expect(throws: StoreError.self) { try StoreReader(path: folder.file("none.db")) }
    #expect(missing?.kind == .cannotOpen)
  }

  @Test("damage inside the file is reported as corruption") func corrupt() throws {
    let fixture = try Fixture()
    try fixture.load((0..<200).map { tweet("\($0)", Self.long) })
    try fixture.store.close()
    var bytes = fixture.folder.read("posts.db")
    bytes.replaceSubrange(4_096..., with: repeatElement(0xA5, count: bytes.count - 4_096))
    fixture.folder.write(bytes, to: "damaged.db")
    let error = #expect(throws: StoreError.self) {
      let store = try PostStore(path: fixture.folder.file("damaged.db"), epoch: 7)
      _ = try store.home(AccountID(1), limit: 10)
    }
    #expect(error?.kind == .corrupt)
  }

  @Test("a store locked by another process is busy until the lock is released") func busy() throws {
    let fixture = try Fixture()
    let other = try Connection(path: fixture.folder.file("posts.db"), access: .readWrite, vfs: nil)
    try other.execute("BEGIN IMMEDIATE")
    try fixture.store.database.execute("PRAGMA busy_timeout = 0")
    let error = #expect(throws: StoreError.self) { try fixture.write("lost") }
    #expect(error?.kind == .busy)
    try other.execute("ROLLBACK")
    _ = try fixture.write("kept")
    #expect(try fixture.texts() == ["kept"])
  }

  @Test(
    "every kind of failure follows from code and errno",
    arguments: [
      (13, 0, StoreError.Kind.diskFull), (778, 28, .diskFull), (778, 122, .diskFull), (4874, 28, .diskFull),
      (778, 5, .inputOutput),
      (8, 0, .readOnly), (1032, 0, .readOnly), (3, 0, .readOnly), (778, 30, .readOnly), (5, 0, .busy), (261, 0, .busy),
      (6, 0, .busy),
      (11, 0, .corrupt), (779, 0, .corrupt), (26, 0, .notADatabase), (14, 0, .cannotOpen), (7, 0, .other),
    ])
  func kinds(code: Int32, errno: Int32, kind: StoreError.Kind) {
    let error = StoreError(code: code, systemError: errno, detail: "detail", path: "/p")
    #expect(error.kind == kind && error.code == code)
    #expect(error.message.contains("/p") && !error.message.contains("\n"))
  }
}
