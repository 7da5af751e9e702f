internal import Dates
internal import Ingest
internal import Posts

/// A notification of an action, such as a favourite or a follow, that brings no post.
struct ServerNotice: Equatable {
  /// What was done.
  enum Kind: String {
    case favourite, reblog, follow
    case followRequest = "follow_request"

    /// The words for it.
    var words: String {
      switch self {
      case .favourite: "favourited your post"
      case .reblog: "reposted your post"
      case .follow: "followed you"
      case .followRequest: "asks to follow you; answer on the website"
      }
    }
  }

  /// The server that tells of it, and what it is about: notices about the same are one.
  var host: String
  var subject: String
  /// Who did it; nil for a notice of a kind that is not known here.
  var person: Person?
  /// What was done, or the server's words for a kind that is not known here.
  var words: String
  /// The text of the post that it is about; empty for none.
  var quote = ""
  /// The page of the post or person.
  var page: SafeText
  /// How many people did it; 0 if that is not known.
  var count = 0

  struct Person: Equatable {
    var name: String
    var handle: SafeText
  }

  /// Characters of a post that are quoted.
  private static let quoteLength = 280
  /// The most bytes of a quote, since a character can have any number of marks, and of a name, as the daemon takes it.
  private static let (quoteBytes, nameBytes) = (4_096, 1_000)

  /// Reads a notification with this identifier. Nil for one of a kind that is not known here and without the server's
  /// words for it, and for one that cannot be read.
  init?(_ value: JSONValue, id: String, host: String) {
    guard let word = value["type"]?.string, let kind = Kind(rawValue: word) else {
      let fallback = value["fallback"]
      guard let words = fallback?.string ?? fallback?["summary"]?.string ?? fallback?["title"]?.string else {
        return nil
      }
      (self.host, subject, self.words, page) = (host, "other/\(id)", words.shortened, .empty)
      return
    }
    guard let account = value["account"], let author = MastodonStatus.author(account),
      let number = TimelineStatus.identifier(account)
    else { return nil }
    person = Person(
      name: author.displayName.string.shortened(to: Self.nameBytes),
      handle: SafeText(line: author.handle.string.shortened(to: Self.nameBytes)))
    (self.host, words) = (host, kind.words)
    switch kind {
    case .follow, .followRequest:
      (subject, page) = ("\(word)/\(number)", SafeText(line: account["url"]?.string ?? ""))
    case .favourite, .reblog:
      guard let status = value["status"], let post = MastodonStatus.post(status, source: "mastodon", host: host),
        let number = TimelineStatus.identifier(status)
      else { return nil }
      (subject, page) = ("\(word)/\(number)", post.body.permalink)
      let line = SafeText(line: post.body.text.string).string
      let start: String = line.count > Self.quoteLength ? line.prefix(Self.quoteLength - 1) + "…" : line
      quote = start.shortened(to: Self.quoteBytes)
      count = (kind == .favourite ? status["favourites_count"] : status["reblogs_count"])?.integer ?? 0
    }
  }
}

/// Makes rows of notices: one for each kind and post, which names those who did it last.
struct NoticeGroups {
  /// The most groups whose names are remembered; the row of an older one names only the next person.
  private static let limit = 256
  /// The most people that a row names.
  private static let nameLimit = 3

  private var people: [String: [ServerNotice.Person]] = [:]
  /// The subjects, those with the newest notices last.
  private var order: [String] = []

  /// Returns a notice as a post for the daemon.
  ///
  /// - Parameters:
  ///   - notice: the next one by time, or a known one again.
  ///   - date: when that was.
  mutating func post(_ notice: ServerNotice, at date: Instant) -> ImportedPost {
    var named: [ServerNotice.Person] = []
    if let person = notice.person {
      named = [person] + (people[notice.subject] ?? []).filter { $0.handle != person.handle }
      remember(Array(named.prefix(Self.nameLimit)), for: notice.subject)
    }
    let shown = named.prefix(Self.nameLimit)
    var text = ""
    var spans: [Span] = []
    for (index, person) in shown.enumerated() {
      let others = max(notice.count, named.count) - shown.count
      if index > 0 { text += index == shown.count - 1 && others <= 0 ? " and " : ", " }
      let start = text.utf8.count
      text += person.name
      spans.append(Span(kind: .mention, range: start..<text.utf8.count, target: person.handle))
      if index == shown.count - 1, others > 0 { text += others == 1 ? " and 1 other" : " and \(others) others" }
    }
    text += (text.isEmpty ? "" : " ") + notice.words
    if !notice.quote.isEmpty { text += ":\n“\(notice.quote)”" }
    let server = ImportedAuthor(
      nativeID: "https://\(notice.host)/", handle: SafeText(line: notice.host), displayName: SafeText(line: notice.host)
    )
    return ImportedPost(
      source: "mastodon", nativeID: "\(notice.host)#notice/\(notice.subject)", author: server, createdAt: date,
      body: PostBody(
        text: SafeText(text), spans: spans, visibility: .followers, flags: .notice, permalink: notice.page))
  }

  private mutating func remember(_ named: [ServerNotice.Person], for subject: String) {
    people[subject] = named
    order.removeAll { $0 == subject }
    order.append(subject)
    if order.count > Self.limit { people[order.removeFirst()] = nil }
  }
}
