import Dates
import Ingest
import Posts
import Testing

/// The results of Tests/Fixtures/make-expected.py for the same files.
struct Expected: CustomStringConvertible, Sendable {
  var file: String
  var rows: [[String: String]]
  var description: String { file }

  static let all: [Expected] = {
    let text = String(decoding: Fixture.bytes("expected.tsv"), as: UTF8.self)
    let lines = text.utf8.split(separator: UInt8(ascii: "\n"))
    let columns = cells(lines[0])
    var files: [Expected] = []
    for line in lines.dropFirst() {
      let row = Dictionary(uniqueKeysWithValues: zip(columns, cells(line)))
      if files.last?.file != row["file"]! { files.append(Expected(file: row["file"]!, rows: [])) }
      files[files.count - 1].rows.append(row)
    }
    return files
  }()

  private static func cells(_ line: Substring.UTF8View.SubSequence) -> [String] {
    line.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false).map { cell in
      var text = ""
      var escaped = false
      for scalar in String(Substring(cell)).unicodeScalars {
        if escaped {
          text.unicodeScalars.append(scalar == "n" ? "\n" : scalar == "t" ? "\t" : "\\")
          escaped = false
        } else if scalar == "\\" {
          escaped = true
        } else {
          text.unicodeScalars.append(scalar)
        }
      }
      return text
    }
  }
}

@Suite("Fixtures against an independent implementation")
struct FixtureTests {
  /// Imports a file; for those of a Twitter archive, account.js first.
  static func load(_ path: String, _ options: ImportOptions = ImportOptions()) -> Imported {
    let name = String(path.split(separator: "/").last!)
    var files = [(name, Fixture.bytes(path))]
    if path.hasPrefix("twitter-archive"), name != "account.js" {
      files.insert(("account.js", Fixture.bytes("twitter-archive/data/account.js")), at: 0)
    }
    return importing(files, options)
  }

  @Test("posts, authors, links, times, counts and visibility match", arguments: Expected.all)
  func fields(expected: Expected) {
    let imported = Self.load(expected.file)
    #expect(imported.refusals == [])
    let found = imported.posts.enumerated().flatMap { index, post in
      [("\(index + 1)", post)] + post.original.map { ("\(index + 1)o", $0) }
    }
    #expect(found.map(\.0) == expected.rows.map { $0["number"]! })
    for ((number, post), row) in zip(found, expected.rows) {
      for (column, value) in Self.columns(of: post) {
        #expect(value == row[column]!, "post \(number), \(column)")
      }
    }
  }

  static func columns(of post: ImportedPost) -> [(String, String)] {
    let body = post.body
    let flags: [(PostFlags, String)] = [
      (.favourited, "favourited"), (.reposted, "reposted"), (.saved, "saved"), (.sensitive, "sensitive"),
      (.edited, "edited"),
    ]
    return [
      ("source", post.source), ("id", post.nativeID), ("aliases", post.aliases.joined(separator: " ")),
      ("author", post.author.nativeID), ("handle", post.author.handle.string), ("name", post.author.displayName.string),
      ("avatar", post.author.avatarURL.string), ("milliseconds", "\(post.createdAt.milliseconds)"),
      ("text", body.text.string),
      (
        "spans",
        body.spans.map { "\($0.kind):\($0.range.lowerBound)-\($0.range.upperBound):\($0.target)" }.joined(
          separator: ";")
      ),
      ("media", body.media.map { "\($0.kind) \($0.url) \($0.altText)" }.joined(separator: ";")),
      ("replies", "\(body.counts.replies)"), ("reposts", "\(body.counts.reposts)"),
      ("favourites", "\(body.counts.favourites)"), ("visibility", "\(body.visibility)"),
      ("flags", flags.filter { body.flags.contains($0.0) }.map(\.1).joined(separator: " ")),
      ("warning", body.contentWarning.string), ("language", body.language.string), ("url", body.permalink.string),
      ("parent", post.inReplyTo ?? ""), ("parent_handle", body.inReplyToHandle.string),
    ]
  }

  @Test("each kind of file has its number of posts")
  func totals() {
    func count(_ path: String) -> Int { Self.load(path).posts.count }
    #expect(count("twitter-v1/get_home_timeline.json") == 20)
    #expect(count("twitter-v1/get_mentions.json") == 19)
    #expect(count("twitter-v1/streaming_lines.jsonl") == 36)
    #expect(count("twitter-archive/data/tweets.js") == 9)
    #expect(count("twitter-archive/data/tweets-part1.js") == 2)
    #expect(count("twitter-archive/data/tweet.js") == 1)
    #expect(count("mastodon-archive/outbox_duplicate_key.synthetic.json") == 8)
    #expect(count("mastodon/rest/test_home_tl.1.GET.api_v1_timelines_home.json") == 11)
    #expect(count("mastodon/streams/test_stream_user_direct.11.sse") == 5)
    #expect(count("plist/tweets5.binary.plist") == 5)
    #expect(Self.load("twitter-v1/get_home_timeline.json").posts.count { !$0.original.isEmpty } == 14)
  }

  @Test("a file without posts is refused with its name and kind", arguments: refusals)
  func refused(path: String, reason: String) {
    let imported = Self.load(path)
    #expect(imported.refusals == ["\(path.split(separator: "/").last!): \(reason)"])
    #expect(imported.posts.isEmpty)
  }

