internal import Posts

/// How far programs have read, in their own words, by source and login or feed.
struct Cursors {
  private let connection: Connection

  init(_ connection: Connection) { self.connection = connection }

  /// Returns the cursors of a login or feed.
  func cursors(of subject: UpstreamSubject, at source: Int64) throws(StoreError) -> [String: String] {
    let rows = try connection.rows(UpstreamQuery.cursors, source, subject.name) { ($0.text(0), $0.text(1)) }
    return Dictionary(uniqueKeysWithValues: rows)
  }

  /// Throws if a login or feed would have too many cursors with those of a batch.
  func check(_ batch: UpstreamBatch, at source: Int64) throws {
    guard !batch.cursors.isEmpty else { return }
    let after = try cursors(of: batch.subject, at: source).merging(batch.cursors.compactMapValues { $0 }) { $1 }
    guard after.count <= UpstreamBatch.cursorLimit else {
      throw Refusal.tooMany("cursors", limit: UpstreamBatch.cursorLimit)
    }
    guard after.values.reduce(0, { $0 + $1.utf8.count }) <= UpstreamBatch.cursorBytes else {
      throw Refusal.tooLong("the cursors", limit: UpstreamBatch.cursorBytes)
    }
  }

  /// Sets and removes the cursors that a batch names. No frame shows them, so they have no revision.
  func save(_ batch: UpstreamBatch, at source: Int64) throws(StoreError) {
    for (name, value) in batch.cursors {
      if let value {
        try connection.run(UpstreamQuery.saveCursor, source, batch.subject.name, name, value)
      } else {
        try connection.run(UpstreamQuery.deleteCursor, source, batch.subject.name, name)
      }
    }
  }
}
