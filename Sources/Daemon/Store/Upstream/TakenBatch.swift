public import Posts

/// A program's batch as the store took it.
public struct TakenBatch: Equatable, Sendable {
  /// What its posts and authors changed.
  public var report: ImportReport
  /// The answer to the program.
  public var result: UpstreamBatchResult
  /// How far the account has read its lists at the source.
  public var markers: [TakenMarker] = []

  public init(report: ImportReport = ImportReport(), result: UpstreamBatchResult) {
    (self.report, self.result) = (report, result)
  }
}

/// How far an account has read a list at its source, as a place in the list here.
public struct TakenMarker: Equatable, Sendable {
  public var account: AccountID
  public var login: String
  public var list: UpstreamLists
  /// The place of the last post that was read; nil if nothing was, and above all posts if it is not known.
  public var place: OrderKey?
  /// The newest post of the list here that is not above that place; nil if there is none.
  public var post: PostID?
  /// See ``UpstreamMarker/isTaken``.
  public var isTaken: Bool
}
