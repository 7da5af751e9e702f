import Testing
import UV

@Suite("Files")
struct FileSystemTests {
  @Test("are made with exactly the mode asked for, once, and read whole")
  func create() throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("a")
    let contents = (0..<10_000).map { UInt8(truncatingIfNeeded: $0) }
    try FileSystem.create(path, mode: 0o622, contents: contents)
    let status = try FileSystem.status(of: path)
    #expect(status.permissions == 0o622)
    #expect(status.kind == .regular)
    #expect(try FileSystem.read(path, limit: 10_000) == contents)
    #expect(throws: UVError.fileTooLarge) { try FileSystem.read(path, limit: 9_999) }
    #expect(throws: UVError.fileExists) { try FileSystem.create(path, mode: 0o600, contents: []) }
  }

  @Test("that are not finished are taken away again; nobody else's is")
  func unfinished() throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("a")
    do {
      let file = try NewFile(path, mode: 0o600)
      #expect(try FileSystem.status(of: path).permissions == 0o600 && FileSystem.read(path, limit: 1).isEmpty)
      #expect(throws: UVError.fileExists) { try NewFile(path, mode: 0o600) }
      #expect(try FileSystem.read(path, limit: 1).isEmpty)
      _ = file
    }
    #expect(throws: UVError.noSuchFile) { try FileSystem.status(of: path) }
    try NewFile(path, mode: 0o640).finish([1, 2])
    #expect(try FileSystem.read(path, limit: 2) == [1, 2] && FileSystem.status(of: path).permissions == 0o640)
  }

  @Test("are locked by one owner at a time")
  func lock() throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("a.lock")
    let first = try FileLock(path: path)
    #expect(throws: UVError.tryAgain) { try FileLock(path: path) }
    first.unlock()
    first.unlock()
    try FileLock(path: path).unlock()
  }

  @Test(
    "have a directory",
    arguments: [("/a/b", "/a"), ("/a", "/"), ("/", nil), ("a", nil), ("a/b/c", "a/b")] as [(String, String?)])
  func parent(path: String, parent: String?) {
    #expect(FileSystem.parent(of: path) == parent)
  }

  @Test("and groups have a number, if they are there")
  func groups() throws {
    #expect(try Process.groupID(named: "root") == 0)
    #expect(throws: UVError.noSuchFile) { try Process.groupID(named: "no such group") }
  }

  @Test("and errors have libuv's name and sentence")
  func errors() {
    #expect(UVError.noSuchFile.name == "ENOENT")
    #expect(UVError.noSuchFile.description == "no such file or directory")
  }
}
