internal import ConnectorSupport
internal import Dates
internal import HTTPSupport
internal import Ingest
internal import Posts

/// The results of checks.
extension FeedConnector {
  mutating func fetched(_ check: Int, _ result: Result<FetchResponse, FetchFailure>, at now: Instant) {
    switch result {
    case .failure(let failure):
      let answer = FetchScheduler.Answer(outcome: .failed, fields: ResponseFields(), address: failure.address)
      ended(check, answer, failure.reason.shortened, at: now)
    case .success(let response):
      guard !redirected(check, response, at: now) else { return }
      let fields = ResponseFields(response.fields, now: now)
      let (outcome, words) = Self.outcome(response)
      let answer = FetchScheduler.Answer(
        outcome: outcome, fields: Self.stored(fields), movedTo: Self.stored(checks[check]?.redirects.movedTo),
        address: response.address,
        isBusy: response.status == 429 || (response.status == 503 && fields.retryAfter != nil))
      guard response.status == 200, let name = checks[check]?.feed, let feed = feeds[name], feed.check == check else {
        return ended(check, answer, words, at: now)
      }
      checks[check]?.answer = answer
      effects.append(
        .parse(
          FeedParseJob(
            check: check, feed: name, document: response.body, charset: fields.charset, url: response.url,
            known: feed.memory.known, liftsEdited: feed.told.liftsEdited, now: now)))
    }
  }

  /// Follows a redirect. Returns false if the response is not one.
  private mutating func redirected(_ check: Int, _ response: FetchResponse, at now: Instant) -> Bool {
    do throws(RedirectTrail.Refusal) {
      guard let url = try checks[check]?.redirects.next(after: response) else { return false }
      if !scheduler.redirected(check, to: url, address: response.address, at: now) { checks[check] = nil }
    } catch {
      let answer = FetchScheduler.Answer(outcome: .failed, fields: ResponseFields(), address: response.address)
      ended(check, answer, error.reason, at: now)
    }
    return true
  }

  private static func outcome(_ response: FetchResponse) -> (CheckOutcome, String) {
    let status = response.status
    return switch status {
    case 304: (.unchanged, response.url.isFile ? "not changed" : "not changed (304)")
    case 410: (.gone, "gone for good (410)")
    case 401, 403: (.failed, "the server refuses it (\(status))")
    case 404: (.failed, "there is nothing at this address (404)")
    case 429: (.failed, "the server asks for patience (429)")
    case 500...: (.failed, "the server has a problem (\(status))")
    default: (.failed, "an unexpected response (\(status))")
    }
  }

  mutating func parsed(_ outcome: FeedParseOutcome, at now: Instant) {
    guard var answer = checks[outcome.check]?.answer else { return }
    switch outcome.result {
    case .failure(let failure):
      if let feed = offered(outcome) {
        answer.outcome = .offer(feed)
        return ended(outcome.check, answer, "a web page, which offers the feed \(feed.text.shortened)", at: now)
      }
      answer.outcome = .unreadable
      ended(outcome.check, answer, "not a feed: \(failure.words)", at: now)
    case .success(let parsed):
      answer.outcome = .document(parsed.pace)
      let changed = parsed.items.count - parsed.newCount
      var words = "\(parsed.itemCount) \(parsed.itemCount == 1 ? "post" : "posts"), \(parsed.newCount) new"
      if changed > 0 { words += ", \(changed) changed" }
      for problem in parsed.problems { words += "; \(problem)" }
      ended(outcome.check, answer, words, parsed, at: now)
    }
  }

  /// Returns the feed to read in place of a web page: the first that it offers. Only a page that a person has given is
  /// left for one, so neither do pages lead in circles nor is a feed lost to a page that has taken its place.
  private func offered(_ outcome: FeedParseOutcome) -> WebURL? {
    guard let name = checks[outcome.check]?.feed, let feed = feeds[name], feed.check == outcome.check,
      !feed.memory.wasOffered, feed.memory.known.isEmpty
    else { return nil }
    let page = feed.memory.record.url
    return outcome.offered.first {
      $0 != page && page.mayLead(to: $0) && $0.text.utf8.count <= FeedMemory.addressBytes
    }
  }

