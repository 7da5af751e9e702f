import Dates
import HTTPSupport
import TestSupport
import Testing

@testable import Mastodon

/// A server that lies: a home timeline and a login's own posts, behind answers that lead elsewhere, come late or never.
struct LyingServer {
  static let address = "https://a.example"
  static let streams = "https://streams.a.example"
  static let elsewhere = "https://evil.example"

  var random: SeededGenerator
  var home: ModelTimeline
  var writings = ModelServer()
  /// The statuses that have left the home timeline though they exist.
  private(set) var others: Set<String> = []
  /// Until then the home timeline is being built.
  var buildingEnd = Instant.distantPast
  /// True while nothing reaches it.
  var isAway = false
  /// True if it tells the truth.
  var isHonest = false
  private let facts: String
  private let hasNotifications: Bool

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    // One of 5 has no more than the newest page, and is the likeliest to forget.
    let limit = [5, Int.random(in: 6...40, using: &random), .max].randomElement(using: &random)!
    home = ModelTimeline(limit: limit, skips: Int.random(in: 0..<4, using: &random) == 0)
    writings.keepsKeys = Bool.random(using: &random)
    writings.tellsSource = Bool.random(using: &random)
    hasNotifications = Bool.random(using: &random)
    // A stream elsewhere is the server's word; one that is insecure or leads into a private network is not taken.
    let streams = ["wss://streams.a.example", "ws://evil.example", "wss://127.0.0.1"].randomElement(using: &random)!
    let version = writings.keepsKeys ? "4.5.0" : "0.19.1+git GoToSocial"
    facts = #"{"version":"\#(version)","configuration":{"urls":{"streaming":"\#(streams)"}}}"#
    for _ in 0..<Int.random(in: 0...12, using: &random) { home.publish() }
  }

  // MARK: - What happens there

  /// Publishes a status by somebody whom the login follows.
  mutating func publish(behind position: Int = 0) -> TimelineStatus { home.publish(behind: position) }

  mutating func forget() { home.forget() }

  /// Takes the status behind `position` newer ones out of the home timeline: deletes it, or unfollows its author.
  mutating func remove(behind position: Int, isDeleted: Bool) -> String? {
    guard let id = home.delete(behind: position) else { return nil }
    if !isDeleted { others.insert(id) }
    return id
  }

  static func text(of status: TimelineStatus) -> String {
    ServerTests.status(status.id, created: status.created.iso8601)
  }

  // MARK: - Requests

  mutating func respond(to request: FetchRequest, at now: Instant) -> Result<FetchResponse, FetchFailure> {
    guard !isAway else {
      return .failure(FetchFailure("no network", wasSent: Bool.random(using: &random)))
    }
    let path = request.url.path
    let isLie = !isHonest && Int.random(in: 0..<8, using: &random) == 0
    if path.hasPrefix("/api/v1/timelines/home"), buildingEnd > now { return .success(answer(206, "[]", request)) }
    guard
      path.hasPrefix("/api/v1/timelines/home") || path.hasPrefix("/api/v1/notifications")
        || path.hasPrefix("/api/v2/instance") || path.hasPrefix("/api/v1/statuses/s")
    else {
      if isLie, Bool.random(using: &random) { return .success(redirect(request)) }
      return writings.respond(
        to: request, isLie ? ModelServer.Fault.allCases.randomElement(using: &random)! : .none, at: now)
    }
    guard !isLie else { return lie(request, at: now) }
    return .success(read(path, request))
  }

  private mutating func lie(_ request: FetchRequest, at now: Instant) -> Result<FetchResponse, FetchFailure> {
    switch Int.random(in: 0..<5, using: &random) {
    case 0: return .failure(FetchFailure("the connection broke"))
    case 1: return .success(answer(503, "<html>", request))
    case 2: return .success(answer(200, "<html>", request))
    case 3: return .success(answer(429, "{}", request))
    default: return .success(redirect(request))
    }
  }

  private mutating func redirect(_ request: FetchRequest) -> FetchResponse {
    answer([301, 302, 303, 307, 308].randomElement(using: &random)!, "", request)
  }

  private func read(_ path: String, _ request: FetchRequest) -> FetchResponse {
    switch path {
    case "/api/v2/instance": return answer(200, facts, request)
    case "/api/v1/notifications": return answer(hasNotifications ? 200 : 404, "[]", request)
    case "/api/v1/timelines/home":
      let page = home.page(Self.question(request.url.query ?? "")).map(Self.text)
      return answer(200, "[\(page.joined(separator: ","))]", request)
    default:
      let id = String(path.dropFirst("/api/v1/statuses/".count))
      let isThere = home.published[id] != nil && (!home.deleted.contains(id) || others.contains(id))
      return answer(isThere ? 200 : 404, "{}", request)
    }
  }

  /// All answers name another server where a client could go on.
  private func answer(_ status: Int, _ body: String, _ request: FetchRequest) -> FetchResponse {
    let elsewhere = Self.elsewhere + request.url.path
    return RequestBudgetTests.response(
      status, ["location": elsewhere, "link": "<\(elsewhere)?max_id=1>; rel=\"next\""], body: body)
  }

  private static func question(_ query: String) -> TimelineReader.Question {
    if let id = FormFields.value("min_id", in: query) { return .above(id) }
    guard let id = FormFields.value("max_id", in: query) else { return .newest }
    return .below(id, limit: FormFields.value("limit", in: query).flatMap { Int($0) } ?? 0)
  }
}
