import Dates
import HTTPSupport
import TestSupport
import Testing

@testable import Feeds

/// A thousand feeds for thirty virtual days, with servers that do all that servers do.
@Suite("A thousand feeds for thirty days")
struct ThirtyDaysTests {
  @Test(
    "no request comes too early, twice, or without what would have saved it", arguments: seeds(0..<4 as Range<UInt64>))
  func law(seed: UInt64) throws {
    var days = try Days(seed: seed, feeds: triesAllSeeds ? 1_000 : 130)
    try days.run(days: 30)
    #expect(days.complaints.isEmpty, "\(days.complaints.prefix(5))")
    // One request a feed and hour at most, and most feeds say that they want fewer.
    #expect((60...500).contains(days.requestCount * 130 / (triesAllSeeds ? 1_000 : 130) / 130), "\(days.requestCount)")
    for (name, returned) in days.returned {
      let read = try #require(days.readAgain[name], "\(name) was not read again")
      #expect(read.seconds - returned.seconds <= 7 * 86_400 * 11 / 10)
    }
    #expect(days.returned.count >= 10 && days.goneRequests == days.goneFeeds)
    #expect(days.forgotten.isEmpty, "\(days.forgotten.prefix(5)) are no longer asked")
  }
}

/// The network, the servers and the clock.
private struct Days {
  enum Kind: CaseIterable {
    case tagged, dated, bare, changing, cached, timed, skipping, away, gone, moved, busy, slow, broken
  }

  private struct Server {
    let kind: Kind
    var tag = 0
    var checks = 0
  }

  private struct Open {
    let request: FetchScheduler.Request
    let began: Instant
    let ends: Instant
  }

  private var scheduler: FetchScheduler
  private var random: SeededGenerator
  private var servers: [FeedName: Server] = [:]
  private var open: [Open] = []
  private var now = FetchSchedulerTests.start
  /// What the daemon has stored.
  private var records: [FeedName: FeedRecord] = [:]
  /// The address that the scheduler was last told of each name. A host is an address, or a name without one.
  private var addresses: [String: String] = [:]
  /// The time at which each host was last done with, and until when it wants to be left alone.
  private var hosts: [String: (last: Instant, rest: Instant)] = [:]
  /// When the name of a busy server may be asked again.
  private var names: [String: Instant] = [:]
  /// When each feed was last asked.
  private var asked: [FeedName: Instant] = [:]
  private(set) var complaints: [String] = []
  private(set) var requestCount = 0
  private(set) var returned: [FeedName: Instant] = [:]
  private(set) var readAgain: [FeedName: Instant] = [:]
  private(set) var goneFeeds = 0
  private(set) var goneRequests = 0

