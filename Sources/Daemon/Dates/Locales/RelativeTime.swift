/// The units that labels count in.
public enum TimeUnit: UInt8, Hashable, Sendable {
  case second, minute, hour, day, month, year
}

/// A distance in time as it is said: so many units, about, ago or ahead.
public struct RelativeTime: Hashable, Sendable {
  /// How the count stands to the distance (rule 23); other languages than English say none of it.
  public enum Nearness: UInt8, Hashable, Sendable {
    case exactly, lessThan, about, over, almost
  }

  /// Not negative.
  public var count: Int64
  public var unit: TimeUnit
  public var nearness = Nearness.exactly
  public var isAhead: Bool
  /// Whether it is said as shortly as the language can.
  public var isNarrow = false
}
