internal import Dates
internal import HTTPSupport
internal import Ingest
internal import Posts

/// What a check of a feed brings.
extension FeedConnector {
  mutating func fetched(_ check: Int, _ response: FeedResponse, at now: Instant) {
    guard let name = checks[check], let feed = feeds[name] else { return }
    let fields = ResponseFields(response.fields, now: now)
    guard response.status == 200, let url = response.url else {
      checks[check] = nil
      let (outcome, words) = Self.outcome(response, fields)
      return ended(name, response, outcome, words, at: now)
    }
    feeds[name]?.response = response
    feeds[name]?.response?.body = []
    effects.append(
      .parse(
        FeedParseJob(
          check: check, feed: name, document: response.body, charset: fields.charset, url: url,
          known: feed.memory.known, liftsEdited: feed.told.liftsEdited, now: now)))
  }

  private static func outcome(_ response: FeedResponse, _ fields: ResponseFields) -> (CheckOutcome, String) {
    switch response.status {
    case 0: (.failed, response.failure.shortened)
    case 304: (.unchanged, "not changed (304)")
    case 410: (.gone, "gone for good (410)")
    case 401, 403: (.failed, "the server refuses it (\(response.status))")
    case 404: (.failed, "there is nothing at this address (404)")
    case 429: (.failed, "the server asks for patience (429)")
    case 500...: (.failed, "the server has a problem (\(response.status))")
    default: (.failed, "an unexpected response (\(response.status))")
    }
  }

  mutating func parsed(_ outcome: FeedParseOutcome, at now: Instant) {
    guard let name = checks.removeValue(forKey: outcome.check), let response = feeds[name]?.response else { return }
    feeds[name]?.response = nil
    switch outcome.result {
    case .failure(let failure): ended(name, response, .unreadable, "not a feed: \(failure.words)", at: now)
    case .success(let parsed):
      let changed = parsed.items.count - parsed.newCount
      var words = "\(parsed.itemCount) \(parsed.itemCount == 1 ? "post" : "posts"), \(parsed.newCount) new"
      if changed > 0 { words += ", \(changed) changed" }
      if let problem = parsed.problem { words += "; damaged in \(problem)" }
      ended(name, response, .document(parsed.pace), words, parsed, at: now)
    }
  }

  /// Records a check, and sends what it brought with the cursors that stand for it.
  private mutating func ended(
    _ name: FeedName, _ response: FeedResponse, _ outcome: CheckOutcome, _ words: String, _ parsed: ParsedFeed? = nil,
    at now: Instant
  ) {
    guard var feed = feeds[name], let before = scheduler.record(of: name) else { return }
    let fields = ResponseFields(response.fields, now: now)
    let isBusy = response.status == 429 || (response.status == 503 && fields.retryAfter != nil)
    let answer = FetchScheduler.Answer(
      outcome: outcome, fields: Self.stored(fields), movedTo: Self.stored(response.movedTo), address: response.address,
      isBusy: isBusy)
    guard let record = scheduler.answered(name, answer, at: now) else { return }
    feed.memory.record = record
    if before.health.isFine != record.health.isFine || feed.memory.since == nil { feed.memory.since = now }
    feed.memory.checks.add(
      CheckLog.Check(
        time: now, wasConditional: !before.validators.isEmpty, outcome: words,
        next: record.health == .gone ? nil : record.next))
    var items = parsed?.items ?? []
    if let parsed {
      feed.memory.known = parsed.known
      let person = String(ItemHash(parsed.person).value, radix: 36)
      if person != feed.memory.person {
        feed.memory.person = person
        items.insert(parsed.person, at: 0)
      }
    }
    if record.url != before.url { items.append(Self.moved(record.url)) }
    feeds[name] = feed
    send(items, of: feed)
    tellStatus(name)
  }

  /// Sends items in batches; the cursors go with the last.
  private mutating func send(_ items: [[UInt8]], of feed: Feed) {
    let cursors = feed.memory.cursors
    var rest = items[...]
    repeat {
      var count = 0
      var bytes = 0
      while count < min(rest.count, Self.batchItems) {
        bytes += rest[rest.startIndex + count].count
        if count > 0, bytes > Self.batchBytes { break }
        count += 1
      }
      let part = rest.prefix(count)
      rest = rest.dropFirst(count)
      let last = rest.isEmpty
      batches.add(feed.told.name) {
        ConnectorLine.batch($0, feed.told.name, items: part, cursors: last ? cursors : [:])
      }
    } while !rest.isEmpty
  }

  /// The new address of a feed, as an item.
  private static func moved(_ url: WebURL) -> [UInt8] {
    var writer = JSONLinesWriter()
    writer.begin()
    writer.field("moved", url.text)
    writer.end()
    return writer.bytes
  }

  /// Validators and addresses that are too long to be stored are as if they had not been sent.
  private static func stored(_ fields: ResponseFields) -> ResponseFields {
    var fields = fields
    fields.dropLongValidators(limit: FeedMemory.tagBytes)
    return fields
  }

  private static func stored(_ url: WebURL?) -> WebURL? {
    url.flatMap { $0.text.utf8.count <= FeedMemory.addressBytes ? $0 : nil }
  }
}

extension FeedRecord.Health {
  fileprivate var isFine: Bool { self == .fine }
}