  init(seed: UInt64, feeds: Int) throws {
    scheduler = FetchScheduler(seed: seed)
    random = SeededGenerator(seed: seed)
    for number in 0..<feeds {
      let kind = Kind.allCases[number % Kind.allCases.count]
      // Ten feeds share a name.
      let url = try #require(WebURL("https://host\(number / 10).example/\(number)"))
      let name = "f\(number)"
      servers[name] = Server(kind: kind)
      records[name] = FeedRecord(url: url, next: now)
      if kind == .gone { goneFeeds += 1 }
      if kind == .away { returned[name] = now.adding(milliseconds: 20 * 86_400_000) }
      scheduler.add(name, try #require(records[name]))
    }
  }

  /// The feeds that have not been asked for longer than any interval is.
  var forgotten: [FeedName] {
    let longest = Int64(CheckTimes.limitMinutes) * 60_000 * 11 / 10 + 12 * 3_600_000
    return records.filter { name, record in
      record.health != .gone && (asked[name].map { now.milliseconds - $0.milliseconds > longest } ?? true)
    }.keys.sorted()
  }

  /// The address of a name now: names 2n and 2n + 1 share one, but every third name moves between two every few hours,
  /// as behind a name server that distributes its clients.
  private func address(of url: WebURL) -> String {
    let number = Int(url.host.dropFirst(4).prefix { $0.isNumber }) ?? 0
    let moves = number % 3 == 0 ? Int(now.seconds / (5 * 3_600)) % 2 : 0
    return "10.0.0.\(number / 2 + moves)"
  }

  /// The host of a name, as far as the scheduler can know.
  private func host(of url: WebURL) -> String { addresses[url.host] ?? url.host }

  mutating func run(days: Int) throws {
    let end = now.adding(milliseconds: Int64(days) * 86_400_000)
    while now < end {
      for request in scheduler.requests(at: now) { begin(request) }
      let next = ([scheduler.deadline(after: now)] + open.map(\.ends)).compactMap(\.self).min()
      guard let next, next <= end else { return }
      // Once in a while the machine sleeps, and everything is late.
      now = random.next() % 20_000 == 0 ? max(next, now).adding(milliseconds: 8 * 3_600_000) : max(next, now)
      // Once in a while the program restarts: what was open is lost, and only stored records remain.
      if random.next() % 20_000 == 0 { restart() }
      for (index, answer) in open.enumerated().reversed() where answer.ends <= now {
        open.remove(at: index)
        finish(answer.request)
      }
    }
  }

  private mutating func restart() {
    scheduler = FetchScheduler(seed: random.next())
    open = []
    (addresses, hosts, names) = ([:], [:], [:])
    for (name, record) in records.sorted(by: { $0.key < $1.key }) { scheduler.add(name, record) }
  }

  private mutating func begin(_ request: FetchScheduler.Request) {
    requestCount += 1
    guard let record = records[request.feed], let server = servers[request.feed] else { return }
    if now < record.next { complaints.append("\(request.feed) too early") }
    if record.health == .gone { complaints.append("\(request.feed) is gone") }
    if request.validators != record.validators { complaints.append("\(request.feed) has other validators") }
    let host = host(of: request.url)
    if open.contains(where: { self.host(of: $0.request.url) == host }) { complaints.append("two to one host") }
    if let marks = hosts[host] {
      if now.milliseconds - marks.last.milliseconds < 2_000 { complaints.append("\(host) without a pause") }
      if now < marks.rest { complaints.append("\(host) wants to rest") }
    }
    if let rest = names[request.url.host], now < rest { complaints.append("\(request.url.host) wants to rest") }
    asked[request.feed] = now
    let latency = server.kind == .slow ? 25_000 : Int64(random.next() % 400)
    open.append(Open(request: request, began: now, ends: now.adding(milliseconds: latency)))
    let young = open.count { now.milliseconds - $0.began.milliseconds < 30_000 }
    if young > 16 || open.count > 32 { complaints.append("\(open.count) open") }
  }

  private mutating func finish(_ request: FetchScheduler.Request) {
    guard var server = servers[request.feed] else { return }
    server.checks += 1
    if random.next() % 10 == 0 { server.tag += 1 }
    var pairs: [(String, String)] = []
    var outcome = CheckOutcome.document(pace(of: server))
    var answer = (movedTo: WebURL?.none, isBusy: false)
    switch server.kind {
    case .tagged, .slow: pairs = [("ETag", "W/\"\(server.tag)\"")]
    case .dated: pairs = [("Last-Modified", "day \(server.tag)")]
    case .bare, .timed, .skipping: break
    case .changing: pairs = [("ETag", "\"\(random.next())\"")]
    case .cached: pairs = [("ETag", "\"\(server.tag)\""), ("Cache-Control", "max-age=10000")]
    case .away:
      if let back = returned[request.feed], now < back {
        outcome = .failed
      } else {
        readAgain[request.feed] = readAgain[request.feed] ?? now
      }
    case .gone:
      goneRequests += 1
      outcome = .gone
    case .moved:
      pairs = [("ETag", "\"\(server.tag)\"")]
      if !request.url.path.hasSuffix("new") { answer.movedTo = request.url.resolving("/\(request.feed)new".utf8) }
    case .busy:
      if server.checks % 3 == 0 {
        outcome = .failed
        pairs = [("Retry-After", "5000")]
        answer.isBusy = true
      } else {
        pairs = [("ETag", "\"\(server.tag)\"")]
      }
    case .broken: if random.next() % 2 == 0 { outcome = .failed }
    }
    let fields = ResponseFields(pairs.map { (name: $0.0, value: Array($0.1.utf8)) }, now: now)
    if case .document = outcome, !fields.validators.isEmpty, fields.validators == request.validators {
      outcome = .unchanged
    }
    servers[request.feed] = server
    // An answer counts for the host that was asked, and for the one that the name now leads to.
    let address = address(of: request.url)
    let busy = answer.isBusy ? fields.retryAfter ?? now : now
    names[request.url.host] = max(names[request.url.host] ?? busy, busy)
    let rest = min(busy, now.adding(milliseconds: 15 * 60_000))
    let asked = host(of: request.url)
    hosts[asked] = (now, max(hosts[asked]?.rest ?? rest, rest))
    if asked != address { hosts[address] = (now, max(hosts[address]?.rest ?? rest, rest)) }
    addresses[request.url.host] = address
    records[request.feed] =
      scheduler.answered(
        request.check,
        FetchScheduler.Answer(
          outcome: outcome, fields: fields, movedTo: answer.movedTo, address: address,
          isBusy: answer.isBusy), at: now) ?? records[request.feed]
    scheduler.stored(request.feed)
  }

  private func pace(of server: Server) -> FeedPace {
    var pace = FeedPace()
    if server.kind == .timed { pace.minutes = 720 }
    if server.kind == .skipping { pace.skippedHours = [1, 2, 3, 4, 5] }
    return pace
  }
}