  static let refusals: [(String, String)] = [
    ("bluesky/note.bsky.json", "the file contains Bluesky records; Bluesky is not supported yet"),
    (
      "bluesky/note_with_mention_linked_text.bsky.json",
      "the file contains Bluesky records; Bluesky is not supported yet"
    ),
    ("bluesky/quote.bsky.json", "the file contains Bluesky records; Bluesky is not supported yet"),
    ("bluesky/repost.bsky.json", "the file contains Bluesky records; Bluesky is not supported yet"),
    (
      "jsonfeed/article_with_audio_video.feed-from-as.json",
      "the file contains a JSON Feed; `feed add` subscribes to one by its address"
    ),
    ("jsonfeed/attachments.feed.json", "the file contains a JSON Feed; `feed add` subscribes to one by its address"),
    ("jsonfeed/note.feed-from-as.json", "the file contains a JSON Feed; `feed add` subscribes to one by its address"),
    (
      "mastodon-archive/bookmarks.synthetic.json",
      "the file contains a list of links, not posts (as in likes.json and bookmarks.json)"
    ),
    (
      "mastodon-archive/likes.synthetic.json",
      "the file contains a list of links, not posts (as in likes.json and bookmarks.json)"
    ),
    (
      "mastodon/rest/test_status_edit.4.GET.api_v1_statuses_117440831413709748_history.json",
      "the file contains an edit history: versions of one post without its ID"
    ),
    (
      "mastodon/rest/test_unauthed_home_tl_throws.1.GET.api_v1_timelines_home.json",
      "the file contains a server's error response (“The access token is invalid”), not posts"
    ),
    ("mastodon/streams/test_stream_healthy.2.sse", "cannot import text of an unknown format that begins with “OK”"),
    (
      "mastodon/streams/test_timeline_disabled.5.sse",
      "the file contains a server's error response (“Missing access token”), not posts"
    ),
    ("twitter-text/extract.yml", "cannot import a YAML file"),
    ("twitter-text/validate.yml", "cannot import a YAML file"),
  ]

  /// Files that import without posts: empty responses and account data.
  static let empty = [
    "mastodon/rest/test_min_max_id.2.GET.api_v1_timelines_home_max_id_117440841916687644_min_id_117440841916686.json",
    "mastodon/rest/test_min_max_id_datetimes.2.GET.api_v1_timelines_home_max_id_117440844726272000_min_id_117440843415552.json",
    "mastodon/rest/test_pagination_iterator.35.GET.api_v1_timelines_tag_fgiztsshwiaqqiztpmmjbtvmescsculuvmgjgopwoeidbcrix.json",
    "mastodon/rest/test_pagination_iterator.39.GET.api_v1_timelines_tag_fgiztsshwiaqqiztpmmjbtvmescsculuvmgjgopwoeidbcrix.json",
    "twitter-archive/data/account.js",
  ]

  @Test("an empty list imports without errors", arguments: empty)
  func emptyList(path: String) {
    let imported = Self.load(path)
    #expect(imported.posts.isEmpty && imported.refusals.isEmpty && imported.skippedCount == 0)
  }

  /// Responses to deletions, each with the deleted status.
  static let deletions = Fixture.all(in: "mastodon").filter { $0.contains(".DELETE.") }

  @Test("a recorded response to a deletion does not import the deleted status", arguments: deletions)
  func deletion(path: String) {
    let imported = Self.load(path)
    #expect(imported.posts.isEmpty && imported.refusals.isEmpty)
    #expect(imported.reasons == ["a deletion (imports never delete posts)"])
  }

  @Test("the tables cover every fixture")
  func complete() {
    #expect(Self.deletions.count == 13)
    let known = Set(Expected.all.map(\.file)).union(Self.refusals.map(\.0)).union(Self.empty).union(Self.deletions)
    #expect(Set(Fixture.all()) == known)
  }

  @Test("the archive's owner is reported and is the author of posts without one")
  func owner() {
    let imported = Self.load("twitter-archive/data/tweets.js")
    #expect(imported.owners == [ImportedAuthor(nativeID: "41", handle: "synthetic", displayName: "Synthetic Account")])
    let given = ImportedAuthor(nativeID: "9", handle: "me", displayName: "Me")
    let alone = importing(
      [("tweets.js", Fixture.bytes("twitter-archive/data/tweets.js"))], ImportOptions(author: given))
    #expect(alone.posts.allSatisfy { $0.author == given })
  }

  @Test("an archive without its account is refused with a remedy")
  func noOwner() {
    let imported = importing([("tweets.js", Fixture.bytes("twitter-archive/data/tweets.js"))])
    #expect(
      imported.refusals == [
        "tweets.js: the file contains tweets without an author: import account.js of the same archive first"
      ])
  }

  @Test("XML and binary property lists give the same posts")
  func propertyLists() {
    #expect(Self.load("plist/tweets5.xml.plist") == Self.load("plist/tweets5.binary.plist"))
  }

  @Test("a given source name replaces the format's own")
  func sourceName() {
    let imported = Self.load("twitter-v1/get_home_timeline.json", ImportOptions(sourceName: "old"))
    #expect(imported.posts.allSatisfy { $0.source == "old" && $0.original.allSatisfy { $0.source == "old" } })
  }

  @Test("the native JSON of every post imports as the same post", arguments: Expected.all)
  func native(expected: Expected) {
    guard !expected.file.contains("archive"), !expected.file.hasPrefix("plist") else { return }
    for post in Self.load(expected.file).posts {
      let again = importing([("native.json", post.native)])
      #expect(again.posts == [post])
      for original in post.original {
        #expect(importing([("native.json", original.native)]).posts == [original])
      }
    }
  }
}
