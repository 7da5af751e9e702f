import Testing
import UV

@Suite("Programs that are started")
struct ChildTests {
  @Test("one with this process's terminal says how it ended", arguments: [("exit 3", 3), ("kill -TERM $$", 143)] as [(String, Int32)])
  func foreground(script: String, status: Int32) throws {
    try withLoop { loop in
      var ended: Int32?
      let child = try ForegroundProcess(loop: loop, arguments: ["/bin/sh", "-c", script]) { ended = $0 }
      while ended == nil { loop.run(.once) }
      #expect(ended == status)
      child.close()
    }
  }

  @Test("one that is not there is an error") func missing() throws {
    try withLoop { loop in
      #expect(throws: UVError.noSuchFile) {
        _ = try ForegroundProcess(loop: loop, arguments: ["/nowhere/at-all"]) { _ in Issue.record("it cannot end") }
      }
    }
  }

  @Test("last words go out where there is room for them") func lastWords() throws {
    let directory = try TemporaryDirectory()
    try Descriptor(path: directory.file("a"), for: .appending).writeSoon(Array("done".utf8))
    #expect(try FileSystem.read(directory.file("a"), limit: 10) == Array("done".utf8))
  }

  @Test("more than a signal handler can hold is refused") func crashPlan() {
    #expect(throws: UVError.fileTooLarge) { try UV.Process.restoreTerminalOnCrash(writing: Array(repeating: 0, count: 513)) }
  }
}
