internal import Dates
internal import Ingest
internal import Posts

/// A notification of an action, such as a favourite or a follow, which is no post of anyone.
struct ServerNotice: Equatable {
  /// What was done.
  enum Kind: String {
    case favourite, reblog, follow, poll, update
    case followRequest = "follow_request"

    /// The words for it.
    var words: String {
      switch self {
      case .favourite: "favourited your post"
      case .reblog: "reposted your post"
      case .follow: "followed you"
      case .followRequest: "asks to follow you; answer on the website"
      case .poll: "A poll has ended"
      case .update: "edited a post"
      }
    }
  }

  /// The login that is told of it, and what it is about: its notices about the same are one.
  var login: LoginName
  var subject: String
  /// The server's identifier of the notification.
  var id: String
  /// Who did it; nil if that is nobody, or for a notice of a kind that is not known here.
  var person: Person?
  /// What was done, or the server's words for a kind that is not known here.
  var words: String
  /// The content warning or else the text of the post that it is about; empty for none.
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

  /// Reads a notification of a login with this identifier. Nil for one of a kind that is not known here and without the
  /// server's words for it, and for one that cannot be read.
  init?(_ value: JSONValue, id: String, login: LoginName) {
    (self.login, self.id) = (login, id)
    guard let word = value["type"]?.string, let kind = Kind(rawValue: word) else {
      let fallback = value["fallback"]
      guard let words = fallback?.string ?? fallback?["summary"]?.string ?? fallback?["title"]?.string else {
        return nil
      }
      (subject, self.words, page) = ("other/\(id)", words.shortened, .empty)
      return
    }
    guard let account = value["account"], let author = MastodonStatus.author(account),
      let number = TimelineStatus.identifier(account)
    else { return nil }
    person = Person(
      name: author.displayName.string.shortened(to: Self.nameBytes),
      handle: SafeText(line: author.handle.string.shortened(to: Self.nameBytes)))
    words = kind.words
    if kind == .poll { person = nil }
    guard kind != .follow, kind != .followRequest else {
      (subject, page) = ("\(word)/\(number)", SafeText(line: account["url"]?.string ?? ""))
      return
    }
    guard let status = value["status"], let post = MastodonStatus.post(status, source: "mastodon", host: login.host),
      let number = TimelineStatus.identifier(status)
    else { return nil }
    (subject, page, quote) = ("\(word)/\(number)", post.body.permalink, Self.quote(of: post.body))
    switch kind {
    case .favourite: count = status["favourites_count"]?.integer ?? 0
    case .reblog: count = status["reblogs_count"]?.integer ?? 0
    default: break
    }
  }

  /// Returns the start of a post, of which nothing is shown that its warning hides.
  private static func quote(of body: PostBody) -> String {
    let line = body.contentWarning.isEmpty ? SafeText(line: body.text.string).string : body.contentWarning.string
    let start: String = line.count > quoteLength ? line.prefix(quoteLength - 1) + "…" : line
    return start.shortened(to: quoteBytes)
  }
}

/// Makes rows of notices: one for each kind and post, which names those who did it last.
struct NoticeGroups {
  /// The most groups whose names are remembered; the row of an older one names only the next person.
  private static let limit = 256
  /// The most people that a row names.
  private static let nameLimit = 3

  /// The last who did something to a subject, the newest first.
  private var people: [String: [(date: Instant, person: ServerNotice.Person)]] = [:]
  /// The subjects, those with the newest notices last.
  private var order: [String] = []

  /// Returns a notice of a date as a post for the daemon. Its place among the notifications is that of the newest of its
  /// subject, and so is its name.
  mutating func post(_ notice: ServerNotice, at date: Instant) -> ImportedPost {
    let (shown, total) = people(of: notice, at: date)
    var text = ""
    var spans: [Span] = []
    for (index, person) in shown.enumerated() {
      let others = max(notice.count, total) - shown.count
      if index > 0 { text += index == shown.count - 1 && others <= 0 ? " and " : ", " }
      let start = text.utf8.count
      text += person.name
      spans.append(Span(kind: .mention, range: start..<text.utf8.count, target: person.handle))
      if index == shown.count - 1, others > 0 { text += others == 1 ? " and 1 other" : " and \(others) others" }
    }
    text += (text.isEmpty ? "" : " ") + notice.words
    if !notice.quote.isEmpty { text += ":\n“\(notice.quote)”" }
    let host = SafeText(line: notice.login.host)
    return ImportedPost(
      source: "mastodon", nativeID: "\(notice.login.text)#notice/\(notice.subject)",
      aliases: [notice.login.alias(ofNotification: notice.id)],
      author: ImportedAuthor(nativeID: "https://\(host.string)/", handle: host, displayName: host), createdAt: date,
      body: PostBody(
        text: SafeText(text), spans: spans, visibility: .followers, flags: .notice, permalink: notice.page))
  }

  /// Returns the people whom a row names, and how many are known to have done it.
  private mutating func people(
    of notice: ServerNotice, at date: Instant
  ) -> (shown: [ServerNotice.Person], total: Int) {
    guard let person = notice.person else { return ([], 0) }
    var known = people[notice.subject] ?? []
    let former = known.first { $0.person.handle == person.handle }
    known.removeAll { $0.person.handle == person.handle }
    // A page that is read again has older ones than those that are known.
    let latest = max(date, former?.date ?? date)
    known.insert((latest, person), at: known.firstIndex { $0.date <= latest } ?? known.count)
    people[notice.subject] = Array(known.prefix(Self.nameLimit))
    order.removeAll { $0 == notice.subject }
    order.append(notice.subject)
    if order.count > Self.limit { people[order.removeFirst()] = nil }
    return (known.prefix(Self.nameLimit).map(\.person), known.count)
  }
}
