import Dates
import HTTPSupport
import Posts

@testable import Mastodon

/// A server as a program that writes sees it: one account, its statuses and its marks.
struct ModelServer {
  struct ModelStatus {
    var id: String
    var text: String
    var warning = ""
    var visibility = "public"
    var parent: String?
    var created: Instant
    var isRepost = false
  }

  /// What goes wrong with a request.
  enum Fault: CaseIterable {
    case none
    /// Nothing was sent.
    case unsent
    /// The connection breaks before it is carried out, or behind that.
    case cutBefore, cutAfter
    /// An error though it is carried out, now or a little later.
    case lateError, lateCreation
    /// A page of HTML in place of the answer.
    case notJSON
    /// It is carried out, and the key is not remembered.
    case keyForgotten
    case tooMany, unavailable
    /// A redirect, and nothing is done.
    case refused
  }

  static let host = "a.example"
  static let origin = "https://a.example"

  var keepsKeys = true
  /// True if it tells the text of a status as it was sent.
  var tellsSource = true
  /// Its clock minus the daemon's, in milliseconds.
  var skew: Int64 = 0
  private(set) var statuses: [ModelStatus] = []
  /// All that were ever made, in order.
  private(set) var made: [ModelStatus] = []
  private(set) var favourites: Set<String> = []
  private(set) var requests: [String] = []
  private var keys: [String: (id: String, time: Instant)] = [:]
  private var late: [(due: Instant, form: String)] = []

  func facts(_ clock: ServerClock) -> LoginWriter.Facts {
    LoginWriter.Facts(host: Self.host, keepsKeys: keepsKeys, clock: clock)
  }

  static func uri(_ id: String) -> String { "\(origin)/users/ann/statuses/\(id)" }

  /// Publishes a status by another program.
  @discardableResult
  mutating func publish(_ text: String, visibility: String = "public", parent: String? = nil, at now: Instant) -> String
  {
    let id = "n\(made.count + 1)"
    let status = ModelStatus(
      id: id, text: text, visibility: visibility, parent: parent, created: now.adding(milliseconds: skew))
    statuses.append(status)
    made.append(status)
    return id
  }

  mutating func delete(_ id: String) { statuses.removeAll { $0.id == id } }

  /// Does what was put off.
  mutating func passTime(to now: Instant) {
    let due = late.filter { $0.due <= now }
    late.removeAll { $0.due <= now }
    for one in due { _ = create(one.form, at: one.due) }
  }

  // MARK: - Requests

  mutating func respond(
    to request: FetchRequest, _ fault: Fault = .none, at now: Instant
  ) -> Result<FetchResponse, FetchFailure> {
    passTime(to: now)
    let method = request.method?.rawValue ?? (request.form == nil ? "GET" : "POST")
    requests.append("\(method) \(request.url.path)")
    switch fault {
    case .unsent: return .failure(FetchFailure("could not connect", wasSent: false))
    case .cutBefore: return .failure(FetchFailure("the connection broke"))
    case .tooMany: return .success(response(429, "{}", now))
    case .unavailable: return .success(response(503, "<html>", now))
    case .refused: return .success(response(302, "", now))
    case .lateCreation where request.url.path == "/api/v1/statuses":
      late.append((now.adding(milliseconds: 50_000), request.form ?? ""))
      return .success(response(504, "<html>", now))
    default: break
    }
    let (status, body) = carryOut(method, request, at: now)
    if fault == .keyForgotten, let key = request.idempotencyKey { keys[key] = nil }
    switch fault {
    case .cutAfter: return .failure(FetchFailure("the connection broke"))
    case .lateError, .lateCreation: return .success(response(504, "<html>", now))
    case .notJSON: return .success(response(200, "<html>", now))
    default: return .success(response(status, body, now))
    }
  }

  private func response(_ status: Int, _ body: String, _ now: Instant) -> FetchResponse {
    RequestBudgetTests.response(status, ["date": Self.date(now.adding(milliseconds: skew))], body: body)
  }

  /// Returns an instant as HTTP writes it; the day of the week is not read.
  private static func date(_ instant: Instant) -> String {
    let text = instant.iso8601
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    let words = text.split { "-T.Z".contains($0) }
    return "Sun, \(words[2]) \(months[Int(words[1])! - 1]) \(words[0]) \(words[3]) GMT"
  }

