import Ingest
import Posts
import Testing

@Suite("File kinds")
struct FileKindTests {
  @Test(
    "files that cannot be imported are refused with a remedy",
    arguments: [
      (
        "archive.zip", "PK\u{3}\u{4}xxxx",
        "cannot import a ZIP archive; unpack it and import the files in it (data/account.js and data/tweets.js)"
      ),
      ("empty.json", "", "the file is empty"), ("blank.json", " \n\t\n", "the file is empty"),
      (
        "feed.xml", "<?xml version=\"1.0\"?><rss version=\"2.0\">",
        "cannot import an RSS feed; `feed add` subscribes to one by its address"
      ),
      (
        "feed.atom", "<feed xmlns=\"http://www.w3.org/2005/Atom\">",
        "cannot import an Atom feed; `feed add` subscribes to one by its address"
      ),
      (
        "feed.rdf", "<?xml version='1.0'?>\n<rdf:RDF>",
        "cannot import an RSS 1.0 feed; `feed add` subscribes to one by its address"
      ),
      ("subs.opml", "<opml version='2.0'>", "cannot import a list of feeds (OPML); `feed import` subscribes to them"),
      ("page.html", "<!DOCTYPE html><html>", "cannot import a web page"),
      ("other.xml", "<a/>", "cannot import XML of an unknown kind"),
      ("like.js", "window.YTD.like.part0 = [ ]", "cannot import the likes of a Twitter archive"),
      ("follower.js", "window.YTD.follower.part0 = [ ]", "cannot import the followers of a Twitter archive"),
      (
        "direct-messages.js", "window.YTD.direct_messages.part0 = []",
        "cannot import the direct messages of a Twitter archive"
      ),
      (
        "deleted-tweets.js", "window.YTD.deleted_tweets.part0 = []",
        "cannot import the deleted tweets of a Twitter archive, which stay deleted"
      ),
      (
        "ad-mobile.js", "window.YTD.ad_mobile.part0 = []",
        "cannot import the part “ad_mobile” of a Twitter archive; import tweets.js instead"
      ),
      (
        "manifest.js", "window.__THAR_CONFIG = {}",
        "cannot import the table of contents of a Twitter archive; import tweets.js instead"
      ),
      ("posts.csv", "id,text\n1,x", "cannot import a CSV or TSV table"),
      (
        "notes.txt", "dear\u{1B}[31m diary",
        "cannot import text of an unknown format that begins with “dear [31m diary”"
      ),
      (
        "errors.json", #"{"errors":[{"code":32,"message":"x"}]}"#,
        "the file contains a server's error response, not posts"
      ),
      ("accounts.json", #"[{"id":"1","username":"a","acct":"a"}]"#, "the file contains Mastodon accounts, not posts"),
      ("users.json", #"[{"screen_name":"a","followers_count":1}]"#, "the file contains Twitter users, not posts"),
      ("matrix.json", "[[1,2],[3]]", "the file contains nested lists, not posts"),
      ("object.json", "{}", "the file contains JSON objects without fields, not a known kind of post"),
      (
        "relationships.json", #"[{"id":"1","following":true,"followed_by":false}]"#,
        "the file contains JSON objects with the fields id, following, followed_by, not a known kind of post"
      ),
      (
        "words.json", #"[{"like":3,"limit":4,"warning":"x","delete":true,"errors":{}}]"#,
        "the file contains JSON objects with the fields like, limit, warning, delete, not a known kind of post"
      ),
      (
        "following.json", #"[{"following":{"accountId":"1","userLink":"https://x"}}]"#,
        "the file contains the followed accounts of a Twitter archive, not posts"
      ),
    ])
  func refused(name: String, text: String, reason: String) {
    #expect(importing(text, name: name).refusals == ["\(name): \(reason)"])
  }

  @Test(
    "tweets of the API v2 are named as such, with or without their optional fields",
    arguments: [
      #"{"data":[{"id":"1","text":"x"}],"meta":{"result_count":1}}"#,
      #"{"data":{"id":"1","text":"x","edit_history_tweet_ids":["1"]}}"#,
      #"[{"id":"1","text":"x","edit_history_tweet_ids":["1"]}]"#,
      #"[{"id":"1","text":"x","created_at":"2023-01-01T13:00:00.000Z","author_id":"7"}]"#,
    ])
  func twitterV2(text: String) {
    let reason =
      "the file contains tweets of the Twitter API v2, which are not supported yet; convert them to JSON Lines"
    #expect(importing(text).refusals == ["file.json: \(reason)"])
    let owner = ImportedAuthor(nativeID: "41", handle: "ann", displayName: "Ann")
    #expect(importing(text, ImportOptions(author: owner)).posts.isEmpty, "its author is somebody else")
  }

  @Test(
    "binary files are refused with a remedy",
    arguments: [
      (
        [0x1F, 0x8B, 8, 0],
        "cannot import a gzip file; unpack it first (tar xzf for an archive, gunzip for a single file)"
      ),
      ([0xFF, 0xFE, 0x5B, 0], "cannot import UTF-16 text; convert it to UTF-8 first (iconv -f UTF-16 -t UTF-8)"),
      ([0x89, 0x50, 0x4E, 0x47], "cannot import an image"),
      ([1, 0, 2], "cannot import a binary file of an unknown kind"),
      (
        Array(repeating: 0x61, count: 257) + Array("ustar".utf8) + [0],
        "cannot import a tar archive; unpack it and import the files in it (outbox.json and actor.json)"
      ),
    ] as [([UInt8], String)])
  func binary(bytes: [UInt8], reason: String) {
    #expect(importing([("file", bytes)]).refusals == ["file: \(reason)"])
  }

  @Test(
    "files of posts are read",
    arguments: [
      ("\u{FEFF}[\(DamageTests.tweet(1))]", 1), ("[]", 0), ("  [ ]  ", 0), (DamageTests.tweet(1), 1),
      ("window.YTD.tweet.part0 = [\(DamageTests.tweet(1))];\n", 1),
      ("window.YTD.tweets.part12=[{\"tweet\":\(DamageTests.tweet(1))}]", 1),
      ("Grailbird.data.tweets_2012_03 = \n [ \(DamageTests.tweet(1)) ]", 1),
      ("[\(DamageTests.tweet(1))]\n[\(DamageTests.tweet(2))]", 2), ("[\(DamageTests.tweet(1)),]", 1),
      ("{\"statuses\":[\(DamageTests.tweet(1))],\"search_metadata\":{\"count\":1}}", 1),
      (
        "{\"ancestors\":[\(DamageTests.status(1))],\"descendants\":[\(DamageTests.status(2)),\(DamageTests.status(3))]}",
        3
      ),
      (":)\nevent: update\ndata: \(DamageTests.status(1))\n\n:thump\n\nevent: delete\ndata: 12\n\n", 1),
      ("event: delete\r\ndata: 12\r\n", 0),
    ])
  func read(text: String, posts: Int) {
    let imported = importing(text)
    #expect(imported.refusals == [])
    #expect(imported.posts.count == posts)
  }

  @Test(
    "text that only looks like an event stream is refused",
    arguments: [":", ":)\n", ": noise \u{7}\n:: more of it\n\n", ":thump\n\n:thump\n", "event: update\n"])
  func noEvents(text: String) {
    let imported = importing(text)
    #expect(
      imported.refusals == ["file.json: the file looks like a Mastodon event stream but has no event with data"])
    #expect(imported.posts.isEmpty)
  }

  @Test(
    "a file must match the given format",
    arguments: [
      (
        ImportFormat.mastodonJSON, "[\(DamageTests.tweet(1))]",
        "the file contains tweets; import it as twitter-v1 or auto"
      ),
      (
        .twitterV1, "[\(DamageTests.status(1))]",
        "the file contains Mastodon statuses; import it as mastodon-json or auto"
      ),
      (
        .twitterArchive, #"{"text":"x","author":"a","created_at":"2023-01-01T13:00:00Z"}"#,
        "the file contains posts in Stack's JSON Lines format; import it as jsonl or auto"
      ),
    ])
  func mismatch(format: ImportFormat, text: String, reason: String) {
    #expect(importing(text, ImportOptions(format: format)).refusals == ["file.json: \(reason)"])
  }

  @Test("a refused file does not affect the next")
  func next() {
    let imported = importing([
      ("a.zip", Array("PK\u{3}\u{4}".utf8)), ("b.json", Array("[\(DamageTests.tweet(1))]".utf8)),
    ])
    #expect(imported.refusals.count == 1)
    #expect(imported.posts.count == 1)
  }
}
