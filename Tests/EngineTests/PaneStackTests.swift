import Engine
import Posts
import TestSupport
import Testing

@Suite("Pane stack and history")
struct PaneStackTests {
  private func conversation(_ id: Int64) -> PaneContent { .conversation(PostID(id)) }

  /// Returns the timeline with conversations 40, 41, … on it, as panes 1, 2, 3, …
  private func stack(_ pushed: Int) throws -> PaneStack {
    var stack = PaneStack()
    for number in 0..<pushed { _ = try stack.push(conversation(40 + Int64(number)), from: 0, limit: 64) }
    return stack
  }

  private func ids(_ stack: PaneStack) -> [UInt64] { stack.panes.map(\.id) }

  @Test("a push from a pane removes those above it and leaves that pane unchanged") func push() throws {
    var stack = try stack(3)
    _ = try stack.select(7, in: 2)
    _ = try stack.resize(2, to: 40)
    #expect(try stack.push(conversation(9), wantedWidth: 30, from: 2, limit: 64) == 5)
    #expect(ids(stack) == [1, 2, 5])
    #expect(stack.panes[1].selection == 7 && stack.panes[1].wantedWidth == 40 && stack.top.wantedWidth == 30)
  }

  @Test("pop removes the topmost pane, pop-to all above a pane") func pops() throws {
    var stack = try stack(4)
    #expect(try stack.pop() == 5 && ids(stack) == [1, 2, 3, 4])
    #expect(try stack.pop(to: 2) == 2 && ids(stack) == [1, 2])
    #expect(try stack.pop(to: 2) == 2 && ids(stack) == [1, 2], "nothing is above it")
    #expect(try stack.back() == 4, "pop-to made no state")
  }

  @Test("replace swaps a pane and removes those above it") func replace() throws {
    var stack = try stack(3)
    #expect(try stack.replace(3, with: conversation(9)) == 5 && ids(stack) == [1, 2, 5])
    #expect(try stack.replace(0, with: conversation(8), wantedWidth: 20) == 6 && ids(stack) == [1, 2, 6])
    #expect(stack.top.content == conversation(8) && stack.top.wantedWidth == 20)
  }

  @Test("drop all leaves the root without a selection, and back cancels it") func dropAll() throws {
    var stack = try stack(3)
    _ = try stack.select(40, in: 1)
    let before = stack.panes
    #expect(stack.dropAll() == 1 && ids(stack) == [1] && stack.top.selection == 0)
    _ = try stack.back()
    #expect(stack.panes == before)
  }

  @Test("opening a section removes every pane and makes it the root with a new ID") func open() throws {
    var stack = try stack(2)
    #expect(stack.open(.timeline) == 4 && ids(stack) == [4])
    _ = try stack.back()
    #expect(ids(stack) == [1, 2, 3])
  }

