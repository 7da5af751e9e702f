public import Messages

extension SourceMirror.Event {
  /// The record of a change: that of the source, after the name of the event.
  public var record: Record {
    let (name, source): (String, SourceSummary) =
      switch self {
      case .inserted(let source): ("inserted", source)
      case .changed(let source): ("changed", source)
      case .removed(let source): ("removed", source)
      }
    let record = source.record
    let suffix = name == "removed" ? [Record.Piece(" · ", .faint), Record.Piece("no longer listed")] : []
    return Record(
      [("event", .text(Array(name.utf8)))] + record.fields, lines: record.lines.map { $0 + suffix })
  }
}

extension SourceSummary {
  /// The record of a login or feed.
  public var record: Record {
    func instant(_ milliseconds: Int64) -> String {
      milliseconds == 0 ? "" : ISOInstant.text(milliseconds: milliseconds)
    }
    let (since, next) = (instant(status.sinceMilliseconds), instant(status.nextMilliseconds))
    let isFeed = feedID != 0
    func text(_ value: String) -> Record.Value { .text(Array(value.utf8)) }
    return Record(
      [
        ("source", text(source)), ("login", text(login)), ("feed", .identifier(feedID)),
        ("author_id", .identifier(authorID)), ("account", text(account)), ("url", text(url)), ("title", text(title)),
        ("private", .flag(isPrivate)), ("interval_minutes", .number(Int(settings.intervalMinutes))),
        ("lifts_edited", .flag(settings.liftsEdited)), ("shows_twice", .flag(settings.showsTwice)),
        ("keep", text(retention.keep.name)),
        ("own_keep", .flag(retention.isOwn)),
        ("removed_posts", .number(Int(clamping: retention.removedPosts))), ("state", text(status.state.name)),
        ("since", text(since)),
        ("next_at", text(next)), ("reason", text(status.reason)), ("history", .texts(status.history)),
      ],
      facts: [
        Record.Piece(isFeed ? "f\(feedID)" : source),
        Record.Piece(isFeed ? title : login == source ? "" : login),
        Record.Piece(
          status.state.shown
            + (since.isEmpty ? "" : " since \(ISOInstant.minute(milliseconds: status.sinceMilliseconds))"),
          status.state.isWell ? .faint : .plain),
        Record.Piece(
          next.isEmpty ? "" : "next at \(ISOInstant.minute(milliseconds: status.nextMilliseconds))", .faint),
        Record.Piece(status.reason), Record.Piece(retention.words, .faint),
      ])
  }

  /// The title of a feed, or its address until it has one.
  public var shownTitle: String { title.isEmpty ? url : title }

  /// The record of a feed that was added; as text, its number.
  public var numberRecord: Record { Record(record.fields, facts: [Record.Piece("f\(feedID)")]) }

  /// The record of a feed; as text, how it fares and its last checks, a line each.
  public var historyRecord: Record {
    let interval =
      settings.intervalMinutes == 0
      ? "as often as the feed says" : "every \(NumberText.count(settings.intervalMinutes, "minute", "minutes"))"
    let facts =
      ["\(shownTitle) (f\(feedID))", url, "read \(interval)"]
      + [retention.words].filter { !$0.isEmpty }
    return Record(
      record.fields,
      lines: facts.map { [Record.Piece($0)] } + record.lines + status.history.map { [Record.Piece($0, .faint)] })
  }
}

extension SourceState {
  /// The word for programs: that of docs/UPSTREAM.md, or empty if the source's program has said none.
  var name: String {
    switch self {
    case .unspecified: ""
    case .connecting: "connecting"
    case .live: "live"
    case .polling: "polling"
    case .waiting: "waiting"
    case .signedOut: "signed_out"
    case .failing: "failing"
    case .off: "off"
    }
  }

  /// The words for people.
  var shown: String {
    switch self {
    case .unspecified: "running"
    case .signedOut: "signed out"
    default: name
    }
  }

  /// True if everything is as it should be.
  public var isWell: Bool { [.unspecified, .connecting, .live, .polling].contains(self) }
}
