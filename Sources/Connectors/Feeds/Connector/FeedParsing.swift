internal import Dates
internal import HTTPSupport
internal import Ingest
internal import Posts

/// A document to parse, on any thread.
package struct FeedParseJob: Sendable {
  let check: Int
  let feed: String
  let document: [UInt8]
  let charset: String?
  let url: WebURL
  /// The known items, as ``KnownItems`` writes them.
  let known: String
  /// True to give a changed item a new date, so that it comes up again.
  let liftsEdited: Bool
  let now: Instant

  /// Reads the document. O(its length).
  package func run() -> FeedParseOutcome {
    do {
      let document = try FeedDocumentReader.read(document, charset: charset)
      return FeedParseOutcome(check: check, result: .success(ParsedFeed(document, job: self)))
    } catch {
      let offered = error == .webPage ? OfferedFeeds.read(document, at: url) : []
      return FeedParseOutcome(check: check, result: .failure(error), offered: offered)
    }
  }
}

/// The outcome of a ``FeedParseJob``.
package struct FeedParseOutcome: Sendable {
  let check: Int
  let result: Result<ParsedFeed, FeedDocumentReader.Failure>
  /// The feeds that a web page offers.
  var offered: [WebURL] = []
}

/// The contents of a document that are new to the daemon.
struct ParsedFeed: Sendable {
  /// The items for the daemon, each an object in JSON.
  let items: [[UInt8]]
  let newCount: Int
  let itemCount: Int
  let known: String
  let pace: FeedPace
  /// The feed's own title, host and picture, as an item.
  let person: [UInt8]
  /// The problems of the document, as clauses; empty if there are none.
  let problems: [String]

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
    problems = (posts.problems + document.problems).map { SafeText(line: $0).string.shortened }
  }

  /// A feed's name is its title, its handle the host of its site.
  private static func person(_ feed: FeedFacts, url: WebURL) -> [UInt8] {
    let site = feed.link.flatMap { url.resolving($0) } ?? url
    // A file is called by its own name.
    let name = site.isFile ? String(site.path.split(separator: "/").last ?? "/") : site.host
    let host = name.hasPrefix("www.") ? String(name.dropFirst(4)) : name
    let title = ItemText.line(feed.title, limit: 200)
    return JSONLinesWriter.object { writer in
      writer.object("person") { writer in
        writer.field("handle", host)
        writer.text("name", title.hasVisibleCharacter ? title : SafeText(line: host))
        if let image = feed.image.flatMap({ site.resolving($0) }) { writer.field("avatar", image.text) }
      }
    }
  }
}

extension FeedDocumentReader.Failure {
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
