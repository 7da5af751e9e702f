import Ingest
import Posts
import Testing

@Suite("Tweet texts")
struct TweetTextTests {
  /// Returns a tweet with text and entities given as JSON.
  static func tweet(_ text: String, entities: String = "{}", more: String = "") -> ImportedPost? {
    let json = """
      {"id_str":"1","created_at":"Wed Oct 10 20:19:24 +0000 2018","user":{"id_str":"7","screen_name":"ann","name":"Ann"},\
      "full_text":"\(text)","entities":\(entities)\(more)}
      """
    return importing(json).posts.first
  }

  static func spans(_ post: ImportedPost?) -> [String] {
    guard let post else { return ["no post"] }
    return post.body.spans.map {
      "\($0.kind) \(String(decoding: post.body.text.utf8[$0.range], as: UTF8.self)) -> \($0.target)"
    }
  }

  @Test(
    "escapes, astral characters and links are resolved",
    arguments: [
      ("a &amp;amp; b", "{}", "a &amp; b", []),
      ("&lt;b&gt; &quot;x&quot; &#39;y&#39;", "{}", "<b> \"x\" 'y'", []),
      ("&lt;&amp; #tag", #"{"hashtags":[{"text":"tag","indices":[10,14]}]}"#, "<& #tag", ["hashtag #tag -> tag"]),
      (
        "🎉🎉 @Bob!", #"{"user_mentions":[{"screen_name":"bob","indices":["3","7"]}]}"#, "🎉🎉 @Bob!",
        ["mention @Bob -> bob"]
      ),
      (
        "see https://t.co/a ok",
        #"{"urls":[{"url":"https://t.co/a","expanded_url":"https://é.example/?a&b","indices":[4,18]}]}"#,
        "see https://é.example/?a&b ok", ["link https://é.example/?a&b -> https://é.example/?a&b"]
      ),
      (
        "no page https://t.co/b", #"{"urls":[{"url":"https://t.co/b","indices":[8,22]}]}"#, "no page https://t.co/b",
        ["link https://t.co/b -> https://t.co/b"]
      ),
      (
        "＃日本 ＠ann",
        #"{"hashtags":[{"text":"日本","indices":[0,3]}],"user_mentions":[{"screen_name":"ann","indices":[4,8]}]}"#,
        "＃日本 ＠ann", ["hashtag ＃日本 -> 日本", "mention ＠ann -> ann"]
      ),
    ])
  func marks(text: String, entities: String, shown: String, marks: [String]) {
    let post = Self.tweet(text, entities: entities)
    #expect(post?.body.text.string == shown)
    #expect(Self.spans(post) == marks)
  }

  @Test(
    "a link to the tweet's own media is removed",
    arguments: [
      ("photo https://t.co/m", "[6,20]", "photo"), ("https://t.co/m photo", "[0,14]", "photo"),
      ("a https://t.co/m b", "[2,16]", "a b"), ("https://t.co/m", "[0,14]", ""),
      ("line\\n\\nhttps://t.co/m", "[6,20]", "line"),
    ])
  func media(text: String, indices: String, shown: String) {
    let item =
      #"{"url":"https://t.co/m","indices":\#(indices),"media_url_https":"https://p.example/1.jpg","type":"photo"}"#
    let post = Self.tweet(
      text, entities: #"{"media":[\#(item)]}"#, more: #","extended_entities":{"media":[\#(item),\#(item)]}"#)
    #expect(post?.body.text.string == shown)
    #expect(post?.body.media.count == 2)
  }

  @Test("the video with the highest bit rate is used, with its description")
  func video() {
    let item = """
      {"url":"https://t.co/m","indices":[0,14],"media_url_https":"https://p.example/1.jpg","type":"video","ext_alt_text":"a cat",\
      "video_info":{"variants":[{"content_type":"application/x-mpegURL","url":"https://v.example/x"},\
      {"bitrate":"632000","content_type":"video/mp4","url":"https://v.example/s"},\
      {"bitrate":"2176000","content_type":"video/mp4","url":"https://v.example/l"}]}}
      """
    let post = Self.tweet("https://t.co/m", more: #","extended_entities":{"media":[\#(item)]}"#)
    #expect(post?.body.media == [Media(kind: .video, url: "https://v.example/l", altText: "a cat")])
  }

  @Test(
    "with wrong indices, the text is searched for the entity",
    arguments: [
      ("RT @bob: cut off…", #"{"user_mentions":[{"screen_name":"bob","indices":[40,44]}]}"#, ["mention @bob -> bob"]),
      ("🎉 #tag", #"{"hashtags":[{"text":"tag","indices":[3,7]}]}"#, ["hashtag #tag -> tag"]),
      ("nothing here", #"{"hashtags":[{"text":"tag","indices":[0,4]}]}"#, []),
      ("#tag", #"{"hashtags":[{"text":"tag","indices":[-1,4]},{"text":"tag","indices":[4,0]},{"text":"tag"}]}"#, []),
      (
        "@ann @ann",
        #"{"user_mentions":[{"screen_name":"ann","indices":[0,4]},{"screen_name":"ann","indices":[1,5]}]}"#,
        ["mention @ann -> ann", "mention @ann -> ann"]
      ),
    ])
  func searched(text: String, entities: String, marks: [String]) {
    #expect(Self.spans(Self.tweet(text, entities: entities)) == marks)
  }

  @Test("the first of two overlapping marks counts")
  func overlap() {
    let entities = #"{"hashtags":[{"text":"ab","indices":[0,3]},{"text":"b","indices":[2,4]}]}"#
    #expect(Self.spans(Self.tweet("#ab", entities: entities)) == ["hashtag #ab -> ab"])
  }

  @Test("marks stay in place when cleaning changes lengths")
  func cleaned() {
    let post = Self.tweet(
      #"\u001b[0m\u202e\r\n\u2028#tag\u0000 end"#, entities: #"{"hashtags":[{"text":"tag","indices":[8,12]}]}"#)
    #expect(post?.body.text.string == "\u{FFFD}[0m\u{FFFD}\n\n#tag\u{FFFD} end")
    #expect(Self.spans(post) == ["hashtag #tag -> tag"])
  }

  @Test("a lone surrogate becomes one replacement character")
  func surrogates() {
    #expect(Self.tweet(#"a \ud83d b"#)?.body.text.string == "a \u{FFFD} b")
    #expect(Self.tweet(#"\udc00\ud83d\ude00\ud83d"#)?.body.text.string == "\u{FFFD}😀\u{FFFD}")
    let marked = Self.tweet(#"\ud83d #tag"#, entities: #"{"hashtags":[{"text":"tag","indices":[2,6]}]}"#)
    #expect(Self.spans(marked) == ["hashtag #tag -> tag"])
  }

  @Test("raw control characters and ill-formed UTF-8 in a string are replaced")
  func broken() {
    #expect(Self.tweet("a\nb\u{1}c")?.body.text.string == "a\nb\u{FFFD}c")
    var bytes = Array(
      #"[{"id_str":"1","created_at":"Wed Oct 10 20:19:24 +0000 2018","user":{"screen_name":"a"},"text":"x"#.utf8)
    bytes += [0xFF, 0xE2, 0x82] + Array(#"y"}]"#.utf8)
    #expect(importing([("a.json", bytes)]).posts.first?.body.text.string == "x\u{FFFD}\u{FFFD}y")
  }

  @Test("replies, counts as strings or numbers, and an undetermined language are read")
  func fields() {
    let post = Self.tweet(
      "x",
      more:
        #","in_reply_to_status_id":12345678901234567890,"in_reply_to_screen_name":"bob","retweet_count":"12","favorite_count":-3,"lang":"und","retweeted":true,"possibly_sensitive":true"#
    )
    #expect(post?.inReplyTo == "12345678901234567890")
    #expect(post?.body.inReplyToHandle == "bob")
    #expect(post?.body.counts == Counts(replies: 0, reposts: 12, favourites: 0))
    #expect(post?.body.language == .empty)
    #expect(post?.body.flags == [.reposted, .sensitive])
  }

  @Test("a tweet without an ID has a stable key that depends on its content")
  func keys() {
    func key(_ text: String) -> String? {
      importing(#"{"created_at":"2018-10-10T20:19:24Z","screen_name":"ann","text":"\#(text)"}"#).posts.first?.nativeID
    }
    #expect(key("a") == key("a"))
    #expect(key("a") != key("b"))
    #expect(key("a")?.hasPrefix("hash:") == true && key("a")?.utf8.count == 37)
  }
}
