import Dates
import Posts
import Testing

@testable import Search

@Suite("Filters of panes")
struct PostFilterTests {
  @Test(
    "each filter has one canonical spelling",
    arguments: [
      ("-is:repost", "-is:repost"), ("IS:Reply", "is:reply"),
      ("has:media is:notice", "is:notice has:media"), ("has:media", "has:media"), ("lang:de", "lang:de"),
      ("lang:PT-br  lang:de", "lang:de lang:pt-br"), ("-lang:en", "-lang:en"), ("is:unread", "is:unread"),
      ("Otter lang:de -is:repost", "-is:repost lang:de otter"), ("\"two Words\" is:reply", "is:reply \"two words\""),
      ("-tea from:Ann has:link", "has:link from:ann -tea"), ("\"is:reply\"", "\"is reply\""),
      ("is:repost is:repost", "is:repost"), ("-is:Favourited is:saved x", "is:saved -is:favourited x"),
      ("#Sea @ann after:2024-03-01", "#sea @ann after:2024-03-01"), ("-has:media -is:reply", "-is:reply -has:media"),
      ("Tea -/Two  \\/ \"Words/ lang:de /Ótt.r/", "lang:de /ott.r/ -/two  \\/ \"words/ tea"),
      ("/b/ /a/ /B/", "/a/ /b/"), ("--/a/", "-/a/"),
      ("\"/a/\" from:\"b /c/\" x/y", "a \"x y\" from:\"b /c/\""), ("/\\D/ /\\d/", "/\\D/ /\\d/"),
    ])
  func spelling(typed: String, canonical: String) throws {
    let filter = try PostFilter(parsing: typed)
    #expect(filter.canonical == canonical)
    #expect(PostFilter(canonical: canonical) == filter, "it is its own spelling")
  }

  @Test(
    "impossible filters are refused with a message",
    arguments: [
      ("", PostFilterError.search(.empty)), ("is:blue", .unknownState("blue")), ("lang:", .noLanguage("")),
      ("lang:d_e", .noLanguage("d_e")),
      ("is:repost -is:repost", .contradiction("is:repost")), ("lang:de -lang:de", .contradiction("lang:de")),
      ("is:saved -is:saved", .contradiction("is:saved")),
      ("-is:unread", .excludedUnread),
      ("has:cheese", .search(.unknownKind("cheese"))), ("\"open", .search(.openQuote)),
      ("bla:x", .search(.unknownKey("bla"))),
      ("tea /usr is:reply", .openPattern("/usr")), ("-/", .openPattern("/")), ("/a\\/", .openPattern("/a\\/")),
      ("/usr/bin x", .textAfterPattern("/usr/", text: "bin")), ("/tea/i", .textAfterPattern("/tea/", text: "i")),
      ("//", .pattern(PatternError(mistake: .empty, position: 1), text: "")),
      ("x /a b(/", .pattern(PatternError(mistake: .openGroup, position: 4), text: "a b(")),
      ("/a/ -/A/", .contradiction("/A/")),
      ("/a{300}/ /b{500}/ -/c{300}/", .pattern(PatternError(mistake: .tooLarge, position: 1), text: "c{300}")),
    ])
  func refused(typed: String, error: PostFilterError) {
    #expect(throws: error) { try PostFilter(parsing: typed) }
    #expect(!error.message.isEmpty && !error.message.contains("\n") && !error.message.hasSuffix("."))
  }

  @Test("a filter has at most 256 bytes") func length() {
    #expect(throws: PostFilterError.tooLong) { try PostFilter(parsing: String(repeating: "a", count: 257)) }
    #expect(throws: Never.self) { try PostFilter(parsing: String(repeating: "a", count: 256)) }
  }

  private struct Sample {
    var text = "An Otter at sea"
    var language = ""
    var hasMedia = false
    var isReply = false
    var isRepost = false
    var id: Int64 = 10
    var reading = ReadMark.none

    var post: StoredPost {
      var body = PostBody(text: SafeText(text), spans: TextSpans.find(in: SafeText(text)))
      body.language = SafeText(language)
      if hasMedia { body.media = [Media(kind: .image, url: "https://example.org/a", altText: "")] }
      var post = StoredPost(
        id: PostID(id), subject: PostID(isRepost ? 1 : id), createdAt: Instant(milliseconds: id), author: AuthorID(4),
        repostedBy: isRepost ? AuthorID(5) : nil, owner: AccountID(1), inReplyTo: isReply ? PostID(3) : nil,
        body: PackedBody(body),
        audience: .everyone)
      _ = post.set(reading, of: AccountID(1))
      return post
    }
  }

  @Test("filters admit the right posts") func matching() throws {
    let plain = Sample()
    let all: [(String, passing: [Sample], failing: [Sample])] = [
      ("is:repost", [Sample(isRepost: true)], [plain]), ("-is:repost", [plain], [Sample(isRepost: true)]),
      ("is:reply", [Sample(isReply: true)], [plain, Sample(isReply: true, isRepost: true)]),
      ("-is:reply", [plain, Sample(isReply: true, isRepost: true)], [Sample(isReply: true)]),
      ("has:media", [Sample(hasMedia: true)], [plain]), ("-has:media", [plain], [Sample(hasMedia: true)]),
      (
        "lang:de", [Sample(language: "de"), Sample(language: "de-AT")],
        [plain, Sample(language: "den"), Sample(language: "en")]
      ),
      ("lang:de lang:en", [Sample(language: "en"), Sample(language: "de")], [Sample(language: "fr")]),
      ("-lang:de", [plain, Sample(language: "en")], [Sample(language: "DE")]),
      ("lang:pt-br", [Sample(language: "pt-BR")], [Sample(language: "pt")]),
      ("ÓTTER", [plain, Sample(isRepost: true)], [Sample(text: "otters")]),
      ("-otter", [Sample(text: "otters")], [plain]),
      ("\"at sea\" -has:media", [plain], [Sample(hasMedia: true), Sample(text: "sea at")]), ("from:ann", [plain], []),
      ("-from:ann", [], [plain]),
      ("/ÓTT.R/", [plain, Sample(text: "two potters"), Sample(isRepost: true)], [Sample(text: "ottr")]),
      ("-/ott.r/", [Sample(text: "ottr")], [plain, Sample(text: "two potters")]),
      (
        "/otter/ /sea$/ -is:repost", [plain], [Sample(isRepost: true), Sample(text: "an otter"), Sample(text: "a sea")]
      ),
      ("/r at/ -/land/ sea", [plain], [Sample(text: "r at seas"), Sample(text: "Otter at sea and land")]),
      ("is:unread", [Sample(id: 10)], [Sample(id: 9), Sample(id: 8)]),
      (
        "is:unread", [Sample(id: 8, reading: .unread), Sample(id: 10, reading: .unread)],
        [Sample(id: 10, reading: .read)]
      ),
    ]
    let since = OrderKey(createdAt: Instant(milliseconds: 9), id: PostID(9))
    for (words, passing, failing) in all {
      var matcher = FilterMatcher(try PostFilter(parsing: words), since: since)
      for (sample, passes) in passing.map({ ($0, true) }) + failing.map({ ($0, false) }) {
        let isAdmitted = matcher.passes(sample.post, by: ["Ann"], for: AccountID(1))
        #expect(isAdmitted == passes, "\(words): \(sample)")
      }
    }
  }
}