  private mutating func carryOut(_ method: String, _ request: FetchRequest, at now: Instant) -> (Int, String) {
    let form = request.form ?? ""
    let words = request.url.path.split(separator: "/").map(String.init)
    let absent = (404, #"{"error":"Record not found"}"#)
    switch (method, words.dropFirst(2).first, words.count) {
    case ("GET", "search", _):
      let address = FormFields.value("q", in: request.url.query ?? "") ?? ""
      let found = statuses.filter { Self.uri($0.id) == address }.map(show)
      return (200, #"{"accounts":[],"statuses":[\#(found.joined(separator: ","))],"hashtags":[]}"#)
    case ("GET", "accounts", 4): return (200, #"{"id":"1","username":"ann"}"#)
    case ("GET", "accounts", 5): return page(request.url.query ?? "")
    case ("POST", "statuses", 3): return post(form, request.idempotencyKey, at: now)
    default: break
    }
    guard words.count > 3, let index = statuses.firstIndex(where: { $0.id == words[3] }) else { return absent }
    let id = words[3]
    switch (method, words.dropFirst(4).first) {
    case ("GET", "source"):
      guard tellsSource else { return absent }
      let status = statuses[index]
      return (200, #"{"id":"\#(id)","text":"\#(status.text)","spoiler_text":"\#(status.warning)"}"#)
    case ("PUT", nil):
      statuses[index].text = FormFields.value("status", in: form) ?? ""
      statuses[index].warning = FormFields.value("spoiler_text", in: form) ?? ""
    case ("DELETE", nil):
      delete(id)
      return (200, "{}")
    case ("POST", "favourite"): favourites.insert(id)
    case ("POST", "unfavourite"): favourites.remove(id)
    default: break
    }
    return (200, show(statuses[index]))
  }

  private func page(_ query: String) -> (Int, String) {
    let own = Array(statuses.filter { $0.visibility != "direct" }.reversed())
    let below = FormFields.value("max_id", in: query).flatMap { id in own.firstIndex { $0.id == id } }
    let page = own.dropFirst(below.map { $0 + 1 } ?? 0).prefix(3)
    return (200, "[\(page.map(show).joined(separator: ","))]")
  }

  private mutating func post(_ form: String, _ key: String?, at now: Instant) -> (Int, String) {
    if keepsKeys, let key, let known = keys[key], now.milliseconds - known.time.milliseconds < 3_600_000 {
      guard let status = statuses.first(where: { $0.id == known.id }) else { return (404, "{}") }
      return (200, show(status))
    }
    let text = FormFields.value("status", in: form) ?? ""
    guard text != "refused" else { return (422, #"{"error":"Validation failed: Text is too long"}"#) }
    if let parent = FormFields.value("in_reply_to_id", in: form), !statuses.contains(where: { $0.id == parent }) {
      return (404, "{}")
    }
    let status = create(form, at: now)
    if let key { keys[key] = (status.id, now) }
    return (200, show(status))
  }

  private mutating func create(_ form: String, at now: Instant) -> ModelStatus {
    let id = publish(
      FormFields.value("status", in: form) ?? "", visibility: FormFields.value("visibility", in: form) ?? "public",
      parent: FormFields.value("in_reply_to_id", in: form), at: now)
    statuses[statuses.count - 1].warning = FormFields.value("spoiler_text", in: form) ?? ""
    made[made.count - 1] = statuses[statuses.count - 1]
    return statuses.last { $0.id == id }!
  }

  private func show(_ status: ModelStatus) -> String {
    let parent = status.parent.map { "\"\($0)\"" } ?? "null"
    return """
      {"id":"\(status.id)","uri":"\(Self.uri(status.id))","url":"\(Self.origin)/@ann/\(status.id)",\
      "created_at":"\(status.created.iso8601)","visibility":"\(status.visibility)","in_reply_to_id":\(parent),\
      "account":{"id":"1","acct":"ann","display_name":"Ann","uri":"\(Self.origin)/users/ann"},\
      "content":"<p>\(status.text)</p>","spoiler_text":"\(status.warning)","media_attachments":[],"sensitive":false}
      """
  }
}
