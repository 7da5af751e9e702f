import Glibc
import Posts
import TestSupport
import Testing

@testable import Store

@Suite("Acknowledged writes survive a restart, however the daemon ended")
struct DurabilityTests {
  @Test("a reopened store has the same posts, epoch and revision") func closed() throws {
    let fixture = try Fixture()
    #expect(fixture.store.epoch == 7 && fixture.store.wasClosed)
    try fixture.load([tweet("1", "one")])
    let revision = fixture.store.revision
    try fixture.store.close()
    fixture.store = try PostStore(path: fixture.folder.file("posts.db"), epoch: 8)
    #expect(fixture.store.wasClosed && fixture.store.epoch == 7 && fixture.store.revision == revision)
    #expect(try fixture.texts() == ["one"])
    #expect(try fixture.write("two", at: 1).id == PostID(2))
  }

  @Test(
    "after a kill, the store has every commit up to it, nothing of the next, and reports the kill", arguments: 1..<6)
  func killed(commits: Int) throws {
    let fixture = try Fixture()
    for index in 0..<commits { try fixture.load([tweet("\(index)", "text \(index)", at: Int64(index))]) }
    let revision = fixture.store.revision
    for suffix in ["", "-wal"] {
      fixture.folder.write(fixture.folder.read("posts.db" + suffix), to: "copy.db" + suffix)
    }
    try fixture.load([tweet("later", "later", at: 99)])
    let copy = try PostStore(path: fixture.folder.file("copy.db"), epoch: 8)
    #expect(!copy.wasClosed && copy.epoch == 7 && copy.revision == revision)
    #expect(
      try copy.home(fixture.ann, limit: 10).map(\.text) == (0..<commits).reversed().map { "text \($0)" })
    #expect(try copy.integrity() == [])
  }

  @Test("after a kill in the middle of a commit, the store has the previous one", arguments: 1..<12)
  func torn(twelfths: Int) throws {
    let fixture = try Fixture()
    try fixture.load([tweet("1", "one", at: 1)])
    let length = fixture.folder.read("posts.db-wal").count
    let revision = fixture.store.revision
    try fixture.load((2..<40).map { tweet("\($0)", String(repeating: "x", count: 900), at: Int64($0)) })
    let log = fixture.folder.read("posts.db-wal")
    let cut = length + (log.count - length) * twelfths / 12
    fixture.folder.write(fixture.folder.read("posts.db"), to: "copy.db")
    fixture.folder.write(Array(log.prefix(cut)), to: "copy.db-wal")
    let copy = try PostStore(path: fixture.folder.file("copy.db"), epoch: 8)
    #expect(copy.revision == revision)
    #expect(try copy.home(fixture.ann, limit: 100).map(\.text) == ["one"])
    #expect(try copy.count(of: .home(fixture.ann), for: fixture.ann) == 1)
    #expect(try copy.integrity() == [])
  }

  @Test("a backup is a complete store with its own epoch") func backup() throws {
    let fixture = try Fixture()
    try fixture.load([tweet("1", "one")])
    try fixture.store.backup(to: fixture.folder.file("backup.db"))
    try fixture.load([tweet("2", "two")])
    let restored = try PostStore(path: fixture.folder.file("backup.db"), epoch: 8)
    #expect(restored.epoch == 8)
    #expect(try restored.home(fixture.ann, limit: 10).map(\.text) == ["one"])
    #expect(fixture.store.epoch == 7)
    #expect(throws: StoreError.self) { try fixture.store.backup(to: fixture.folder.file("backup.db")) }
  }

  @Test("only the owner may read the store's files") func modes() throws {
    let fixture = try Fixture()
    try fixture.store.backup(to: fixture.folder.file("backup.db"))
    for name in ["posts.db", "posts.db-wal", "posts.db-shm", "backup.db"] {
      var status = stat()
      #expect(unsafe stat(fixture.folder.file(name), &status) == 0)
      #expect(status.st_mode & 0o777 == 0o600, "\(name)")
    }
  }
}
