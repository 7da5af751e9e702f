internal import CProtobufC
internal import ViewState
internal import WireProto

extension CArena {
  /// What a client holds, as it says it.
  func resume(_ resume: Resume) -> UnsafeMutablePointer<Stack__V1__Resume> {
    let message = unsafe make(stack__v1__resume__init)
    unsafe message.pointee.epoch = resume.epoch
    unsafe message.pointee.revision = resume.revision
    unsafe message.pointee.layout_key = resume.layoutKey
    unsafe message.pointee.labels_at_ms = resume.labelsAtMilliseconds
    unsafe message.pointee.n_panes = resume.panes.count
    unsafe message.pointee.panes = pointers(resume.panes) { pane in
      let held = unsafe make(stack__v1__held_pane__init)
      unsafe held.pointee.pane_id = pane.paneID
      unsafe held.pointee.n_row_ids = pane.rows.count
      unsafe held.pointee.row_ids = array(pane.rows.map(\.rowID))
      unsafe held.pointee.n_fingerprints = pane.rows.count
      unsafe held.pointee.fingerprints = array(pane.rows.map(\.fingerprint))
      unsafe held.pointee.n_caps = pane.rows.count
      unsafe held.pointee.caps = array(pane.rows.map { UInt32($0.caps.rawValue) })
      return unsafe held
    }
    return unsafe message
  }
}

/// Reads what a client says it holds. Columns of different lengths hold nothing that could be used: a pane without rows
/// would be a lie, so the whole of it counts as not said.
func readResume(_ pointer: UnsafeMutablePointer<Stack__V1__Resume>?) throws(DecodingFailure) -> Resume? {
  guard let pointer = unsafe pointer else { return nil }
  let message = unsafe pointer.pointee
  var resume = unsafe Resume(
    epoch: message.epoch, revision: message.revision, layoutKey: message.layout_key,
    labelsAtMilliseconds: message.labels_at_ms, panes: [])
  for index in unsafe 0..<message.n_panes {
    let pane = unsafe message.panes[index]!.pointee
    guard unsafe pane.n_fingerprints == pane.n_row_ids && pane.n_caps == pane.n_row_ids else { return nil }
    let rows = unsafe (0..<pane.n_row_ids).map { row in
      unsafe Resume.HeldRow(
        rowID: pane.row_ids[row], fingerprint: pane.fingerprints[row],
        caps: Caps(rawValue: UInt8(truncatingIfNeeded: pane.caps[row])))
    }
    unsafe resume.panes.append(Resume.HeldPane(paneID: pane.pane_id, rows: rows))
  }
  return resume
}
