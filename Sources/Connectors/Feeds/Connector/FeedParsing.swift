internal import Dates
internal import HTTPSupport
internal import Ingest
internal import Posts

/// A document to be read, as a value that another thread may take.
package struct FeedParseJob: Sendable {
  let check: Int
  let feed: String
  let document: [UInt8]
  let charset: String?
  let url: WebURL
  /// What is known of the feed's items, as text.
  let known: String
  /// True if a changed item is to come up again.
  let liftsEdited: Bool
  let now: Instant

  /// Reads the document. O(its length).
  package func run() -> FeedParseOutcome {
    do {
      let document = try FeedReader.read(document, charset: charset)
      return FeedParseOutcome(check: check, result: .success(ParsedFeed(document, job: self)))
    } catch {
      return FeedParseOutcome(check: check, result: .failure(error))
    }
  }
}

/// What became of a ``FeedParseJob``.
package struct FeedParseOutcome: Sendable {
  let check: Int
  let result: Result<ParsedFeed, FeedReader.Failure>
}

/// What a document brings.
struct ParsedFeed: Sendable {
  /// The items for the daemon, each an object in JSON.
  let items: [[UInt8]]
  let newCount: Int
  let itemCount: Int
  let known: String
  let pace: FeedPace
  /// What the feed says of itself, as an item.
  let person: [UInt8]
  /// The first error in the document, with its line; nil if there was none.
  let problem: String?

  init(_ document: FeedDocument, job: FeedParseJob) {
    let posts = FeedPosts(
      document, feed: job.feed, at: job.url, known: KnownItems(text: job.known.utf8),
      liftsEdited: job.liftsEdited, now: job.now)
    items = posts.posts.map { post in
      var line = Array(#"{"post":"#.utf8)
      JSONLines.append(post, to: &line)
      line.removeLast()
      return line + [UInt8(ascii: "}")]
    }
    newCount = posts.newCount
    itemCount = document.items.count
    known = posts.known.text
    pace = FeedPace(schedule: document.feed.schedule, itemTimes: posts.dates)
    person = Self.person(document.feed, url: job.url)
    problem = document.problem.map { SafeText(line: $0).string.shortened }
  }

  /// A feed's name is its title, its handle the host of its site.
  private static func person(_ feed: FeedFacts, url: WebURL) -> [UInt8] {
    let site = feed.link.flatMap { url.resolving($0) } ?? url
    let host = site.host.hasPrefix("www.") ? String(site.host.dropFirst(4)) : site.host
    let title = ItemText.line(feed.title, limit: 200)
    var writer = JSONLinesWriter()
    writer.begin()
    writer.field("person") { writer in
      writer.begin()
      writer.field("handle", host)
      writer.text("name", title.hasVisibleCharacter ? title : SafeText(line: host))
      if let image = feed.image.flatMap({ site.resolving($0) }) { writer.field("avatar", image.text) }
      writer.end()
    }
    writer.end()
    return writer.bytes
  }
}

extension FeedReader.Failure {
  /// The reason as a clause for a person.
  var words: String {
    switch self {
    case .empty: "an empty document"
    case .webPage: "a web page, perhaps of a bot check"
    case .otherDocument(let root):
      root.isEmpty ? "neither XML nor JSON" : "a document of <\(root.shortened)>"
    case .unknownEncoding(let name): "in an unknown encoding: \(name.shortened)"
    case .otherJSON: "JSON, but not JSON Feed"
    }
  }
}