  @Test("invalid commands are refused and leave the stack unchanged") func refusals() throws {
    var stack = try stack(2)
    let before = stack
    func code(_ command: (inout PaneStack) throws(EngineError) -> UInt64) -> EngineError.Code? {
      do throws(EngineError) {
        _ = try command(&stack)
        return nil
      } catch { return error.code }
    }
    var root = PaneStack()
    #expect(throws: EngineError.self) { try root.pop() }
    #expect(
      code { stack throws(EngineError) in try stack.push(.conversation(PostID(1)), from: 9, limit: 64) } == .notFound)
    #expect(
      code { stack throws(EngineError) in try stack.push(.conversation(PostID(1)), from: 0, limit: 3) }
        == .resourceExhausted)
    #expect(code { stack throws(EngineError) in try stack.pop(to: 9) } == .notFound)
    #expect(
      code { stack throws(EngineError) in try stack.replace(1, with: .conversation(PostID(1))) } == .failedPrecondition)
    #expect(code { stack throws(EngineError) in try stack.forward() } == .failedPrecondition)
    #expect(code { stack throws(EngineError) in try stack.select(1, in: 9) } == .notFound)
    #expect(code { stack throws(EngineError) in try stack.resize(9, to: 1) } == .notFound)
    #expect(code { stack throws(EngineError) in try stack.collapse(PostID(1), true, in: 1) } == .failedPrecondition)
    for post in 1...Int64(PaneStack.maximumCollapsed) { _ = try stack.collapse(PostID(post), true, in: 0) }
    #expect(code { stack throws(EngineError) in try stack.collapse(PostID(999), true, in: 0) } == .resourceExhausted)
    for post in 1...Int64(PaneStack.maximumCollapsed) { _ = try stack.collapse(PostID(post), false, in: 0) }
    #expect(stack == before)
  }

  @Test("back and forward move along states; a new command drops those ahead") func history() throws {
    var stack = try stack(2)
    _ = try stack.pop()
    _ = try stack.back()
    #expect(ids(stack) == [1, 2, 3])
    _ = try stack.back()
    _ = try stack.back()
    #expect(ids(stack) == [1] && (try? stack.back()) == nil)
    _ = try stack.forward()
    #expect(ids(stack) == [1, 2])
    _ = try stack.push(conversation(9), from: 0, limit: 64)
    #expect(ids(stack) == [1, 2, 4] && (try? stack.forward()) == nil, "ids are never reused")
  }

  @Test("widths and collapsed posts survive back and forward; selections come back")
  func wishes() throws {
    var stack = try stack(1)
    _ = try stack.select(40, in: 1)
    _ = try stack.push(conversation(41), from: 1, limit: 64)
    _ = try stack.select(41, in: 1)
    _ = try stack.resize(1, to: 33)
    _ = try stack.back()
    #expect(stack.panes[0].selection == 40 && stack.panes[0].wantedWidth == 33)
    _ = try stack.collapse(PostID(5), true, in: 2)
    _ = try stack.forward()
    #expect(stack.panes[0].selection == 41)
    _ = try stack.back()
    #expect(stack.panes[1].collapsed == [PostID(5)])
  }

  @Test("at most 100 states are kept; the oldest is dropped") func limit() throws {
    var stack = PaneStack()
    for number in 0..<300 { _ = try stack.push(conversation(Int64(number)), from: 1, limit: 64) }
    var states = 1
    while (try? stack.back()) != nil { states += 1 }
    #expect(states == 100 && stack.panes.count == 2)
    #expect(stack.rememberedPanes.count == 101)
  }

  @Test("closing panes of a removed subject removes them from every state, and no others") func close() throws {
    var stack = try stack(3)
    _ = try stack.pop(to: 2)
    _ = try stack.back()
    #expect(stack.close { $0 == conversation(41) })
    #expect(ids(stack) == [1, 2, 4])
    _ = try stack.back()
    #expect(ids(stack) == [1, 2], "without it two states are the same")
    _ = try stack.back()
    #expect(ids(stack) == [1] && !stack.rememberedPanes.contains(3))
    _ = try stack.forward()
    _ = try stack.forward()
    _ = try stack.forward()
    #expect(ids(stack) == [1, 2] && (try? stack.forward()) == nil)
    #expect(!stack.close { $0 == .timeline }, "a root stays")
  }

  @Test(
    "after any commands there is a root, IDs are new, and history is intact", arguments: seeds(0..<100 as Range<UInt64>)
  )
  func laws(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var stack = PaneStack()
    // The states as they were left, and the index of the current one.
    var states = [[UInt64(1)]]
    var at = 0
    var greatest: UInt64 = 1
    for step in 0..<200 {
      let pane = stack.panes.randomElement(using: &random)!.id
      let before = stack.panes
      switch Int.random(in: 0...9, using: &random) {
      case 0...2: _ = try stack.push(conversation(Int64(step)), from: pane, limit: 64)
      case 3: _ = try? stack.pop()
      case 4: _ = try stack.pop(to: pane)
      case 5: _ = try? stack.replace(pane, with: conversation(Int64(step)))
      case 6: if Int.random(in: 0...5, using: &random) == 0 { _ = stack.dropAll() }
      case 7: if (try? stack.back()) != nil { at -= 1 }
      case 8: if (try? stack.forward()) != nil { at += 1 }
      default:
        _ = try stack.resize(pane, to: .random(in: 0...90, using: &random))
        _ = try stack.select(.random(in: 0...9, using: &random), in: pane)
      }
      let shown = ids(stack)
      if at < states.count, at >= 0, shown == states[at] { continue }
      #expect(shown != before.map(\.id), "seed \(seed)")
      states.removeSubrange((at + 1)...)
      states.append(shown)
      if states.count > 100 { states.removeFirst() }
      at = states.count - 1
      #expect(Set(shown).count == shown.count && stack.panes[0].content == .timeline, "seed \(seed)")
      for id in shown where !before.map(\.id).contains(id) {
        #expect(id > greatest, "seed \(seed)")
        greatest = id
      }
      if step % 10 == 0 { #expect(PaneStack(decoding: stack.encoded) == stack, "seed \(seed)") }
    }
  }
}

