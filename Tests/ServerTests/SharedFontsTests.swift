import Engine
import Posts
import Testing
import ViewState

@testable import Services

@Suite("Fonts of views")
struct SharedFontsTests {
  private let ann = AccountID(1)
  private let bob = AccountID(2)

  /// Returns a layout with metrics of 60,000 advances, which take some 240 KiB.
  private func layout(_ number: UInt16) throws -> LayoutParameters {
    var layout = LayoutParameters(width: 80, height: 24)
    let run = AdvanceRun(first: 0x10000, advances: Array(repeating: number, count: 60_000))
    layout.points = try PointMetrics(sizes: PointSizes(lineHeight: 20), runs: [run])
    return layout
  }

  @Test("equal ones are one object, whoever declares them")
  func equal() throws {
    var fonts = SharedFonts()
    let one = try fonts.shared(layout(1), for: ann)
    let same = try fonts.shared(layout(1), for: bob)
    #expect(one.points === same.points)
    #expect(try fonts.shared(LayoutParameters(width: 80, height: 24), for: ann).points == nil)
  }

  @Test("an account may have 4 MiB of different ones in use, and others have theirs")
  func limit() throws {
    var fonts = SharedFonts()
    var held: [LayoutParameters] = []
    let refused = #expect(throws: EngineError.self) {
      for number in 1... { held.append(try fonts.shared(layout(UInt16(number)), for: ann)) }
    }
    #expect(refused?.code == .resourceExhausted && held.count == 17)
    // Those in use are known, and others are accepted again once some are not in use any more.
    #expect(try fonts.shared(layout(3), for: ann).points === held[2].points)
    #expect(try fonts.shared(layout(100), for: bob).points != nil)
    held.removeFirst()
    held.append(try fonts.shared(layout(101), for: ann))
  }
}
