/// The one row of `meta`.
struct Meta: Equatable {
  /// See ``PostStore/epoch``; 0 in a backup.
  var epoch: UInt64
  /// See ``PostStore/revision``.
  var revision: UInt64
  /// The last post ID given.
  var lastPost: Int64
  /// True if the store was closed after the last write.
  var isClosed: Bool

  /// Reads the row; throws if it is missing, because the file is damaged then.
  init(of connection: Connection) throws(StoreError) {
    let found = try connection.first(MetaQuery.read) { row in
      Meta(
        epoch: UInt64(bitPattern: row.integer(0)), revision: UInt64(bitPattern: row.integer(1)),
        lastPost: row.integer(2), isClosed: row.integer(3) != 0)
    }
    guard let found else {
      throw StoreError(
        kind: .corrupt, message: "the store \(connection.path) is missing its metadata row; restore a backup")
    }
    self = found
  }

  init(epoch: UInt64, revision: UInt64, lastPost: Int64, isClosed: Bool) {
    (self.epoch, self.revision, self.lastPost, self.isClosed) = (epoch, revision, lastPost, isClosed)
  }

  /// Writes everything but the epoch.
  func save(to connection: Connection) throws(StoreError) {
    try connection.run(MetaQuery.save, Int64(bitPattern: revision), lastPost, isClosed)
  }
}
