/// The measure of text widths: cells of a terminal, or 1/64 points of a proportional font.
///
/// Wrapping, clusters and search use the same code for both. Only the source of the widths differs, and with it the
/// unit of every width.
public enum TextMetrics: Hashable, Sendable {
  /// Widths in cells.
  case cells(CellProfile)
  /// Widths in 1/64 points.
  case advances(AdvanceTable)
}
