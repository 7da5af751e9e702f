@testable import TextLayout

/// Wraps with the automaton alone, code point by code point: slow and short, the reference for all faster ways.
func referenceWrap(_ text: [UInt8], width: Int, profile: CellProfile) -> [UInt32] {
  let automaton = Automaton.unicode
  let span = text.span
  var ends: [UInt32] = []
  var state = 0
  var line = 0
  var column = 0
  var opportunity = (offset: 0, column: 0)
  var cluster = (offset: 0, column: 0)
  var offset = 0
  while offset < text.count {
    let (entry, length) = automaton.decode(span, at: offset)
    let transition = automaton.transition(state, entry.cls)
    state = transition.next
    if transition.mustBreak {
      ends.append(UInt32(offset))
      line = offset
      column = 0
    }
    let may = transition.mayBreak || transition.looksAhead && !automaton.digitFollows(span, from: offset + length)
    if may && transition.startsCluster { opportunity = (offset, column) }
    if transition.startsCluster { cluster = (offset, column) }
    column += transition.cells(Transition.widthShift + 2 * UInt32(profile.number))
    column -= transition.narrowing(profile.clusterWidth == .clusterText ? 1 : 0)
    offset += length
    guard column > width && !transition.hangs else { continue }
    if opportunity.offset > line {
      ends.append(UInt32(opportunity.offset))
      line = opportunity.offset
      column -= opportunity.column
      cluster.column -= opportunity.column
    }
    if column > width && cluster.offset > line {
      ends.append(UInt32(cluster.offset))
      line = cluster.offset
      column -= cluster.column
    }
  }
  return ends + [UInt32(text.count)]
}
