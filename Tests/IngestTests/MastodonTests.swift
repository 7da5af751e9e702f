import Ingest
import Posts
import Testing

@Suite("Identities of Mastodon posts and accounts")
struct MastodonTests {
  static func status(_ id: Int, acct: String, host: String, parent: Int? = nil, more: String = "") -> String {
    let name = acct.split(separator: "@")[0]
    return """
      {"id":"\(id)","created_at":"2018-10-10T20:19:24.123Z","in_reply_to_id":\(parent.map { "\"\($0)\"" } ?? "null"),\
      "uri":"https://\(host)/users/\(name)/statuses/\(id)0","account":{"id":"7","acct":"\(acct)","url":"https://\(host)/@\(name)"},\
      "content":"<p>x</p>"\(more)}
      """
  }

  @Test("numbers get the server's host, also those read before its first account")
  func server() {
    let imported = importing(
      "[\(Self.status(1, acct: "bob@far.example", host: "far.example", parent: 9)),\(Self.status(2, acct: "ann", host: "h.example", parent: 1))]"
    )
    #expect(imported.posts.map(\.aliases) == [["h.example#1"], ["h.example#2"]])
    #expect(imported.posts.map(\.inReplyTo) == ["h.example#9", "h.example#1"])
    #expect(
      imported.posts.map(\.nativeID) == [
        "https://far.example/users/bob/statuses/10", "https://h.example/users/ann/statuses/20",
      ])
  }

  @Test("with an unknown server, numbers are dropped but replies within the file are resolved")
  func unknownServer() {
    let far = "far.example"
    let imported = importing(
      "[\(Self.status(1, acct: "bob@far.example", host: far)),\(Self.status(2, acct: "eve@far.example", host: far, parent: 1)),\(Self.status(3, acct: "eve@far.example", host: far, parent: 8))]"
    )
    #expect(imported.posts.map(\.aliases) == [[], [], []])
    #expect(imported.posts.map(\.inReplyTo) == [nil, "https://far.example/users/bob/statuses/10", nil])
  }

  @Test("a given server is used")
  func givenServer() {
    let imported = importing(
      "[\(Self.status(1, acct: "bob@far.example", host: "far.example"))]", ImportOptions(server: "home.example"))
    #expect(imported.posts.map(\.aliases) == [["home.example#1"]])
  }

  @Test("at most 500 posts wait for the server's name")
  func bounded() {
    let far = (1...1200).map { Self.status($0, acct: "bob@far.example", host: "far.example") }
    let imported = importing("[\((far + [Self.status(2000, acct: "ann", host: "h.example")]).joined(separator: ","))]")
    #expect(imported.posts.count == 1201)
    #expect(imported.posts.count { $0.aliases.isEmpty } == 1000)
    #expect(imported.posts.map(\.nativeID).first == "https://far.example/users/bob/statuses/10")
  }

  @Test("an account without an address has the one in its status, as in its archive")
  func author() {
    let post = importing("[\(Self.status(1, acct: "ann", host: "h.example"))]").posts.first
    #expect(post?.author.nativeID == "https://h.example/users/ann")
    #expect(post?.body.inReplyToHandle == .empty)
  }

  @Test("a poll's options follow the text; an unknown visibility is neither public nor a message")
  func poll() {
    let more = #","poll":{"options":[{"title":"yes","votes_count":1},{"title":"no"}]},"visibility":"circle""#
    let post = importing(Self.status(1, acct: "ann", host: "h.example", more: more)).posts.first
    #expect(post?.body.text.string == "x\n\n○ yes\n○ no")
    #expect(post?.body.visibility == .followers)
  }

  @Test("a direct post is for those whom the server names, not for those in its text", arguments: ["direct", "public"])
  func recipients(visibility: String) {
    let more =
      #","mentions":[{"id":"9","acct":"bea@b.example","url":"https://b.example/@bea"}],"visibility":"\#(visibility)""#
    let post = importing(Self.status(1, acct: "ann", host: "h.example", more: more)).posts.first
    #expect(post?.recipients == (visibility == "direct" ? ["bea@b.example"] : nil))
    #expect(post?.body.mentions.isEmpty == true)
  }

  static func activity(_ to: String, _ cc: String, object: String = "", type: String = "Create") -> String {
    """
    {"id":"https://h.example/ap/users/7/statuses/1/activity","type":"\(type)","actor":"https://h.example/ap/users/7",\
    "published":"2022-11-08T03:07:14Z","to":\(to),"cc":\(cc),"object":{"id":"https://h.example/ap/users/7/statuses/1","type":"Note",\
    "attributedTo":"https://h.example/ap/users/7","published":"2022-11-08T03:07:14Z","to":\(to),"cc":\(cc),"content":"x"\(object)}}
    """
  }

  @Test(
    "addresses determine the visibility of a post in an archive",
    arguments: [
      (#"["https://www.w3.org/ns/activitystreams#Public"]"#, "[]", Visibility.public), (#""as:Public""#, "[]", .public),
      (#"["https://h.example/followers"]"#, #"["https://www.w3.org/ns/activitystreams#Public"]"#, .unlisted),
      (#"["https://h.example/users/a/followers"]"#, "[]", .followers),
      (#"["https://x.example/users/b"]"#, "[]", .direct),
      ("[]", "[]", .direct),
    ])
  func visibility(to: String, cc: String, expected: Visibility) {
    let outbox = #"{"orderedItems":[\#(Self.activity(to, cc))]}"#
    #expect(importing(outbox, name: "outbox.json").posts.map(\.body.visibility) == [expected])
  }

  @Test("actor.json before the outbox gives the owner's name")
  func actor() {
    let actor = """
      {"@context":[],"id":"https://h.example/ap/users/7","type":"Person","preferredUsername":"ann","name":"Ann",\
      "icon":{"type":"Image","url":"avatar.png"},"outbox":"outbox.json"}
      """
    let own = #","inReplyTo":"https://h.example/ap/users/7/statuses/0""#
    let outbox = #"{"orderedItems":[\#(Self.activity("[]", "[]", object: own))]}"#
    let imported = importing([("actor.json", Array(actor.utf8)), ("outbox.json", Array(outbox.utf8))])
    let ann = ImportedAuthor(
      nativeID: "https://h.example/ap/users/7", handle: "ann", displayName: "Ann", avatarURL: "avatar.png")
    #expect(imported.owners == [ann])
    #expect(imported.posts.map(\.author) == [ann])
    #expect(imported.posts.first?.body.inReplyToHandle == "ann")
  }

  @Test("a question has its options, a repost of one's own post its original")
  func otherObjects() {
    let question = Self.activity("[]", "[]", object: #","oneOf":[{"name":"tea"},{"name":"coffee"}]"#)
    #expect(importing(question).posts.first?.body.text.string == "x\n\n○ tea\n○ coffee")
    let repost = importing(Self.activity("[]", "[]", type: "Announce")).posts.first
    #expect(repost?.nativeID == "https://h.example/ap/users/7/statuses/1/activity")
    #expect(repost?.original.map(\.body.text.string) == ["x"])
  }
}
