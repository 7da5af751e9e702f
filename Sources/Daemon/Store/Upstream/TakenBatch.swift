public import Posts

/// A program's batch as the store took it.
public struct TakenBatch: Equatable, Sendable {
  /// What its posts and authors changed.
  public var report: ImportReport
  /// The answer to the program.
  public var result: UpstreamBatchResult

  public init(report: ImportReport = ImportReport(), result: UpstreamBatchResult) {
    (self.report, self.result) = (report, result)
  }
}
