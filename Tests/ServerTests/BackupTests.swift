import Messages
import RPC
import TestSupport
import Testing
import UV
import ViewState

@Suite("Copies of the store")
struct BackupTests {
  @Test("a copy under a name of the store is INVALID_ARGUMENT, about the path, and reading goes on") func ownName()
    throws
  {
    try withBench { bench in
      let client = try bench.daemon("own").connect()
      let post = try client.post("still here").postID
      let before = try Set(FileSystem.names(in: bench.folder.path))
      for suffix in ["", "-journal", "-wal", "-shm", ".lock"] {
        let refusal = try client.refusal(of: Method.backup, BackupRequest(path: bench.folder.file("own.db" + suffix)))
        #expect(refusal.code == .invalidArgument && refusal.message.hasSuffix("choose another path"))
        #expect(try ErrorDetails(decoding: refusal.details).fieldViolations.map(\.field) == ["path"])
      }
      #expect(try Set(FileSystem.names(in: bench.folder.path)) == before)
      #expect(try client.rows().rows.map(\.rowID) == [post])
      #expect(try client.call(Method.checkIntegrity, EmptyMessage(), CheckIntegrityResponse.self).findings == [])
    }
  }

  @Test("a copy has its size, and nothing is left beside it; a second one is ALREADY_EXISTS") func copy() throws {
    try withBench { bench in
      let client = try bench.daemon().connect()
      let before = try Set(FileSystem.names(in: bench.folder.path))
      let request = BackupRequest(path: bench.folder.file("copy.db"))
      let made = try client.call(Method.backup, request, BackupResponse.self)
      #expect(try made.bytes == FileSystem.look(at: request.path).size && made.path == request.path)
      #expect(try Set(FileSystem.names(in: bench.folder.path)) == before.union(["copy.db"]))
      #expect(try client.refusal(of: Method.backup, request).code == .alreadyExists)
    }
  }
}
