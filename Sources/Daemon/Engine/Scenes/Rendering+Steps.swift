internal import Messages
internal import ViewState

/// Steps from one state of a scene to the next, encoded as frames.
extension Rendering {
  /// Returns the step from one state to another, made once for all views that take it. A step that is not `isShared` is
  /// not cached, since no other view can take it.
  mutating func step(from: Shown, to: Shown, isShared: Bool, _ limits: EngineLimits) -> Step {
    for known in steps where known.from === from && known.to === to { return known }
    let operations = to.snapshot.operations(from: from.snapshot)
    let body = FrameBody.encoding(operations)
    let step =
      body.byteCount <= limits.frames.bytes
      ? Step(from: from, to: to, reached: to, body: body) : Self.cut(operations, from: from, to: to, limits)
    guard isShared else { return step }
    if steps.count >= limits.caches.sharedSteps { steps.removeLast() }
    steps.insert(step, at: 0)
    return step
  }

  /// Returns as much of a step as fits into a frame, at least one operation or one row. New lines and labels of rows
  /// that stay go with the first piece, so that the frame's layout key and instant are true of everything held after
  /// it.
  private static func cut(_ all: [Operation], from: Shown, to: Shown, _ limits: EngineLimits) -> Step {
    let tail = all.filter(\.isAboutRowsThatStay)
    let operations = all.filter { !$0.isAboutRowsThatStay }
    var taken: [Operation] = []
    var room = limits.frames.bytes - FrameBody.encoding(tail).byteCount
    for operation in operations {
      let size = FrameBody.encoding([operation]).byteCount
      if size <= room {
        taken.append(operation)
        room -= size
        continue
      }
      if case .rowsInserted(let pane, let after, let rows) = operation {
        var fitting = rows.prefix { row in
          room -= row.row.encoded.count + Self.bytesAroundRow
          return room >= 0
        }
        if fitting.isEmpty, taken.isEmpty { fitting = rows.prefix(1) }
        if !fitting.isEmpty { taken.append(.rowsInserted(pane: pane, after: after, rows: Array(fitting))) }
      } else if taken.isEmpty {
        taken.append(operation)
      }
      break
    }
    guard taken.count < operations.count || taken.last != operations.last,
      let reached = try? from.snapshot.applying(taken + tail)
    else { return Step(from: from, to: to, reached: to, body: FrameBody.encoding(all)) }
    var snapshot = reached
    snapshot.labelsAtMilliseconds = to.snapshot.labelsAtMilliseconds
    snapshot.layoutKey = to.snapshot.layoutKey
    return Step(from: from, to: to, reached: Shown(snapshot), body: FrameBody.encoding(taken + tail))
  }

  /// Maximum size of a row's tags, lengths, caps and label in a frame, for a label of usual length.
  private static let bytesAroundRow = 80
}

extension Operation {
  /// True if it changes only lines or labels of rows that are held before and after.
  fileprivate var isAboutRowsThatStay: Bool {
    switch self {
    case .heightsChanged, .timesRefreshed, .clockMoved, .selectionChanged, .navigationChanged: true
    case .panePopped, .panePushed, .stackMoved, .rowsRemoved, .rowsInserted, .rowsChanged, .paneStatus: false
    }
  }
}

extension FrameBody {
  /// Size in bytes of the operations in a frame.
  var byteCount: Int { encoded?.count ?? 0 }
}
