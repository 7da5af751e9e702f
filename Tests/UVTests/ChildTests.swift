import Testing
import UV

@Suite("Child processes")
struct ChildTests {
  @Test(
    "a foreground process reports its exit status",
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

  @Test("a piped process receives input and returns output") func piped() throws {
    try withLoop { loop in
      var output: [UInt8] = []
      var (ended, isOver): (Int32?, Bool) = (nil, false)
      let child = try PipedProcess(loop: loop, arguments: ["/bin/sh", "-c", "read line; echo \"got $line\"; exit 4"]) {
        ended = $0
      }
      try child.output.startReadingArrays {
        output += $0
      } onEnd: { _ in
        isOver = true
      }
      try child.input.write(Array("you\n".utf8))
      let alive = try Timer(loop: loop) {}
      alive.arm(after: .seconds(60))
      while ended == nil || !isOver { loop.run(.once) }
      alive.close()
      #expect(ended == 4 && String(decoding: output, as: UTF8.self) == "got you\n")
      for handle in [child, child.input, child.output] as [Handle] { handle.close() }
    }
  }

  @Test("a piped process ends when its input is closed, or when it is terminated", arguments: [false, true])
  func pipedEnd(isTerminated: Bool) throws {
    try withLoop { loop in
      var ended: Int32?
      let child = try PipedProcess(loop: loop, arguments: ["/bin/cat"]) { ended = $0 }
      if isTerminated { child.terminate() } else { child.input.close() }
      let alive = try Timer(loop: loop) {}
      alive.arm(after: .seconds(60))
      while ended == nil { loop.run(.once) }
      alive.close()
      #expect(ended == (isTerminated ? 143 : 0))
      // It has ended: this signals neither it nor another process.
      child.terminate()
      for handle in [child, child.input, child.output] as [Handle] { handle.close() }
    }
  }

  @Test("a piped process that ignores SIGTERM is killed, and reaped") func stubborn() throws {
    try withLoop { loop in
      let child = try PipedProcess(
        loop: loop, arguments: ["/bin/sh", "-c", "trap '' TERM; echo ready; exec sleep 600"]
      ) { _ in Issue.record("its owner has given it up") }
      var isReady = false
      try child.output.startReadingArrays { _ in
        isReady = true
      } onEnd: { _ in
      }
      let alive = try Timer(loop: loop) {}
      alive.arm(after: .seconds(60))
      while !isReady { loop.run(.once) }
      child.end(within: .zero)
      while child.isOpen { loop.run(.once) }
      alive.close()
    }
  }

  @Test("a piped process that is ended keeps the loop running until then") func ending() throws {
    try withLoop { loop in
      let child = try PipedProcess(loop: loop, arguments: ["/bin/sleep", "600"]) { _ in }
      child.end(within: .seconds(600))
      loop.run()
      #expect(!child.isOpen)
    }
  }

  @Test("starting a missing program with pipes is an error, and leaves nothing open") func pipedMissing() throws {
    try withLoop { loop in
      #expect(throws: UVError.noSuchFile) {
        _ = try PipedProcess(loop: loop, arguments: ["/nowhere/at-all"]) { _ in Issue.record("it cannot end") }
      }
    }
  }

  @Test("starting a missing program is an error") func missing() throws {
    try withLoop { loop in
      #expect(throws: UVError.noSuchFile) {
        _ = try ForegroundProcess(loop: loop, arguments: ["/nowhere/at-all"]) { _ in Issue.record("it cannot end") }
      }
    }
  }

  @Test("final output is written if there is room") func finalOutput() throws {
    let directory = try TemporaryDirectory()
    try Descriptor(path: directory.file("a"), for: .appending).writeSoon(Array("done".utf8))
    #expect(try FileSystem.read(directory.file("a"), limit: 10) == Array("done".utf8))
  }

  @Test("crash output above its limit is refused") func crashPlan() {
    #expect(throws: UVError.fileTooLarge) {
      try UV.Process.restoreTerminalOnCrash(writing: Array(repeating: 0, count: 513))
    }
  }
}
