internal import Dates
internal import HTTPSupport

/// Computes when a feed is checked next.
enum CheckTimes {
  /// Minutes between checks of a feed that says nothing else.
  static let usualMinutes = 60
  /// The longest interval, in minutes: 7 days.
  static let limitMinutes = 7 * 1_440
  /// The intervals a person may set, in minutes.
  static let settableMinutes = 15...limitMinutes
  /// Minutes between looks at a file, which are cheap: also after a failure.
  static let fileMinutes = settableMinutes.lowerBound
  /// The shortest interval for a server that sends no validators, so that every check costs it the whole document.
  static let unconditionalMinutes = 360

  /// Returns the time of the next check after one at `now` that reached the feed and left this record.
  ///
  /// - Parameter spread: from -1 to 1, at random: feeds that were added together do not stay together.
  static func next(after now: Instant, record: FeedRecord, spread: Double) -> Instant {
    let next: Instant
    if let wanted = record.wantedMinutes {
      next = spreading(wanted, after: now, spread)
    } else if record.url.isFile {
      next = spreading(fileMinutes, after: now, spread)
    } else {
      var minutes = unset(record, now: now)
      if record.validators.isEmpty { minutes = max(minutes, unconditionalMinutes) }
      // Never earlier than the feed itself allows.
      let limit = now.adding(milliseconds: Int64(limitMinutes) * 60_000)
      let allowed = min(record.freshUntil ?? now, limit)
      next = afterSkipped(max(spreading(minutes, after: now, spread), allowed), record.pace)
    }
    return max(next, record.retryAfter ?? next)
  }

  /// Returns the time of the next check of `url` after the `count`th failure in a row: 1, 2, 4 … hours, at most 7 days.
  static func next(
    after now: Instant, of url: WebURL, failures count: Int, retryAfter: Instant?, spread: Double
  ) -> Instant {
    let minutes = url.isFile ? fileMinutes : min(60 << min(max(0, count - 1), 10), limitMinutes)
    let next = spreading(minutes, after: now, spread)
    return max(next, retryAfter ?? next)
  }

  /// Returns the interval in minutes of a feed without one that a person has set.
  private static func unset(_ record: FeedRecord, now: Instant) -> Int {
    let fresh = record.freshUntil.map { Int(($0.seconds - now.seconds + 59) / 60) }
    let asked = max(record.pace.minutes ?? 0, fresh ?? 0)
    guard asked == 0 else { return min(max(asked, usualMinutes), limitMinutes) }
    guard let halfPause = record.pace.halfPause else { return usualMinutes }
    return [1_440, 480, 240, 120].first { $0 <= halfPause } ?? usualMinutes
  }

  private static func spreading(_ minutes: Int, after now: Instant, _ spread: Double) -> Instant {
    let milliseconds = Double(minutes) * 60_000
    return now.adding(milliseconds: Int64(milliseconds + milliseconds / 10 * min(max(spread, -1), 1)))
  }

  /// Returns the first time from `time` on that is in no hour and on no day that the feed skips, in GMT. A feed that
  /// skips everything is asked as if it skipped nothing.
  private static func afterSkipped(_ time: Instant, _ pace: FeedPace) -> Instant {
    guard !pace.skippedHours.isEmpty || !pace.skippedDays.isEmpty else { return time }
    var hour = time.seconds / 3600
    for _ in 0..<(7 * 24) {
      let day = CivilDate(daysSinceEpoch: Int(hour / 24)).weekday
      if !pace.skippedHours.contains(Int(hour % 24)), !pace.skippedDays.contains(day) {
        return max(time, Instant(seconds: hour * 3600))
      }
      hour += 1
    }
    return time
  }
}
