internal import Dates
internal import HTTPSupport
internal import Ingest
internal import Posts

/// What people want to see from a server: what comes before and after a post, the posts of an author, and what a search
/// finds. A server that is still fetching replies from others is asked again, as it says.
struct WantedContent {
  enum Question: Equatable {
    /// The status with an address, for a want.
    case find(String, want: String)
    /// What is around a status.
    case context(String, want: String)
    /// The account with an address.
    case findAuthor(String, want: String)
    /// The newest statuses of an account.
    case statuses(String, want: String)
    case search(String, want: String)
  }

  /// What a want is about.
  enum Subject: Equatable {
    case conversation(Wish.PostName)
    /// The author with an address.
    case author(String)
    case search(String)

    /// The words for a server that does not have it.
    var absence: String {
      switch self {
      case .conversation: "the server does not have this post"
      case .author: "the server does not have this author"
      case .search: "the server has no search"
      }
    }
  }

  /// What became of a want.
  enum Outcome: Equatable {
    /// Posts and people, as items.
    case found([[UInt8]])
    case done(want: String)
    case failed(want: String, reason: String)
  }

  private struct Want {
    var id: String
    var subject: Subject
    var isUnasked: Bool
    /// The server's identifier of the post or author, once it is known.
    var number: String?
    /// True if the posts found have to say whether that is the author.
    var isUncertain = false
    var isAsked = false
    var askAt: Instant?
    /// When the server was first asked for it.
    var began: Instant?
  }

  /// A server that fetches replies is asked again for this long, in milliseconds.
  private static let patience: Int64 = 30_000
  /// The shortest and the longest time until it is asked again, in seconds.
  private static let pauses: ClosedRange<Int64> = 1...30
  /// The most that are open; the daemon asks for fewer.
  private static let limit = 64

  private var wants: [Want] = []

  /// The time at which ``next(at:host:isUnasked:)`` may have a question again; nil if that does not depend on time.
  var deadline: Instant? { wants.compactMap { $0.isAsked ? nil : $0.askAt }.min() }

  /// Adds a want; no person waits for an unasked one. Returns false if there are too many.
  mutating func add(_ id: String, _ subject: Subject, isUnasked: Bool) -> Bool {
    guard wants.count < Self.limit else { return false }
    wants.append(Want(id: id, subject: subject, isUnasked: isUnasked))
    return true
  }

  /// Drops a want, if it is one of these.
  mutating func drop(_ id: String) { wants.removeAll { $0.id == id } }

  /// Ends all. Returns what became of them.
  mutating func fail(_ reason: String) -> [Outcome] {
    defer { wants = [] }
    return wants.map { .failed(want: $0.id, reason: reason) }
  }

  /// Returns what to ask next of the server `host`: for wants of people who wait, or for the unasked ones.
  mutating func next(at now: Instant, host: String, isUnasked: Bool) -> Question? {
    let isDue: (Want) -> Bool = { !$0.isAsked && $0.isUnasked == isUnasked && $0.askAt.map { $0 <= now } ?? true }
    guard let index = wants.firstIndex(where: isDue) else { return nil }
    wants[index].isAsked = true
    let want = wants[index]
    switch want.subject {
    case .conversation(let post):
      guard let number = want.number ?? post.number(at: host) else { return .find(post.id, want: want.id) }
      wants[index].began = want.began ?? now
      return .context(number, want: want.id)
    case .author(let address):
      return want.number.map { .statuses($0, want: want.id) } ?? .findAuthor(address, want: want.id)
    case .search(let text): return .search(text, want: want.id)
    }
  }

  /// Takes an answer. Posts are dated by the server's clock, which says `serverNow`.
  mutating func answered(
    _ question: Question, _ answer: ServerAnswer, _ response: FetchResponse?, host: String, at now: Instant,
    serverNow: Instant, parser: JSONParser
  ) -> [Outcome] {
    let id = question.want
    guard let index = wants.firstIndex(where: { $0.id == id }) else { return [] }
    wants[index].isAsked = false
    switch answer {
    case .done: break
    case .absent: return [end(index, wants[index].subject.absence)]
    case .refused(let words), .signedOut(let words): return [end(index, "the server says: \(words)")]
    case .later(let reason): return [end(index, reason)]
    case .limited, .building: return [end(index, "the server asks to wait")]
    }
    guard let response else { return [] }
    switch question {
    case .find(let address, _):
      let found = response.parsed(by: parser) { value in
        Self.elements(value["statuses"]).compactMap { OwnStatus($0, host: host) }
      }
      guard let status = found?.first(where: { $0.uri == address || $0.page == address }) else {
        return [end(index, wants[index].subject.absence)]
      }
      wants[index].number = status.id
      return []
    case .findAuthor(let address, _):
      let found = response.parsed(by: parser) { value in
        Self.account(address, in: Self.elements(value["accounts"])).flatMap { account, isCertain in
          TimelineStatus.identifier(account).map { (number: $0, isCertain: isCertain) }
        }
      }
      guard let found else { return [end(index, wants[index].subject.absence)] }
      (wants[index].number, wants[index].isUncertain) = (found.number, !found.isCertain)
      return []
    case .statuses where wants[index].isUncertain:
      if !isBy(wants[index].subject, response, host, parser) { return [end(index, wants[index].subject.absence)] }
    case .context, .statuses, .search: break
    }
    guard let items = items(question, response, host, serverNow, parser) else {
      return [end(index, "the server's answer cannot be read")]
    }
    let found: [Outcome] = items.isEmpty ? [] : [.found(items)]
    guard let pause = Self.pause(in: response), let began = wants[index].began,
      now.adding(milliseconds: pause).milliseconds - began.milliseconds <= Self.patience
    else {
      wants.remove(at: index)
      return found + [.done(want: id)]
    }
    wants[index].askAt = now.adding(milliseconds: pause)
    return found
  }

