/// English words for distances in time (docs/BEHAVIOUR.md, rules 23 and 24).
enum English {
  /// Returns "about 2 hours ago" or "in 5 minutes"; narrow "12s" or "in 5m".
  static func text(_ time: RelativeTime) -> String {
    if time.isNarrow {
      let text = "\(time.count)\(letter(time.unit))"
      return time.isAhead ? "in \(text)" : text
    }
    let words = words(time)
    return time.isAhead ? "in \(words)" : "\(words) ago"
  }

  private static func words(_ time: RelativeTime) -> String {
    let unit = name(time.unit)
    let quantity = time.count == 1 ? (time.nearness == .lessThan ? "a \(unit)" : "1 \(unit)") : "\(time.count) \(unit)s"
    return switch time.nearness {
    case .exactly: quantity
    case .lessThan: "less than \(quantity)"
    case .about: "about \(quantity)"
    case .over: "over \(quantity)"
    case .almost: "almost \(quantity)"
    }
  }

  private static func name(_ unit: TimeUnit) -> StaticString {
    switch unit {
    case .second: "second"
    case .minute: "minute"
    case .hour: "hour"
    case .day: "day"
    case .month: "month"
    case .year: "year"
    }
  }

  private static func letter(_ unit: TimeUnit) -> StaticString {
    switch unit {
    case .second: "s"
    case .minute: "m"
    case .hour: "h"
    case .day: "d"
    case .month: "mo"
    case .year: "y"
    }
  }
}
