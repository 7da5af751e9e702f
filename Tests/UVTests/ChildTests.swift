import Testing
import UV

@Suite("Programs that are started")
struct ChildTests {
  @Test(
    "one with this process's terminal says how it ended",
    arguments: [("exit 3", 3), ("kill -TERM $$", 143)] as [(String, Int32)])
  func foreground(script: String, status: Int32) throws {
    try withLoop { loop in
      var ended: Int32?
      let child = try ForegroundProcess(loop: loop, arguments: ["/bin/sh", "-c", script]) { ended = $0 }
      while ended == nil { loop.run(.once) }
      #expect(ended == status)
      child.close()
    }
  }

  @Test("one with pipes hears what is written to it, and is heard") func piped() throws {
    try withLoop { loop in
      var heard: [UInt8] = []
      var (ended, isOver): (Int32?, Bool) = (nil, false)
      let child = try PipedProcess(loop: loop, arguments: ["/bin/sh", "-c", "read line; echo \"heard $line\"; exit 4"])
      { ended = $0 }
      try child.output.startReadingArrays {
        heard += $0
      } onEnd: { _ in
        isOver = true
      }
      try child.input.write(Array("you\n".utf8))
      let alive = try Timer(loop: loop) {}
      alive.arm(after: .seconds(60))
      while ended == nil || !isOver { loop.run(.once) }
      alive.close()
      #expect(ended == 4 && String(decoding: heard, as: UTF8.self) == "heard you\n")
      for handle in [child, child.input, child.output] as [Handle] { handle.close() }
    }
  }

  @Test("one with pipes ends when its input does, or when it is told to", arguments: [false, true]) func pipedEnd(
    isTold: Bool
  ) throws {
    try withLoop { loop in
      var ended: Int32?
      let child = try PipedProcess(loop: loop, arguments: ["/bin/cat"]) { ended = $0 }
      if isTold { child.terminate() } else { child.input.close() }
      let alive = try Timer(loop: loop) {}
      alive.arm(after: .seconds(60))
      while ended == nil { loop.run(.once) }
      alive.close()
      #expect(ended == (isTold ? 143 : 0))
      // It has ended: nobody is told, and nobody else is.
      child.terminate()
      for handle in [child, child.input, child.output] as [Handle] { handle.close() }
    }
  }

  @Test("one with pipes that is not there is an error, and leaves nothing") func pipedMissing() throws {
    try withLoop { loop in
      #expect(throws: UVError.noSuchFile) {
        _ = try PipedProcess(loop: loop, arguments: ["/nowhere/at-all"]) { _ in Issue.record("it cannot end") }
      }
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
    #expect(throws: UVError.fileTooLarge) {
      try UV.Process.restoreTerminalOnCrash(writing: Array(repeating: 0, count: 513))
    }
  }
}
