import ClientTransport
import Messages
import RPC
import Testing
import ViewState

@Suite("Attach and Watch")
struct ViewTests {
  @Test("only the first frame starts from nothing and has a welcome") func firstFrame() throws {
    try withBench { bench in
      let client = try bench.daemon().connect()
      let view = try client.watch()
      try view.waitForFirstFrame()
      let first = view.frames[0]
      #expect(first.number == 1 && first.reset == .first && first.baseRevision == 0 && first.generations.layout == 1)
      #expect(first.welcome?.session == "main" && first.welcome?.limits.requestBytes == 65_536)
      #expect(first.welcome?.limits.windowRows == 200 && first.welcome?.viewID ?? 0 != 0)
      #expect(view.mirror.panes.map(\.header.kind) == [.timeline])

      let post = try client.post("hello")
      try view.wait(for: "the post") { $0.topRows == [post.postID] }
      #expect(view.frames.dropFirst().allSatisfy { $0.reset == nil && $0.welcome == nil })
    }
  }

  @Test("a post inserts a row into other clients' views, at the response's revision or later")
  func postReachesViews() throws {
    try withBench { bench in
      let daemon = try bench.daemon()
      let writer = try daemon.connect()
      let watched = try daemon.connect().watch()
      let attached = try daemon.connect().attach()
      try watched.waitForFirstFrame()
      try attached.waitForFirstFrame()
      let answer = try writer.post("Otter. 🦦")
      for view in [watched, attached] {
        try view.wait(for: "the post") { $0.topRows == [answer.postID] }
        let frame = try #require(view.frame(inserting: answer.postID))
        #expect(frame.revision >= answer.revision && frame.baseRevision > 0 && frame.reset == nil)
        #expect(view.mirror.panes[0].rows[0].content.fields.text == Array("Otter. 🦦".utf8))
        #expect(view.mirror.panes[0].rows[0].caps == [.top, .bottom])
      }
    }
  }

  @Test("a new width changes heights and line ends but no rows, and matches a new view of that width")
  func layoutChange() throws {
    try withBench { bench in
      let client = try bench.daemon().connect()
      let text = String(repeating: "These words are cut into lines. ", count: 8)
      let post = try client.post(text)
      let view = try client.attach()
      try view.waitForFirstFrame()
      let oldHeight = view.mirror.panes[0].rows[0].layout.height
      var wide = LayoutParameters.test
      wide.width = 100
      try view.send(.layout(wide))
      try view.wait(for: "the other layout") { $0.layoutGeneration == 2 }
      let changed = view.laterOperations.compactMap { operation -> [UInt64]? in
        if case .heightsChanged(_, let rows) = operation { return rows.map(\.rowID) }
        return nil
      }
      #expect(changed == [[post.postID]])
      #expect(view.laterOperations.allSatisfy { $0.insertedRows.isEmpty })
      #expect(view.mirror.panes[0].rows[0].layout.height < oldHeight)

      var hello = Hello.test
      hello.layout = wide
      let fresh = try client.attach(hello)
      try fresh.waitForFirstFrame()
      #expect(fresh.mirror.panes[0].rows.map(\.layout) == view.mirror.panes[0].rows.map(\.layout))
    }
  }

  @Test("a view with two unacknowledged frames gets no more, and then one with everything it missed") func pacing()
    throws
  {
    try withBench { bench in
      let client = try bench.daemon().connect()
      let view = try client.attach(acknowledges: false)
      try view.waitForFirstFrame()
      let first = try client.post("first")
      try view.wait(for: "the second frame") { _ in view.frames.count == 2 }
      let second = try client.post("second")
      let third = try client.post("third")
      var viewport = ViewportParameters()
      viewport.generation = 7
      try view.send(.viewport(viewport))
      // Acknowledgements of frames that were never sent, and of frame 0, are ignored.
      for frame in [3, 99, UInt64.max, 0] { try view.send(.ack(frame)) }
      // Its response leaves after any frame that answers the move, which never waits for the pace.
      _ = try client.status()
      #expect(view.frames.count == 2)

      try view.send(.ack(2))
      try view.wait(for: "all it missed") { $0.viewportGeneration == 7 }
      #expect(view.frames.count == 3)
      #expect(view.mirror.topRows == [third, second, first].map(\.postID))
    }
  }

  @Test("a frame echoes the generation of a moved viewport, on Watch as well") func viewports() throws {
    try withBench { bench in
      let client = try bench.daemon().connect()
      let posts = try (1...60).map { try client.post("post \($0)").postID }
      var hello = Hello.test
      hello.layout.height = 8
      let view = try client.watch(hello)
      try view.waitForFirstFrame()
      #expect(view.mirror.topRows.first == posts.last && view.mirror.panes[0].status.rowCount == 60)
      #expect(!view.mirror.topRows.contains(posts[0]))

      var viewport = ViewportParameters()
      viewport.anchorRow = posts[0]
      viewport.generation = 3
      let id = try #require(view.frames[0].welcome).viewID
      _ = try client.call(Method.moveViewport, MoveViewportRequest(viewID: id, viewport: viewport), EmptyMessage.self)
      try view.wait(for: "the oldest post") { $0.viewportGeneration == 3 }
      #expect(view.mirror.topRows.last == posts[0])
      #expect(view.mirror.panes[0].status.rowsAbove == 60 - view.mirror.topRows.count)

      let unknown = MoveViewportRequest(viewID: id + 1000, viewport: viewport)
      #expect(try client.refusal(of: Method.moveViewport, unknown).code == .notFound)
    }
  }

