import Ingest
import Testing

@Suite("A file is judged by its first bytes, and one that cannot be imported says what to do")
struct FileKindTests {
  @Test(
    "refused",
    arguments: [
      (
        "archive.zip", "PK\u{3}\u{4}xxxx",
        "it is a ZIP archive: unpack it and import the files in it (data/account.js and data/tweets.js)"
      ),
      ("empty.json", "", "it is empty"), ("blank.json", " \n\t\n", "it is empty"),
      ("feed.xml", "<?xml version=\"1.0\"?><rss version=\"2.0\">", "it is an RSS feed; feeds are not supported yet"),
      ("feed.atom", "<feed xmlns=\"http://www.w3.org/2005/Atom\">", "it is an Atom feed; feeds are not supported yet"),
      ("feed.rdf", "<?xml version='1.0'?>\n<rdf:RDF>", "it is an RSS 1.0 feed; feeds are not supported yet"),
      ("subs.opml", "<opml version='2.0'>", "it is a list of feeds (OPML); feeds are not supported yet"),
      ("page.html", "<!DOCTYPE html><html>", "it is a web page"),
      ("other.xml", "<a/>", "it is XML of a kind that is not known here"),
      ("like.js", "window.YTD.like.part0 = [ ]", "it is the list of likes of a Twitter archive, not posts"),
      ("follower.js", "window.YTD.follower.part0 = [ ]", "it is the list of followers of a Twitter archive, not posts"),
      (
        "direct-messages.js", "window.YTD.direct_messages.part0 = []",
        "it is the direct messages of a Twitter archive, which are not imported"
      ),
      (
        "deleted-tweets.js", "window.YTD.deleted_tweets.part0 = []",
        "it is the deleted tweets of a Twitter archive, which stay deleted"
      ),
      (
        "ad-mobile.js", "window.YTD.ad_mobile.part0 = []",
        "it is the part “ad_mobile” of a Twitter archive, not posts; import tweets.js"
      ),
      ("manifest.js", "window.__THAR_CONFIG = {}", "it is the table of contents of a Twitter archive, not posts"),
      ("posts.csv", "id,text\n1,x", "it is a table, not posts"),
      (
        "notes.txt", "dear\u{1B}[31m diary",
        "it is text that begins with “dear [31m diary”, which is no format known here"
      ),
      ("errors.json", #"{"errors":[{"code":32,"message":"x"}]}"#, "it holds the error answer of a server, not posts"),
      ("accounts.json", #"[{"id":"1","username":"a","acct":"a"}]"#, "it holds Mastodon accounts, not posts"),
      ("users.json", #"[{"screen_name":"a","followers_count":1}]"#, "it holds Twitter users, not posts"),
      ("matrix.json", "[[1,2],[3]]", "it holds lists inside a list, not posts"),
      ("object.json", "{}", "it holds JSON objects without fields, which is no kind of post known here"),
    ])
  func refused(name: String, text: String, reason: String) {
    #expect(importing(text, name: name).refusals == ["\(name): \(reason)"])
  }

  @Test(
    "binary files",
    arguments: [
      (
        [0x1F, 0x8B, 8, 0],
        "it is compressed with gzip: unpack it first (tar xzf for an archive, gunzip for a single file)"
      ),
      ([0xFF, 0xFE, 0x5B, 0], "it is text in UTF-16: convert it to UTF-8 first (iconv -f UTF-16 -t UTF-8)"),
      ([0x89, 0x50, 0x4E, 0x47], "it is a picture"),
      ([1, 0, 2], "it is a binary file of a kind that is not known here"),
      (
        Array(repeating: 0x61, count: 257) + Array("ustar".utf8) + [0],
        "it is a tar archive: unpack it and import the files in it (outbox.json and actor.json)"
      ),
    ] as [([UInt8], String)])
  func binary(bytes: [UInt8], reason: String) {
    #expect(importing([("file", bytes)]).refusals == ["file: \(reason)"])
  }

  @Test(
    "read",
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
    "what only looks like an event stream is refused",
    arguments: [":", ":)\n", ": noise \u{7}\n:: more of it\n\n", ":thump\n\n:thump\n", "event: update\n"])
  func noEvents(text: String) {
    let imported = importing(text)
    #expect(
      imported.refusals == ["file.json: it begins like a Mastodon event stream, and there is no event with data in it"])
    #expect(imported.posts.isEmpty)
  }

  @Test(
    "a format named has to fit",
    arguments: [
      (ImportFormat.mastodonJSON, "[\(DamageTests.tweet(1))]", "it holds tweets; import it as twitter-v1 or auto"),
      (.twitterV1, "[\(DamageTests.status(1))]", "it holds Mastodon statuses; import it as mastodon-json or auto"),
      (
        .twitterArchive, #"{"text":"x","author":"a","created_at":"2023-01-01T13:00:00Z"}"#,
        "it holds posts in Stack's JSON Lines; import it as jsonl or auto"
      ),
    ])
  func mismatch(format: ImportFormat, text: String, reason: String) {
    #expect(importing(text, ImportOptions(format: format)).refusals == ["file.json: \(reason)"])
  }

  @Test("a refused file does not spoil the next")
  func next() {
    let imported = importing([
      ("a.zip", Array("PK\u{3}\u{4}".utf8)), ("b.json", Array("[\(DamageTests.tweet(1))]".utf8)),
    ])
    #expect(imported.refusals.count == 1)
    #expect(imported.posts.count == 1)
  }
}
