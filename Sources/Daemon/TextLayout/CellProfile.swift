/// The rules by which a terminal advances its cursor. A view declares them once, and all measuring uses them.
///
/// Terminals disagree about emoji and about East Asian Ambiguous characters, and about nothing else that matters here.
/// Widths are those of Unicode 15.0: 2 for wide and fullwidth characters, 0 for combining marks and format characters,
/// 1 for others. Printable ASCII is 1 in every profile, so ASCII texts have the same layout in all of them.
public struct CellProfile: Hashable, Sendable {
  /// The rule for the width of a cluster of several code points.
  public enum ClusterWidth: UInt8, CaseIterable, Sendable {
    /// The sum of the widths of its code points, as in xterm and VTE. A family emoji of three people takes 6 cells.
    case sum = 0
    /// The width of its widest code point, at most 2; 2 for a flag and for a character that VS16 makes an emoji. This
    /// is the rule of contour and WezTerm. A family emoji takes 2 cells.
    case cluster = 1
    /// The same, except that an emoji that VS15 makes text takes 1, as in kitty, foot and ghostty.
    case clusterText = 2
  }

  /// The width of characters whose East Asian Width is Ambiguous, such as `°`, `“` or Cyrillic letters.
  public enum AmbiguousWidth: UInt8, CaseIterable, Sendable {
    case one = 1
    case two = 2
  }

  public var clusterWidth: ClusterWidth
  public var ambiguousWidth: AmbiguousWidth

  /// Creates a profile. The default, for terminals that are not queried, is sums with Ambiguous at one cell.
  public init(clusterWidth: ClusterWidth = .sum, ambiguousWidth: AmbiguousWidth = .one) {
    self.clusterWidth = clusterWidth
    self.ambiguousWidth = ambiguousWidth
  }

  /// The index of the profile in tables of cells. Both rules for clusters have the same ones; VS15 is a bit of its own.
  @inline(__always) var number: Int { (clusterWidth == .sum ? 0 : 2) + Int(ambiguousWidth.rawValue) - 1 }
}