@Suite("Pane stack encoding")
struct PaneStackCodecTests {
  @Test("the encoding is readable text and decodes to the same stack") func text() throws {
    var stack = PaneStack()
    _ = try stack.push(.conversation(PostID(42)), wantedWidth: 40, from: 0, limit: 64)
    _ = try stack.select(42, in: 1)
    _ = try stack.collapse(PostID(43), true, in: 2)
    _ = try stack.fold(PostID(44), false, in: 2)
    _ = try stack.push(.conversation(PostID(-5)), from: 0, limit: 64)
    _ = try stack.back()
    let text = """
      stack 2
      next 4
      pane 1 timeline
      pane 2 conversation 42
      width 2 40
      collapsed 2 43
      unfolded 2 44
      pane 3 conversation -5
      past 1
      shown 1/42 2
      future 1/42 2 3

      """
    #expect(String(decoding: stack.encoded, as: UTF8.self) == text)
    #expect(PaneStack(decoding: Array(text.utf8)) == stack)
  }

  @Test("the previous version's encoding is read") func older() throws {
    let old = "stack 1\nnext 3\npane 1 timeline\npane 2 conversation 42\n"
    let stack = try #require(PaneStack(decoding: Array(old.utf8)))
    var expected = PaneStack()
    _ = try expected.push(.conversation(PostID(42)), from: 0, limit: 64)
    #expect(stack.panes == expected.panes && stack.rememberedPanes == [1, 2])
    var again = stack
    #expect(try again.push(.conversation(PostID(1)), from: 0, limit: 64) == 3)
  }

  @Test(
    "malformed stacks are refused",
    arguments: [
      "", "stack 3\nnext 2\npane 1 timeline\nshown 1\n", "stack 1\n", "stack 1\nnext 2\npane 1 conversation 4\n",
      "stack 1\nnext 1\npane 1 timeline\n", "stack 1\nnext 9\npane 1 timeline\npane 1 conversation 4\n",
      "stack 1\nnext 9\npane 1 timeline\npane 2 timeline\n", "stack 2\n", "stack 2\nnext 9\npane 1 timeline\n",
      "stack 2\nnext 9\npane 1 timeline\nshown 2\n", "stack 2\nnext 9\npane 1 timeline\nshown 1 1\n",
      "stack 2\nnext 9\npane 1 conversation 2\nshown 1\n", "stack 2\nnext 1\npane 1 timeline\nshown 1\n",
      "stack 2\nnext 9\npane 0 timeline\nshown 0\n",
    ])
  func damage(text: String) { #expect(PaneStack(decoding: Array(text.utf8)) == nil) }

  @Test("unknown lines, panes and states of a later version are skipped") func unknown() throws {
    let text = """
      stack 2
      weather fine
      next 9
      pane 1 timeline blue
      pane 2 timeline
      pane 3 weather x
      pane 4 conversation 7
      width 4 99999
      past 1 4
      past 2
      shown 2 3 4/x 5
      future 2 4/7/8
      future 9

      """
    var stack = try #require(PaneStack(decoding: Array(text.utf8)))
    #expect(
      stack.panes.map(\.id) == [2, 4] && stack.top.wantedWidth == PaneStack.maximumWidth && stack.top.selection == 0)
    #expect(try stack.back() == 2 && (try? stack.back()) == nil)
    #expect(try stack.forward() == 4 && (try stack.forward()) == 4 && (try? stack.forward()) == nil)
  }

  @Test("the largest possible stack fits the store's limit for a session") func largest() throws {
    var stack = PaneStack()
    for number in 0..<500 {
      // Each pane is opened from the topmost but one, so that every state has the maximum number of panes.
      let origin = number < 63 ? 0 : stack.panes[62].id
      let pane = try stack.push(.conversation(PostID(.max)), wantedWidth: 10_000, from: origin, limit: 64)
      for post in 0..<Int64(PaneStack.maximumCollapsed) { _ = try stack.collapse(PostID(.max - post), true, in: pane) }
      _ = try stack.select(.max, in: pane)
    }
    #expect(stack.panes.count == 64)
    #expect(stack.encoded.count < 1 << 20)
  }
}
