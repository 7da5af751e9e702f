import Glibc
import Posts
import TestSupport
import Testing

@testable import Store

@Suite("A copy of a store appears when it is complete, and under no name of the store")
struct BackupTests {
  private func refusal(_ fixture: Fixture, _ path: String) -> StoreError? {
    #expect(throws: StoreError.self, "\(path)") { try fixture.store.backup(to: path) }
  }

  /// Names that SQLite or the daemon uses, or could use, for a store called posts.db.
  static let ownNames = [
    "posts.db", "posts.db-journal", "posts.db-wal", "posts.db-shm", "posts.db.lock", "posts.db-mj0F3A91C2", "posts.db-",
  ]

  @Test("the store's own names are refused, however their folder is spelled", arguments: ownNames)
  func ownName(name: String) throws {
    let fixture = try Fixture()
    try fixture.load([tweet("1", "one")])
    let (folder, other) = (fixture.folder.path, TemporaryFolder())
    #expect(unsafe symlink(folder, other.file("link")) == 0)
    let before = fixture.folder.names.sorted()
    let inside = "\(folder)/../\(folder.split(separator: "/").last ?? "")"
    for path in ["\(folder)/\(name)", "\(folder)//.//\(name)", "\(inside)/\(name)", other.file("link/\(name)")] {
      let error = refusal(fixture, path)
      #expect(error?.kind == .cannotOpen && error?.message.contains("uses that name itself; choose another") == true)
    }
    #expect(fixture.folder.names.sorted() == before)
    #expect(try StoreReader(path: fixture.folder.file("posts.db")).integrity() == [])
  }

  @Test("a store that was opened through a link keeps the names beside the link and beside the file") func linked()
    throws
  {
    let (fixture, other) = (try Fixture(), TemporaryFolder())
    try fixture.store.close()
    #expect(unsafe symlink(fixture.folder.file("posts.db"), other.file("link.db")) == 0)
    fixture.store = try PostStore(path: other.file("link.db"), epoch: 8)
    for path in [other.file("link.db-journal"), other.file("link.db.lock"), fixture.folder.file("posts.db-journal")] {
      #expect(refusal(fixture, path)?.kind == .cannotOpen)
    }
    #expect(other.names == ["link.db"])
  }

  @Test("other names are free: similar ones, and the same ones in another folder") func free() throws {
    let (fixture, other) = (try Fixture(), TemporaryFolder())
    let paths = ["posts.dbx", "posts.db.copy", "posts", "posts.db_journal"].map(fixture.folder.file)
    for path in paths + [other.file("posts.db"), other.file("posts.db-journal")] {
      try fixture.store.backup(to: path)
      #expect(try PostStore(path: path, epoch: 8).integrity() == [])
    }
  }

  @Test("whatever exists is refused and stays, also a link that leads nowhere") func existing() throws {
    let fixture = try Fixture()
    fixture.folder.write([1, 2, 3], to: "file")
    #expect(unsafe symlink("missing", fixture.folder.file("link")) == 0)
    for name in ["file", "link"] { #expect(refusal(fixture, fixture.folder.file(name))?.kind == .exists) }
    #expect(refusal(fixture, fixture.folder.path)?.kind == .exists)
    #expect(fixture.folder.read("file") == [1, 2, 3])
    #expect(!fixture.folder.names.contains { $0 == "missing" || $0.hasSuffix(".partial") })
  }

  @Test("a path without a file name, or with one that is too long, is refused") func unusable() throws {
    let fixture = try Fixture()
    let folder = fixture.folder.path
    for path in [
      "\(folder)/none/", "\(folder)/none/.", "\(folder)/none/..", "\(folder)/a\0b", "\(folder)/none/copy.db",
    ] {
      #expect(refusal(fixture, path)?.kind == .cannotOpen)
    }
    let long = refusal(fixture, fixture.folder.file(String(repeating: "x", count: 250)))
    #expect(long?.message.hasSuffix("its name is too long; choose a shorter one") == true)
    #expect(fixture.folder.names.sorted() == ["posts.db", "posts.db-shm", "posts.db-wal"])
  }

  @Test("what a killed copy left is replaced; no copy leaves anything beside its file") func leftover() throws {
    let fixture = try Fixture()
    try fixture.load([tweet("1", "one")])
    for suffix in ["", "-journal", "-wal"] {
      fixture.folder.write(Array(fixture.folder.read("posts.db").prefix(5_000)), to: "copy.db.partial" + suffix)
    }
    try fixture.store.backup(to: fixture.folder.file("copy.db"))
    #expect(fixture.folder.names.filter { $0.hasPrefix("copy") } == ["copy.db"])
    let copy = try PostStore(path: fixture.folder.file("copy.db"), epoch: 8)
    #expect(try copy.epoch == 8 && copy.integrity() == [])
  }

  @Test("a store that is called like the unfinished copy of another file is not removed") func partialStore() throws {
    let folder = TemporaryFolder()
    let store = try PostStore(path: folder.file("a.partial"), epoch: 7)
    let error = #expect(throws: StoreError.self) { try store.backup(to: folder.file("a")) }
    #expect(error?.kind == .cannotOpen && folder.names.contains("a.partial"))
  }

  @Test("a copy that fails leaves nothing") func failed() throws {
    let fixture = try Fixture()
    try fixture.store.database.execute("BEGIN")
    let error = refusal(fixture, fixture.folder.file("copy.db"))
    #expect(error?.message.hasPrefix("cannot write a copy to \(fixture.folder.file("copy.db"))") == true)
    #expect(!fixture.folder.names.contains { $0.hasPrefix("copy") })
  }
}
