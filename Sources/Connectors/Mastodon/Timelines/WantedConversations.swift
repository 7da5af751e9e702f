internal import Dates
internal import HTTPSupport
internal import Ingest

/// The conversations that people have opened: what comes before and after a post, from its server. A server that is
/// still fetching replies from others is asked again, as it says.
struct WantedConversations {
  enum Question: Equatable {
    /// The status with an address, for a want.
    case find(String, want: String)
    /// What is around a status.
    case context(String, want: String)
  }

  /// What became of a want.
  enum Outcome: Equatable {
    case posts([[UInt8]])
    case done(want: String)
    case failed(want: String, reason: String)
  }

  private struct Want {
    var id: String
    var post: Wish.PostName
    /// The server's identifier of the post, once it is known.
    var number: String?
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

  /// The time at which ``next(at:host:)`` may have a question again; nil if that does not depend on time.
  var deadline: Instant? { wants.compactMap { $0.isAsked ? nil : $0.askAt }.min() }

  /// Adds a want. Returns false if there are too many.
  mutating func add(_ id: String, _ post: Wish.PostName) -> Bool {
    guard wants.count < Self.limit else { return false }
    wants.append(Want(id: id, post: post))
    return true
  }

  /// Nobody waits for a want any more, if it is one of these.
  mutating func drop(_ id: String) { wants.removeAll { $0.id == id } }

  /// Ends all. Returns what became of them.
  mutating func fail(_ reason: String) -> [Outcome] {
    defer { wants = [] }
    return wants.map { .failed(want: $0.id, reason: reason) }
  }

  /// Returns what to ask next of the server `host`.
  mutating func next(at now: Instant, host: String) -> Question? {
    guard let index = wants.firstIndex(where: { !$0.isAsked && $0.askAt.map { $0 <= now } ?? true }) else { return nil }
    wants[index].isAsked = true
    let want = wants[index]
    guard let number = want.number ?? want.post.number(at: host) else { return .find(want.post.id, want: want.id) }
    wants[index].number = number
    wants[index].began = want.began ?? now
    return .context(number, want: want.id)
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
    case .absent: return [end(index, "the server does not have this post")]
    case .refused(let words), .signedOut(let words): return [end(index, "the server says: \(words)")]
    case .later(let reason): return [end(index, reason)]
    case .limited, .building: return [end(index, "the server asks to wait")]
    }
    guard let response else { return [] }
    if case .find(let address, _) = question {
      let found = response.parsed(by: parser) { value in
        (value["statuses"]?.elements ?? JSONValue.Elements.none).compactMap { OwnStatus($0, host: host) }
      }
      guard let status = found?.first(where: { $0.uri == address || $0.page == address }) else {
        return [end(index, "the server does not have this post")]
      }
      wants[index].number = status.id
      return []
    }
    let posts = response.parsed(by: parser) { value -> [[UInt8]]? in
      guard let above = value["ancestors"], let below = value["descendants"] else { return nil }
      return (Array(above.elements) + Array(below.elements)).compactMap { status in
        TimelineStatus(status, host: host, now: serverNow).map { LoginItem.post($0.post, in: []) }
      }
    }
    guard let posts else { return [end(index, "the server's answer cannot be read")] }
    let found: [Outcome] = posts.isEmpty ? [] : [.posts(posts)]
    guard let pause = Self.pause(in: response), let began = wants[index].began,
      now.adding(milliseconds: pause).milliseconds - began.milliseconds <= Self.patience
    else {
      wants.remove(at: index)
      return found + [.done(want: id)]
    }
    wants[index].askAt = now.adding(milliseconds: pause)
    return found
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

extension WantedConversations.Question {
  /// The want that it is for.
  var want: String {
    switch self {
    case .find(_, let want), .context(_, let want): want
    }
  }

  /// Returns the request to a server.
  func request(to server: MastodonServer) -> FetchRequest {
    switch self {
    case .find(let address, _): WriterQuestion.find(address).request(to: server)
    case .context(let number, _): server.get("/api/v1/statuses/\(number)/context")
    }
  }
}
