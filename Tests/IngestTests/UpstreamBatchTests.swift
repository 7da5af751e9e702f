import Dates
import Ingest
import Posts
import Testing

@Suite("What a source's program brings: lines of protocol 2")
struct UpstreamBatchTests {
  private func read(_ line: String) throws -> UpstreamMessage {
    var lines = UpstreamLine(source: "fake")
    var found: [Result<UpstreamMessage, UpstreamMistake>] = []
    lines.read(Array("\(line)\n".utf8)) { found.append($0) }
    return try #require(found.first).get()
  }

  private func batch(_ fields: String, of subject: String = #""login":"fake""#) throws -> UpstreamBatch {
    let message = try read(#"{"say":"batch","batch":"1",\#(subject),\#(fields)}"#)
    guard case .batch(let batch) = message else { throw UpstreamMistake(reason: "\(message)") }
    return batch
  }

  private func items(_ items: String, of subject: String = #""login":"fake""#) throws -> [UpstreamItem] {
    try batch(#""items":[\#(items)]"#.filter { $0 != "\n" }, of: subject).items
  }

  private static let otter = #"{"id":"n1","created_at":5000,"author":{"id":"a1","handle":"ann"},"text":"Otter."}"#

  @Test("a hello says what the program carries out, and unknown words are passed over") func hello() throws {
    #expect(
      try read(#"{"say":"hello","protocol":2,"can":["favourite","post","teleport",7],"name":"x"}"#)
        == .hello(UpstreamHello(commands: [.favourite, .unfavourite, .post])))
    #expect(try read(#"{"say":"hello","protocol":3}"#) == .hello(UpstreamHello()))
    #expect(try read(#"{"say":"hello","protocol":2,"can":["feed"]}"#) == .hello(UpstreamHello(readsFeeds: true)))
    #expect(try read(#"{"say":"hello","protocol":2,"can":["marker"]}"#) == .hello(UpstreamHello(keepsMarkers: true)))
    var direct = UpstreamHello(commands: [.post])
    direct.takesDirectPosts = true
    #expect(try read(#"{"say":"hello","protocol":2,"can":["post","post_direct"]}"#) == .hello(direct))
    #expect(try read(#"{"say":"hello","protocol":2,"can":["fetch"]}"#) == .hello(UpstreamHello(fetches: true)))
  }

  @Test("a post comes with the lists that it is in; one without is only context") func posts() throws {
    let found = try items(
      #"{"post":\#(Self.otter),"in":["home"]},{"post":\#(Self.otter)},{"post":\#(Self.otter),"in":["saved","mentions","list:7"]},"#
        + #"{"left":"n1","in":["home"]},{"left":"n2"}"#)
    var post = ImportedPost(
      source: "fake", nativeID: "n1",
      author: ImportedAuthor(nativeID: "a1", handle: "ann", displayName: ""), createdAt: Instant(seconds: 5),
      body: PostBody(text: "Otter."))
    #expect(found[0] == .post(post, in: .home, unfiled: []))
    #expect(found[1] == .post(post, in: [], unfiled: []))
    post.body.flags = .saved
    #expect(found[2] == .post(post, in: [.saved, .mentions], unfiled: ["list:7"]))
    #expect(found[3] == .left("n1", .home) && found[4] == .left("n2", .timelines))
  }

  @Test("the source's own JSON of a post is kept, whichever item of the batch it is in") func native() throws {
    let other = Self.otter.dropLast() + #", "native": {"a": [1, "]}"]}}"#
    let found = try items(#"{"gone":"n9"}, {"post": \#(other)}"#)
    guard case .post(let post, _, _) = found[1] else { return #expect(Bool(false)) }
    #expect(String(decoding: post.native, as: UTF8.self) == #"{"a":[1,"]}"]}"#)
  }

  @Test("the posts of a feed are its own: its author and its IDs") func feed() throws {
    let found = try items(
      #"{"post":{"id":"g1","created_at":5000,"text":"Otter.","visibility":"direct"}},{"gone":"g2"},{"person":{"name":"News"}},"#
        + #"{"moved":"https://b.example/"},{"moved":"b"}"#,
      of: #""feed":"f7""#)
    let author = ImportedAuthor(nativeID: "f7", handle: "", displayName: "")
    let post = ImportedPost(
      source: "fake", nativeID: "f7/g1", author: author, createdAt: Instant(seconds: 5), body: PostBody(text: "Otter."))
    #expect(found[0] == .post(post, in: .home, unfiled: []))
    #expect(found[1] == .gone("f7/g2"))
    #expect(
      found[2] == .person(ImportedAuthor(nativeID: "f7", handle: "", displayName: "News"), unkept: []))
    #expect(found[3] == .moved("https://b.example/") && found[4] == .unusable("moved is not an http(s) address"))
  }

  @Test("an item that cannot be read, or has no place here, costs itself and has a reason")
  func unusable() throws {
    let reasons = try items(
      """
      {"post":{"id":"n1","created_at":5,"author":"ann"}},{"post":7},{"gone":""},{"marker":{}},{"dance":1},
      {"post":{"source":"other","text":"x","created_at":5,"author":"ann"}},
      {"gap":{"newer":5,"older":9}},
      {"post":{"text":"x","created_at":9000000000000000,"author":"ann"}},
      {"post":{"text":"x","created_at":5,"author":"\(String(repeating: "a", count: 1001))"}},
      {"post":{"text":"\(String(repeating: "a", count: 262_144))","created_at":5,"author":"ann"}}
      """)
    #expect(
      reasons == [
        .unusable("it has no text"), .unusable("post is a number, not an object"), .unusable("gone is empty"),
        .unusable("a marker in neither home nor mentions"), .unusable("unknown item"),
        .unusable("its source is not fake"), .unusable("empty gap: \"newer\" must be later than \"older\""),
        .unusable("created_at is out of range"),
        .unusable("a name, handle, warning or language is longer than 1000 bytes"),
        .unusable("longer than 256 KiB"),
      ])
  }

  @Test("addresses are http(s), texts are harmless") func harmless() throws {
    let found = try items(
      """
      {"post":{"id":"n1","created_at":5,"author":{"id":"a","handle":"\\u001bann","avatar":"file:///x"},"text":"a b c",
       "url":"javascript:x","media":[{"url":"data:x"},{"url":"https://x.example/y"}],
       "spans":[{"kind":"link","start":0,"end":1,"target":"file:///x"},{"kind":"link","start":2,"end":3,"target":"mailto:a@b.c"},
        {"kind":"link","start":4,"end":5,"target":"https://x.example"}]}}
      """)
    guard case .post(let post, _, _) = found[0] else { return #expect(Bool(false)) }
    #expect(post.author.handle == "\u{FFFD}ann" && post.author.avatarURL.isEmpty && post.body.permalink.isEmpty)
    #expect(post.body.media.map(\.url) == ["https://x.example/y"])
    #expect(post.body.spans.map(\.target) == ["mailto:a@b.c", "https://x.example"])
  }

  @Test("limits, with what is usual for what is not said") func limits() throws {
    let found = try items(
      #"{"limits":{"max_characters":5000,"characters_reserved_per_url":9,"more":1}},{"limits":{}},"#
        + #"{"limits":{"max_characters":0}},{"limits":7}"#)
    #expect(found[0] == .limits(PostLimits(characters: 5_000, linkCharacters: 9)) && found[1] == .limits(.standard))
    #expect(
      found[2] == .unusable("a limit is out of range") && found[3] == .unusable("limits is a number, not an object"))
  }

  @Test("reading positions: up to a post, by its date if it is not here, or nothing yet") func markers() throws {
    let found = try items(
      #"{"marker":{"in":"home","post":"n1","created_at":5000}},{"marker":{"in":"mentions","take":false}},"#
        + #"{"marker":{"in":"saved"}},{"marker":{"in":"home","created_at":"soon"}}"#)
    #expect(found[0] == .marker(UpstreamMarker(list: .home, post: "n1", createdAt: Instant(seconds: 5))))
    #expect(found[1] == .marker(UpstreamMarker(list: .mentions, isTaken: false)))
    #expect(found[2] == .unusable("a marker in neither home nor mentions"))
    #expect(found[3] == .unusable("created_at is not a date"))
    let feed = try items(#"{"marker":{"in":"home"}}"#, of: #""feed":"f7""#)
    #expect(feed == [.unusable("a marker, in a feed")])
  }

  @Test("gaps, people and doubts") func others() throws {
    let found = try items(
      #"{"gap":{"newer":9000,"older":5000,"lost":true}},{"complete":{"newer":9000,"older":5000}},"#
        + #"{"person":{"id":"a1","handle":"ann","muting":true}},{"doubt":"n1"}"#)
    func note(_ kind: GapNote.Kind, isLost: Bool = false) throws -> GapNote {
      try #require(
        GapNote(kind, source: "fake", newer: Instant(seconds: 9), older: Instant(seconds: 5), isLost: isLost))
    }
    #expect(found[0] == .gap(try note(.missing(0), isLost: true)))
    #expect(found[1] == .gap(try note(.complete)))
    #expect(
      found[2] == .person(ImportedAuthor(nativeID: "a1", handle: "ann", displayName: ""), unkept: ["muting"]))
    #expect(found[3] == .doubt("n1"))
  }

  @Test("cursors are the program's own words; null removes one") func cursors() throws {
    let batch = try batch(#""cursors":{"home":"1142","etag":"W/\"x\"","n":7,"old":null}"#)
    let expected: [String: String?] = ["home": "1142", "etag": #"W/"x""#, "n": "7", "old": nil]
    #expect(batch.cursors == expected)
  }

  @Test(
    "a batch that breaks a rule is named by its number",
    arguments: [
      (#""login":"fake","items":7"#, "items is not a list"), (#""items":[]"#, "it names no login and no feed"),
      (#""login":"fake","cursors":[]"#, "cursors is not an object"),
      (#""login":"fake","cursors":{"a":[1]}"#, "cursor a is neither a string nor null"),
      (#""login":"fake","cursors":{"a":"\u0000"}"#, "cursor a is neither a string nor null"),
      (
        #""login":"fake","cursors":{"a":"\#(String(repeating: "x", count: 16_385))"}"#,
        "the cursors are longer than 16384 bytes"
      ),
      (#""login":"fake","items":[\#(String(repeating: "1,", count: 500))1]"#, "more than 500 items"),
    ])
  func broken(fields: String, reason: String) throws {
    #expect(try read(#"{"say":"batch","batch":"7",\#(fields)}"#) == .brokenBatch("7", reason: reason))
  }

  @Test("a batch of 500 items is read") func most() throws {
    let item = #"{"doubt":"n1"}"#
    #expect(try items((0..<500).map { _ in item }.joined(separator: ",")).count == 500)
  }

  @Test("a status says how a feed fares") func status() throws {
    #expect(
      try read(
        #"{"say":"status","feed":"f7","state":"waiting","since":5000,"next":"1970-01-01T00:00:09Z","reason":"down\u001b","history":["a\u001b","b"]}"#
      )
        == .status(
          UpstreamStatus(
            subject: .feed("f7"), state: .waiting, since: Instant(seconds: 5), next: Instant(seconds: 9),
            reason: "down\u{FFFD}", history: ["a\u{FFFD}", "b"])))
  }

  @Test(
    "lines that are nothing of the protocol are mistakes",
    arguments: [
      (#"{"say":"dance"}"#, "unknown \"say\": dance"), (#"{"say":"hello"}"#, "a hello without \"protocol\": 2"),
      (#"{"say":"hello","protocol":1}"#, "a hello without \"protocol\": 2"),
      (#"{"say":"batch","login":"x"}"#, "a batch without a number of at most 64 bytes"),
      (#"{"say":"status","state":"live"}"#, "a status without login or feed"),
      (#"{"say":"status","feed":"f7","state":"odd"}"#, "a status with an unknown state: odd"),
    ])
  func mistakes(line: String, reason: String) { #expect(throws: UpstreamMistake(reason: reason)) { try read(line) } }

  @Test("what the daemon tells is one line each") func notices() {
    func line(_ notice: UpstreamNotice) -> String { String(decoding: UpstreamLine.line(notice), as: UTF8.self) }
    #expect(
      line(.login("fake", account: "ann", cursors: ["b": "\"2\"", "a": "1"]))
        == #"{"tell":"login","login":"fake","account":"ann","cursors":{"a":"1","b":"\"2\""}}"# + "\n")
    #expect(
      line(.ready(now: Instant(seconds: 5), credit: 8)) == #"{"tell":"ready","now":5000,"credit":8}"# + "\n")
    let feed = UpstreamFeed(name: "f7", url: "https://a.example", intervalMinutes: 60, liftsEdited: true)
    #expect(
      line(.feed(feed, cursors: ["etag": "1"]))
        == #"{"tell":"feed","feed":"f7","url":"https://a.example","cursors":{"etag":"1"},"#
        + #""settings":{"interval_minutes":60,"lifts_edited":true}}"# + "\n")
    #expect(
      line(.feed(UpstreamFeed(name: "f7", url: "x"), cursors: nil))
        == #"{"tell":"feed","feed":"f7","url":"x","settings":{}}"# + "\n")
    #expect(line(.gone(feed: "f7")) == #"{"tell":"gone","feed":"f7"}"# + "\n")
    #expect(line(.want(id: "w1", .refresh(feed: "f7"))) == #"{"want":"refresh","id":"w1","feed":"f7"}"# + "\n")
    #expect(
      line(.want(id: "w1", .signIn(server: "ann@a.example", account: "ann", redirectPort: 0, isReadOnly: false)))
        == #"{"want":"sign_in","id":"w1","address":"ann@a.example","account":"ann"}"# + "\n")
    #expect(
      line(
        .want(
          id: "w1",
          .signIn(server: "a.example", account: "", redirectPort: 0, isReadOnly: false, secretCommand: "a b")))
        == #"{"want":"sign_in","id":"w1","address":"a.example","secret_command":"a b"}"# + "\n")
    #expect(
      line(.want(id: "w1", .signIn(server: "a.example", account: "", redirectPort: 8080, isReadOnly: true)))
        == #"{"want":"sign_in","id":"w1","address":"a.example","port":"8080","read_only":true}"# + "\n")
    #expect(
      line(.login("ann@a.example", account: "ann", cursors: [:], keepsBookmarks: true))
        == #"{"tell":"login","login":"ann@a.example","account":"ann","bookmarks":true,"cursors":{}}"# + "\n")
    let file = UpstreamUpload(mediaType: "image/png", description: "A \"cat\"", byteCount: 3)
    #expect(
      line(.want(id: "w1", .upload(file, login: "ann@a.example")))
        == #"{"want":"upload","id":"w1","login":"ann@a.example","type":"image/png","bytes":"3","description":"A \"cat\""}"#
        + "\n")
    #expect(line(.part(want: "w1", [0, 0xFF, 0x41])) == #"{"part":"w1","data":"AP9B"}"# + "\n")
    #expect(
      line(.want(id: "w1", .finishSignIn(number: "s1", code: "c")))
        == #"{"want":"finish_sign_in","id":"w1","sign_in":"s1","code":"c"}"# + "\n")
    #expect(
      line(.want(id: "w1", .signOut(login: "ann@a.example")))
        == #"{"want":"sign_out","id":"w1","login":"ann@a.example"}"# + "\n")
    #expect(line(.signedOut(login: "l")) == #"{"tell":"gone","login":"l"}"# + "\n")
    #expect(
      line(.read(login: "l", .mentions, posts: ["n1", "a#1"]))
        == #"{"tell":"read","login":"l","in":"mentions","posts":["n1","a#1"]}"# + "\n")
    #expect(line(.looking(login: "l")) == #"{"tell":"looking","login":"l"}"# + "\n")
    #expect(
      line(.want(id: "w1", .fetch(.conversation(post: "n1", aliases: ["a#1"]), login: "l")))
        == #"{"want":"conversation","id":"w1","login":"l","post":"n1","aliases":["a#1"]}"# + "\n")
    func want(_ fetch: UpstreamFetch) -> String { line(.want(id: "w2", .fetch(fetch, login: "ann@a.example"))) }
    let start = #","id":"w2","login":"ann@a.example","#
    #expect(want(.conversation(post: "n1")) == #"{"want":"conversation""# + start + #""post":"n1"}"# + "\n")
    #expect(
      want(.conversation(post: "n1", isUnasked: true))
        == #"{"want":"conversation""# + start + #""post":"n1","unasked":true}"# + "\n")
    #expect(want(.author("a1")) == #"{"want":"author""# + start + #""author":"a1"}"# + "\n")
    #expect(want(.search("a \"b\"")) == #"{"want":"search""# + start + #""text":"a \"b\""}"# + "\n")
    #expect(
      want(.gap(newer: Instant(seconds: 9), older: Instant(seconds: 5), above: "n2", below: ""))
        == #"{"want":"older""# + start + #""above":"n2","newer":9000,"older":5000}"# + "\n")
    #expect(line(.unwanted(id: "w2")) == #"{"want":"nothing","id":"w2"}"# + "\n")
    let report = UpstreamBatchReport(
      revision: 812, refused: [UpstreamBatchReport.RefusedItem(index: 3, reason: "no")], present: ["n1"])
    #expect(
      line(.batchDone("17", .stored(report)))
        == #"{"did":"17","revision":812,"refused":[{"item":3,"reason":"no"}],"have":["n1"]}"# + "\n")
    #expect(line(.batchDone("17", .again)) == #"{"did":"17","again":true}"# + "\n")
    #expect(line(.batchDone("17", .refused("no"))) == #"{"did":"17","ok":false,"reason":"no"}"# + "\n")
  }
}