  @Test("frames right after hello are handled, also on a daemon's first connection") func early() throws {
    try withBench { bench in
      let client = try bench.daemon().connect()
      let view = try client.attach()
      var viewport = ViewportParameters()
      viewport.generation = 5
      var wide = LayoutParameters.test
      wide.width = 100
      try view.send(.viewport(viewport))
      try view.send(.layout(wide))
      try view.wait(for: "both") { $0.viewportGeneration == 5 && $0.layoutGeneration == 2 }
    }
  }

  @Test("bye and half-closing both end Attach with OK", arguments: [true, false]) func leaving(saysBye: Bool) throws {
    try withBench { bench in
      let client = try bench.daemon().connect()
      let view = try client.attach()
      try view.waitForFirstFrame()
      if saysBye { try view.send(.bye) } else { view.call.closeSend() }
      #expect(try view.waitForEnd() == .ok)
      #expect(try client.status().viewCount == 0)
    }
  }

  @Test("hello must be the first client frame, and only the first") func helloComesFirst() throws {
    try withBench { bench in
      let client = try bench.daemon().connect()
      let twice = try client.attach()
      try twice.waitForFirstFrame()
      try twice.send(.hello(.test))
      #expect(try twice.waitForEnd().code == .failedPrecondition)

      let never = TestView(bench: bench, call: try client.channel.start(Method.attach), acknowledges: false)
      try never.send(.ack(1))
      #expect(try never.waitForEnd().code == .failedPrecondition)
    }
  }

  @Test(
    "an unknown client frame is skipped, but does not replace hello", arguments: [[], [0x7A, 0], [0x7A, 2, 8, 1]])
  func unknownFrames(bytes: [UInt8]) throws {
    try withBench { bench in
      let client = try bench.daemon().connect()
      let view = try client.attach()
      try view.waitForFirstFrame()
      try view.call.send(bytes)
      let post = try client.post("it goes on").postID
      try view.wait(for: "the post") { $0.topRows.first == post }

      let never = TestView(bench: bench, call: try client.channel.start(Method.attach), acknowledges: false)
      try never.call.send(bytes)
      #expect(try never.waitForEnd().code == .failedPrecondition)
    }
  }

  @Test("view numbers differ between runs of the daemon, and stay below 2^53") func viewNumbers() throws {
    var numbers: Set<UInt64> = []
    for _ in 0..<3 {
      try withBench { bench in
        let client = try bench.daemon().connect()
        for _ in 0..<2 {
          let view = try client.attach()
          try view.waitForFirstFrame()
          numbers.insert(try #require(view.frames[0].welcome).viewID)
        }
      }
    }
    #expect(numbers.count == 6 && numbers.allSatisfy { $0 > 0 && $0 < 1 << 53 })
  }

  /// Invalid layouts, and the field that each error names.
  static let badLayouts: [(LayoutParameters, String)] = {
    var zone = LayoutParameters.test
    zone.timeZone = "Europe/Atlantis"
    var escape = LayoutParameters.test
    escape.timeZone = "../../etc/passwd"
    return [
      (zone, "layout.time_zone"), (escape, "layout.time_zone"),
      (LayoutParameters(width: 0, height: 24), "layout.width"),
      (LayoutParameters(width: 10_001, height: 24), "layout.width"),
      (LayoutParameters(width: 80, height: 0), "layout.height"),
    ]
  }()

  @Test("an invalid layout is INVALID_ARGUMENT, naming the field", arguments: badLayouts)
  func badLayout(layout: LayoutParameters, field: String) throws {
    try withBench { bench in
      let client = try bench.daemon().connect()
      var hello = Hello.test
      hello.layout = layout
      let ends = [
        try client.refusal(of: Method.getRows, GetRowsRequest(layout: layout)),
        try client.watch(hello).waitForEnd(), try client.attach(hello).waitForEnd(),
      ]
      for end in ends {
        #expect(end.code == .invalidArgument)
        #expect(end.message.contains(field))
      }
    }
  }

  @Test("a session's name has at most 64 bytes") func sessionName() throws {
    try withBench { bench in
      let client = try bench.daemon().connect()
      var hello = Hello.test
      hello.session = String(repeating: "s", count: 65)
      let end = try client.watch(hello).waitForEnd()
      #expect(end.code == .invalidArgument && end.message.contains("session"))
    }
  }
}
