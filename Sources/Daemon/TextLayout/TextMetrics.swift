/// How wide text is: in cells of a terminal, or in 1/64 points of a proportional font.
///
/// Where a text is cut into lines, where its clusters begin and how it is searched for both is the same code for
/// either; only the widths that are added up come from elsewhere, and the unit of every width follows from it.
public enum TextMetrics: Hashable, Sendable {
  /// Widths in cells.
  case cells(CellProfile)
  /// Widths in 1/64 points.
  case advances(AdvanceTable)
}