  private static func elements(_ list: JSONValue?) -> JSONValue.Elements { list?.elements ?? JSONValue.Elements.none }

  /// Returns the account with an address among those that a server has found for it, or else one without any, whose posts
  /// have to say whether it is the one.
  private static func account(
    _ address: String, in found: JSONValue.Elements
  ) -> (account: JSONValue, isCertain: Bool)? {
    if let account = found.first(where: { MastodonStatus.author($0)?.nativeID == address }) { return (account, true) }
    return found.first { !MastodonStatus.hasAddress($0) }.map { ($0, false) }
  }

  /// True if statuses are by the author of a want, or there are none.
  private func isBy(_ subject: Subject, _ response: FetchResponse, _ host: String, _ parser: JSONParser) -> Bool {
    guard case .author(let address) = subject else { return true }
    let authors = response.parsed(by: parser) { value in
      Self.elements(value).compactMap { MastodonStatus.post($0, source: "", host: host)?.author.nativeID }
    }
    return authors.map { $0.isEmpty || $0.contains(address) } ?? true
  }

  /// Returns what a response has found; nil if it is not what was asked for.
  private func items(
    _ question: Question, _ response: FetchResponse, _ host: String, _ now: Instant, _ parser: JSONParser
  ) -> [[UInt8]]? {
    response.parsed(by: parser) { value -> [[UInt8]]? in
      var statuses: [JSONValue] = []
      var people: [JSONValue] = []
      switch question {
      case .context:
        guard let above = value["ancestors"], let below = value["descendants"] else { return nil }
        statuses = Array(above.elements) + Array(below.elements)
      case .search:
        guard let found = value["statuses"] else { return nil }
        (statuses, people) = (Array(found.elements), Array(Self.elements(value["accounts"])))
      default:
        guard value.isArray else { return nil }
        statuses = Array(value.elements)
      }
      let posts = statuses.compactMap { TimelineStatus($0, host: host, now: now) }
      // Without an address they would be others than the authors of their posts.
      return people.filter { MastodonStatus.hasAddress($0) }.compactMap { MastodonStatus.author($0) }
        .map { LoginItem.person($0) }
        + posts.map { LoginItem.post($0.post, in: []) }
    }
  }

  private mutating func end(_ index: Int, _ reason: String) -> Outcome {
    .failed(want: wants.remove(at: index).id, reason: reason)
  }

  /// Returns the milliseconds after which a server that is fetching replies wants to be asked again; nil if it has all
  /// (`Mastodon-Async-Refresh: id="…", retry=5`).
  private static func pause(in response: FetchResponse) -> Int64? {
    guard let text = response.field("mastodon-async-refresh") else { return nil }
    for part in text.split(separator: ",") {
      let words = part.split(separator: "=")
      guard words.count == 2, words[0].filter({ $0 != " " }) == "retry", let seconds = Int64(words[1]) else { continue }
      return min(max(seconds, pauses.lowerBound), pauses.upperBound) * 1_000
    }
    return nil
  }
}

extension WantedContent.Question {
  /// The want that it is for.
  var want: String {
    switch self {
    case .find(_, let want), .context(_, let want), .findAuthor(_, let want), .statuses(_, let want),
      .search(_, let want):
      want
    }
  }

  /// Returns the request to a server.
  func request(to server: MastodonServer) -> FetchRequest {
    switch self {
    case .find(let address, _): WriterQuestion.find(address).request(to: server)
    case .context(let number, _): server.get("/api/v1/statuses/\(number)/context")
    case .findAuthor(let address, _):
      server.get("/api/v2/search", [("q", address), ("type", "accounts"), ("resolve", "true"), ("limit", "5")])
    case .statuses(let number, _): server.get("/api/v1/accounts/\(number)/statuses", [("limit", "40")])
    case .search(let text, _): server.get("/api/v2/search", [("q", text), ("resolve", "true"), ("limit", "40")])
    }
  }
}
