/// How many cells a terminal moves its cursor for a text: what a view declares once, and all measuring follows.
///
/// Terminals disagree about emoji and about East Asian Ambiguous characters, and about nothing else that matters here
/// (clients.md section 5). Widths are those of Unicode 15.0: wide and fullwidth characters 2, combining marks and
/// format characters 0, others 1. Printable ASCII is 1 in every profile, so ASCII texts are laid out alike in all of
/// them.
public struct CellProfile: Hashable, Sendable {
  /// What makes the width of a cluster of several code points.
  public enum ClusterWidth: UInt8, CaseIterable, Sendable {
    /// The sum of the widths of its code points: what xterm and VTE do. A family emoji of three people is 6 cells.
    case sum = 0
    /// The width of its widest code point, at most 2; 2 for a flag and for a character that VS16 makes an emoji: what
    /// terminals with mode 2027 do. A family emoji is 2 cells.
    case cluster = 1
  }

  /// The width of characters whose East Asian Width is Ambiguous, such as `°`, `“` or Cyrillic letters.
  public enum AmbiguousWidth: UInt8, CaseIterable, Sendable {
    case one = 1
    case two = 2
  }

  public var clusterWidth: ClusterWidth
  public var ambiguousWidth: AmbiguousWidth

  /// A profile; what a terminal that is not asked gets is sums with Ambiguous at one cell.
  public init(clusterWidth: ClusterWidth = .sum, ambiguousWidth: AmbiguousWidth = .one) {
    self.clusterWidth = clusterWidth
    self.ambiguousWidth = ambiguousWidth
  }

  /// The profile's place wherever the tables have something for each.
  @inline(__always) var number: Int { 2 * Int(clusterWidth.rawValue) + Int(ambiguousWidth.rawValue) - 1 }
}
