import Glibc
import Testing
import UV

@Suite("Files")
struct FileSystemTests {
  @Test("are created once with exactly the requested mode, and read completely")
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

  @Test("are removed if unfinished, but others at the same path are not")
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

  @Test("are replaced as a whole, also where an earlier attempt was cut off")
  func replace() throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("a")
    try FileSystem.replace(path, mode: 0o600, contents: [1])
    try FileSystem.create(path + ".new", mode: 0o644, contents: [9, 9])
    try FileSystem.replace(path, mode: 0o600, contents: [2, 3])
    #expect(try FileSystem.read(path, limit: 9) == [2, 3] && FileSystem.status(of: path).permissions == 0o600)
    #expect(throws: UVError.noSuchFile) { try FileSystem.status(of: path + ".new") }
    #expect(throws: UVError.noSuchFile) { try FileSystem.replace(directory.file("b/c"), mode: 0o600, contents: []) }
  }

  @Test("are locked by one owner at a time")
  func lock() throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("a.lock")
    let first = try FileLock(path: path)
    #expect(throws: FileLock.Failure.held) { try FileLock(path: path) }
    first.unlock()
    first.unlock()
    try FileLock(path: path).unlock()
  }

  @Test("are not locked if a link, a pipe, a folder or a socket has the name; what a link leads to stays as it is")
  func lockKind() throws {
    let directory = try TemporaryDirectory()
    let (path, target) = (directory.file("a.lock"), directory.file("b"))
    try FileSystem.create(target, mode: 0o600, contents: [1, 2, 3])
    let made: [() -> Int32] = [
      { unsafe symlink(target, path) }, { unsafe symlink(directory.file("c"), path) }, { unsafe mkfifo(path, 0o600) },
      { unsafe mkdir(path, 0o700) },
    ]
    for make in made {
      #expect(make() == 0)
      #expect(throws: FileLock.Failure.unusable(.notAFile)) { try FileLock(path: path) }
      #expect(unsafe Glibc.remove(path) == 0)
    }
    #expect(try FileSystem.read(target, limit: 10) == [1, 2, 3])
    #expect(throws: UVError.noSuchFile) { try FileSystem.status(of: directory.file("c")) }
    #expect(throws: FileLock.Failure.system(.noSuchFile)) { try FileLock(path: directory.file("none/a.lock")) }
  }

  @Test("are not locked if they belong to another user", .enabled(if: geteuid() == 0, "only root can give files away"))
  func lockOwner() throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("a.lock")
    try FileSystem.create(path, mode: 0o666, contents: [1])
    #expect(unsafe chown(path, 12_345, 12_345) == 0)
    #expect(throws: FileLock.Failure.unusable(.belongsToAnother)) { try FileLock(path: path) }
    #expect(try FileSystem.read(path, limit: 10) == [1])
  }

  @Test("contain the lock owner's data while they are locked")
  func lockContents() throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("a.lock")
    let lock = try FileLock(path: path)
    try lock.write([1, 2, 3, 4])
    try lock.write([5, 6])
    #expect(try FileSystem.read(path, limit: 10) == [5, 6])
    #expect(lock.isFile(at: path))
    try FileSystem.remove(path)
    #expect(!lock.isFile(at: path))
    try FileSystem.create(path, mode: 0o600, contents: [7])
    #expect(!lock.isFile(at: path), "another file with the same name")
    lock.unlock()
    #expect(try FileSystem.read(path, limit: 10) == [7] && !lock.isFile(at: path))
    let second = try FileLock(path: path)
    try second.write([8])
    second.unlock()
    #expect(try FileSystem.read(path, limit: 10) == [])
  }

  @Test("are watched by directory: changes and removal are reported")
  func folderWatch() throws {
    let directory = try TemporaryDirectory()
    let folder = directory.file("folder")
    try FileSystem.makeDirectory(folder, mode: 0o700)
    let loop = try Loop()
    var names: Set<String?> = []
    let watch = try FolderWatch(loop: loop, folder) { names.insert($0) }
    // The watch alone would not keep the loop running.
    let timer = try Timer(loop: loop) {}
    timer.arm(after: .seconds(60))
    try FileSystem.create(folder + "/a", mode: 0o600, contents: [])
    while !names.contains("a"), loop.run(.once) {}
    names = []
    // Writes to a file must not be reported: a store writes many times a second.
    let file = try FileLock(path: folder + "/a")
    for _ in 0..<10 { try file.write([1]) }
    try FileSystem.create(folder + "/b", mode: 0o600, contents: [])
    while !names.contains("b"), loop.run(.once) {}
    #expect(names == ["b"])
    file.unlock()
    try FileSystem.remove(folder + "/b")
    try FileSystem.remove(folder + "/a")
    while !names.contains("a"), loop.run(.once) {}
    unsafe rmdir(folder)
    while !names.contains("folder"), loop.run(.once) {}
    #expect(names.isSuperset(of: ["a", "folder"]))
    #expect(throws: UVError.noSuchFile) { try FolderWatch(loop: loop, folder) { _ in } }
    timer.close()
    watch.close()
    loop.run()
    #expect(loop.openHandles == 0)
    try loop.close()
  }

  @Test(
    "have a parent directory",
    arguments: [("/a/b", "/a"), ("/a", "/"), ("/", nil), ("a", nil), ("a/b/c", "a/b")] as [(String, String?)])
  func parent(path: String, parent: String?) {
    #expect(FileSystem.parent(of: path) == parent)
  }

  @Test("have groups, which are looked up by name and by ID")
  func groups() throws {
    #expect(try Process.groupID(named: "root") == 0)
    #expect(throws: UVError.noSuchFile) { try Process.groupID(named: "no such group") }
    #expect(Process.groupName(of: 0) == "root" && Process.groupName(of: 4_000_000_000) == nil)
  }

  @Test("cause errors with libuv's name and description")
  func errors() {
    #expect(UVError.noSuchFile.name == "ENOENT")
    #expect(UVError.noSuchFile.description == "no such file or directory")
  }
}
