internal import ConnectorSupport

/// The cursors that the daemon has stored for a login: reading resumes there if the daemon refuses a batch.
struct StoredPlace {
  /// The cursors behind the last batch that is stored.
  private(set) var cursors: [String: String]
  /// The number of the last batch whose cursors do not count: it was sent behind one that was refused.
  private var lastUncounted: Int

  /// - Parameter lastUncounted: the number of the last batch before the login began.
  init(cursors: [String: String], lastUncounted: Int) {
    (self.cursors, self.lastUncounted) = (cursors, lastUncounted)
  }

  /// The daemon has stored a batch.
  mutating func stored(_ batch: BatchQueue.Batch) {
    if batch.number > lastUncounted { cursors.merge(batch.cursors.compactMapValues(\.self)) { $1 } }
  }

  /// The daemon has refused a batch; `last` is the last one that it was or will be sent. Returns true if reading is to
  /// go back to ``cursors``, false if it has for a batch before.
  mutating func refused(_ batch: BatchQueue.Batch, last: Int) -> Bool {
    guard batch.number > lastUncounted, !batch.isEmpty else { return false }
    lastUncounted = last
    return true
  }
}
