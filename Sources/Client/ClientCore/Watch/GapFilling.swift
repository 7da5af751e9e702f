public import ViewState

/// Decides what is reported of the rows that were fetched for a gap: all of them, unless more than a thousand would be
/// left out.
public enum GapFilling {
  /// The number of rows reported of a gap that is not filled, the newest ones; more than this are left out.
  static let reportedRows = 1000
  /// The number of rows to fetch, at most: one more than are reported of a gap that is filled.
  public static let fetchedRows = 2 * reportedRows + 1

  /// Returns the events for `rows`, which are newest first and strictly between `newer` and `older`, and at most
  /// ``fetchedRows``.
  public static func events(_ rows: [PlacedRow], newer: RowPosition, older: RowPosition?) -> [TimelineEvent] {
    let isFilled = rows.count < fetchedRows
    let reported = isFilled ? rows[...] : rows.prefix(reportedRows)
    let rest: [TimelineEvent] = isFilled ? [] : [.gap(newer: reported.last?.position ?? newer, older: older)]
    return rest + reported.reversed().map { .inserted($0) }
  }
}
