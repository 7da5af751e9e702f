@testable import Messages
import TestSupport
import Testing
import ViewState

@Suite("Spliced messages have the same bytes as declared ones")
struct SplicingTests {
  /// Returns the view with the bytes of its rows encoded in advance.
  private func encoded(_ view: ViewSnapshot) -> ViewSnapshot {
    var view = view
    for pane in view.panes.indices {
      for row in view.panes[pane].rows.indices {
        let old = view.panes[pane].rows[row].row
        view.panes[pane].rows[row].row = .encoding(content: old.content, layout: old.layout)
      }
    }
    return view
  }

  @Test(
    "frames of every operation, with and without rows and operations encoded in advance",
    arguments: seeds(0..<300 as Range<UInt64>))
  func frames(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let held = RandomView.make(using: &random)
    var target = held
    for _ in 0..<5 { target = RandomView.change(target, using: &random) }
    target.layoutKey = .random(in: 0...9, using: &random)
    let spliced = encoded(target)
    var frames: [Frame] = []
    for view in [target, spliced] {
      var frame = Frame(
        number: seed, baseRevision: held.revision, to: view, reset: seed % 3 == 0 ? .cheaper : nil,
        operations: view.operations(from: encoded(held)))
      frame.pacing.ageMilliseconds = .random(in: 0...70_000, using: &random)
      frame.pacing.skipped = .random(in: 0...3, using: &random)
      frame.pacing.hasMore = seed % 2 == 0
      frames.append(frame)
      frame.body = .encoding(frame.operations)
      frames.append(frame)
    }
    for frame in frames {
      let bytes = frame.encoded()
      #expect(try Frame(decoding: bytes).encodedByDeclaration() == bytes, "seed \(seed)")
      #expect(try Frame(decoding: bytes) == frame, "seed \(seed)")
    }
  }

  @Test("responses with rows", arguments: seeds(0..<50 as Range<UInt64>)) func rows(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let rows = (1...5).map { RandomView.row($0, using: &random) }
    let response = GetRowsResponse(
      rows: rows, revision: seed, hasMore: seed % 2 == 0, labelsAtMilliseconds: .random(in: -9...9, using: &random),
      indent: Int(seed % 3))
    var spliced = response
    spliced.rows = response.rows.map { placed in
      var placed = placed
      placed.row = .encoding(content: placed.content, layout: placed.layout)
      return placed
    }
    #expect(spliced.encoded() == response.encoded())
  }

  @Test("a frame with the largest possible numbers") func extremes() throws {
    var frame = Frame()
    (frame.number, frame.epoch, frame.baseRevision, frame.revision) = (.max, .max, .max, .max)
    (frame.generations.layout, frame.generations.viewport, frame.reset) = (.max, .max, .cheaper)
    (frame.labelsAtMilliseconds, frame.sessionRevision) = (.min, .max)
    (frame.pacing.ageMilliseconds, frame.pacing.skipped, frame.pacing.hasMore, frame.layoutKey) = (
      .max, .max, true, .max
    )
    let bytes = frame.encoded()
    #expect(frame.encodedByDeclaration() == bytes)
    #expect(try Frame(decoding: bytes) == frame)
  }

  @Test("an empty frame has no bytes") func empty() { #expect(Frame().encoded() == []) }
}
