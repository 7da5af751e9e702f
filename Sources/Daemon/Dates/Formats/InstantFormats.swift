/// Parsers for the fixed formats in which sources write instants.
///
/// Each parser reads fields by position, checks every byte and the range of every field, and honours the offset
/// (docs/BEHAVIOUR.md, rule 25). `nil` means that the text is not in the format; nothing is guessed. A leap second
/// (`:60`) becomes the first second of the next minute, as in POSIX time. No parser allocates; each is O(length).
extension Instant {
  /// Reads Twitter's `created_at`, `Wed Oct 10 20:19:24 +0000 2018`: always 30 bytes, English names.
  ///
  /// The weekday must be a valid name but need not match the date, which is complete without it.
  public init?(twitter text: Span<UInt8>) {
    guard text.count == 30, Fields.isWeekday(text, at: 0),
      Fields.match(text, at: 3, 0x20), Fields.match(text, at: 7, 0x20), Fields.match(text, at: 10, 0x20),
      Fields.match(text, at: 19, 0x20), Fields.match(text, at: 25, 0x20),
      let month = Fields.month(text, at: 4), let day = Fields.number(text, at: 8, digits: 2),
      let time = Fields.clock(text, at: 11), Fields.match(text, at: 16, 0x3A),
      let second = Fields.second(text, at: 17),
      let offset = Fields.offset(text, at: 20), offset.end == 25,
      let year = Fields.number(text, at: 26, digits: 4),
      let days = GregorianCalendar.days(year: year, month: month, day: day)
    else { return nil }
    self.init(seconds: Int64(days) * 86_400 + Int64(time + second - offset.seconds))
  }

  /// Reads Twitter's `created_at` from an array; see the initializer for spans.
  public init?(twitter text: [UInt8]) { self.init(twitter: text.span) }

  /// Reads ISO 8601 in the profile of RFC 3339: `2018-10-10T20:19:24Z`, `2018-10-10 20:19:24.123+02:00`.
  ///
  /// `T` may be `t` or a space, and `Z` may be `z`. Seconds are optional; they may have a fraction of any length, which
  /// is truncated to milliseconds, so that an instant is never later than written. An offset is `+02:00`, `+0200` or
  /// `+02` and may follow a space, as in the first Twitter archives. It is required: a civil time without an offset is
  /// not an instant. Covers Mastodon (milliseconds), ActivityPub archives (no fraction), property lists, JSON Feed and
  /// Atom.
  public init?(iso8601 text: Span<UInt8>) {
    guard text.count >= 17, let days = Fields.date(text, at: 0),
      Fields.match(text, at: 10, 0x54) || Fields.match(text, at: 10, 0x74) || Fields.match(text, at: 10, 0x20),
      let time = Fields.timeOfDay(text, at: 11)
    else { return nil }
    let zone = Fields.match(text, at: time.end, 0x20) ? time.end + 1 : time.end
    guard let offset = Fields.offset(text, at: zone), offset.end == text.count else { return nil }
    let milliseconds = time.milliseconds - Int64(offset.seconds) * 1000
    self.init(milliseconds: Int64(days) * 86_400_000 + milliseconds)
  }

  /// Reads ISO 8601 from an array; see the initializer for spans.
  public init?(iso8601 text: [UInt8]) { self.init(iso8601: text.span) }
}
