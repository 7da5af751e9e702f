/// The units that labels count in.
public enum TimeUnit: UInt8, Hashable, Sendable {
  case second, minute, hour, day, month, year
}

/// A distance in time: a number of units, ago or ahead.
public struct RelativeTime: Hashable, Sendable {
  /// Relation of the count to the distance (docs/BEHAVIOUR.md, rule 23); used in English only.
  public enum Nearness: UInt8, Hashable, Sendable {
    case exactly, lessThan, about, over, almost
  }

  /// Not negative.
  public var count: Int64
  public var unit: TimeUnit
  public var nearness = Nearness.exactly
  public var isAhead: Bool
  /// True for the shortest form of the language.
  public var isNarrow = false
}