  /// Records a check, and sends what it brought with the cursors that stand for it.
  private mutating func ended(
    _ check: Int, _ answer: FetchScheduler.Answer, _ words: String, _ parsed: ParsedFeed? = nil, at now: Instant
  ) {
    guard let name = checks.removeValue(forKey: check)?.feed else { return }
    let before = scheduler.record(of: name)
    guard let record = scheduler.answered(check, answer, at: now), let before, var feed = feeds[name] else { return }
    feed.before = feed.memory
    if case .offer = answer.outcome { feed.memory.wasOffered = true }
    var items = parsed?.items ?? []
    if let parsed {
      feed.memory.known = parsed.known
      let person = String(ItemHash(parsed.person).value, radix: 36)
      if person != feed.memory.person {
        feed.memory.person = person
        items.insert(parsed.person, at: 0)
      }
    }
    let isMoved = record.url != before.url
    if isMoved { items.append(Self.moved(record.url)) }
    finish(feed, check, record, wasConditional: !before.validators.isEmpty, words, items, isMoved: isMoved, at: now)
  }

  /// The daemon has stored all that a check brought. The feed's status is sent only now, so that a client that hears of
  /// it finds the posts.
  mutating func stored(_ name: FeedName) {
    feeds[name]?.check = nil
    feeds[name]?.before = nil
    scheduler.stored(name)
    tellStatus(name)
  }

  /// The daemon has refused the new address of a feed, for instance because another feed has it: the feed stays where
  /// it was.
  mutating func stay(_ name: FeedName, _ reason: String, at now: Instant) {
    guard var feed = feeds[name], let url = feed.told.url, let moved = scheduler.record(of: name)?.url,
      let record = scheduler.stay(name, at: url)
    else { return }
    feed.memory.record = record
    let outcome = "not moved to \(moved.text.shortened(to: 40)): \(reason)"
    feed.memory.checks.add(CheckLog.Check(time: now, wasConditional: false, outcome: outcome, next: record.next))
    feeds[name] = feed
    effects.append(.log("\(name): \(outcome)"))
  }

  /// The daemon has refused posts of a check: they are not known, and are brought again by the next check. That is later
  /// each time, as after a failure, for the daemon ends a program whose batches break rules again and again.
  mutating func refused(_ name: FeedName, _ reason: String, at now: Instant) {
    guard var feed = feeds[name], let check = feed.check, let before = feed.before,
      let record = scheduler.refused(name, before: before.record, at: now)
    else { return }
    batches.drop(check: check)
    (feed.memory.known, feed.memory.person) = (before.known, before.person)
    (feed.check, feed.before) = (nil, nil)
    finish(
      feed, check, record, wasConditional: !before.record.validators.isEmpty,
      "the daemon refused posts: \(reason.shortened)", [], isMoved: false, at: now)
  }

  private mutating func finish(
    _ feed: Feed, _ check: Int, _ record: FeedRecord, wasConditional: Bool, _ words: String, _ items: [[UInt8]],
    isMoved: Bool, at now: Instant
  ) {
    var feed = feed
    let wasFine = feed.memory.record.health == .fine
    if wasFine != (record.health == .fine) || feed.memory.since == nil { feed.memory.since = now }
    feed.memory.record = record
    feed.memory.checks.add(
      CheckLog.Check(
        time: now, wasConditional: wasConditional, outcome: words, next: record.health == .gone ? nil : record.next))
    feeds[feed.told.name] = feed
    batches.add(items, feed.memory.cursors, of: .feed(feed.told.name), check: check, isMoved: isMoved)
  }

  /// The new address of a feed, as an item.
  private static func moved(_ url: WebURL) -> [UInt8] { JSONLinesWriter.object { $0.field("moved", url.text) } }

  /// Drops validators that are too long to be stored.
  private static func stored(_ fields: ResponseFields) -> ResponseFields {
    var fields = fields
    fields.dropLongValidators(limit: FeedMemory.tagBytes)
    return fields
  }

  private static func stored(_ url: WebURL?) -> WebURL? {
    url.flatMap { $0.text.utf8.count <= FeedMemory.addressBytes ? $0 : nil }
  }
}
