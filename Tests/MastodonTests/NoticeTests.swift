import HTTPSupport
import Ingest
import Testing

@testable import Mastodon

@Suite("Notices of what others did")
struct NoticeTests {
  private static func notification(
    _ id: String, _ type: String, by name: String, at: String = "2026-11-18T11:00:00Z", more: String = ""
  ) -> String {
    """
    {"id":"\(id)","type":"\(type)","created_at":"\(at)","account":{"id":"a\(name)","acct":"\(name)@b.example",\
    "display_name":"\(name.prefix(1).uppercased() + name.dropFirst())","url":"https://b.example/@\(name)","uri":"https://b.example/users/\(name)"}\(more)}
    """
  }

  private static func favourite(
    _ id: String, by name: String, of status: String = "7", at: String = "2026-11-18T11:00:00Z", count: Int = 1
  ) -> String {
    let status = ServerTests.status(status, more: #","url":"https://a.example/7","favourites_count":\#(count)"#)
    return notification(id, "favourite", by: name, at: at, more: #","status":\#(status)"#)
  }

  /// The items that are sent for notifications of a stream, in order.
  private static func items(_ notifications: String...) -> [String] {
    var bench = ConnectorBench.live()
    var items: [String] = []
    for payload in notifications {
      bench.event("notification", payload)
      items += bench.batches()
    }
    return items
  }

  @Test("a favourite is a row that says who and what, with the server as its author") func favourite() {
    let item = Self.items(Self.favourite("n1", by: "bea")).last ?? ""
    #expect(item.contains(#""id":"ann@a.example#notice/favourite/7""#) && item.contains(#""flags":["notice"]"#))
    #expect(item.contains(#""text":"Bea favourited your post:\n“Hello & more”""#))
    #expect(item.contains(#"{"kind":"mention","start":0,"end":3,"target":"bea@b.example"}"#))
    #expect(item.contains(#""handle":"a.example""#) && item.contains(#""url":"https://a.example/7""#))
    #expect(item.contains(#""created_at":"2026-11-18T11:00:00Z""#) && item.contains(#""in":["mentions"]"#))
  }

  @Test("those of one kind about one post are one, which names the last three") func groups() {
    let names = ["ann", "bea", "cat", "dan", "eve"]
    var bench = ConnectorBench.live()
    var texts: [String] = []
    for (index, name) in names.enumerated() {
      bench.event("notification", Self.favourite("n\(index)", by: name, count: index + 1))
      texts.append(bench.batches().joined())
    }
    #expect(texts.allSatisfy { $0.contains("#notice/favourite/7") })
    #expect(texts[1].contains("Bea and Ann favourited"))
    #expect(texts[2].contains("Cat, Bea and Ann favourited"))
    #expect(texts[3].contains("Dan, Cat, Bea and 1 other favourited"))
    #expect(texts[4].contains("Eve, Dan, Cat and 2 others favourited"))
    bench.event("notification", Self.favourite("n9", by: "eve", count: 5))
    #expect(bench.batches().joined().contains("Eve, Dan, Cat and 2 others favourited"))
    // A page that is read again after a start.
    bench.event("notification", Self.favourite("n0", by: "ann", at: "2026-11-18T10:00:00Z", count: 5))
    #expect(bench.batches().joined().contains("Eve, Dan, Cat and 2 others favourited"))
  }

  @Test("a notice has the name of its notification, by which the login's position there moves past it") func names() {
    let item = Self.items(Self.favourite("n1", by: "bea")).last ?? ""
    #expect(item.contains(#""aliases":["ann@a.example#notification/n1"]"#))
  }

  @Test("a warning is shown in place of the text that it hides") func warning() {
    let notification = Self.favourite("n1", by: "bea").replacing(
      #""favourites_count""#, with: #""spoiler_text":"Otters","favourites_count""#)
    let item = Self.items(notification).last ?? ""
    #expect(item.contains(#"favourited your post:\n“Otters”"#) && !item.contains("Hello"))
  }

  @Test("names and quotes of any length make a short row") func lengths() {
    let name = String(repeating: "b", count: 900_000)
    let marks = "e" + String(repeating: "\u{301}", count: 100_000)
    for notification in [
      Self.favourite("n1", by: "bea").replacing("\"Bea\"", with: "\"\(name)\""),
      Self.favourite("n1", by: "bea").replacing("Hello", with: marks),
    ] {
      #expect(notification.utf8.count > 200_000)
      let item = Self.items(notification).last ?? ""
      #expect(item.contains("favourited your post") && item.utf8.count < 10_000)
    }
  }

  @Test("follows and requests to follow have a row each") func follows() {
    let items = Self.items(
      Self.notification("n1", "follow", by: "bea"), Self.notification("n2", "follow_request", by: "cat"))
    #expect(items[0].contains("Bea followed you") && items[0].contains("#notice/follow/abea"))
    #expect(items[1].contains("Cat asks to follow you") && items[1].contains("https://b.example/@cat"))
  }

  @Test("of an unknown kind the server's own words are shown, and without any nothing") func unknown() {
    let items = Self.items(
      Self.notification("n1", "party", by: "bea", more: #","fallback":{"title":"x","summary":"Bea\u0007 invites"}"#),
      Self.notification("n2", "party", by: "bea"))
    #expect(items[0].contains("Bea\u{FFFD} invites") && items[1].contains(#""items":[]"#))
  }

  @Test("a new post that one is told of is among the mentions") func posts() {
    let more = #","status":\#(ServerTests.status("9"))"#
    let item = Self.items(Self.notification("n1", "status", by: "bea", more: more))[0]
    #expect(item.contains("statuses/9") && item.contains(#""in":["mentions"]"#) && !item.contains("#notice/"))
    #expect(item.contains(#""ann@a.example#notification/n1""#))
  }

  @Test(
    "the end of a poll and an edit are notices of their own time, and the post is brought beside it",
    arguments: [("poll", "A poll has ended"), ("update", "Bea edited a post")])
  func olderPosts(type: String, words: String) {
    let more = #","status":\#(ServerTests.status("9"))"#
    let sent = Self.items(Self.notification("n1", type, by: "bea", at: "2026-11-18T11:01:00Z", more: more))[0]
    let items = sent.split(separator: #"{"post":"#).dropFirst()
    #expect(items.count == 2 && items.first?.contains(#""in":[]"#) == true)
    let notice = items.last ?? ""
    #expect(notice.contains(#""id":"ann@a.example#notice/\#(type)/9""#))
    #expect(notice.contains(words + #":\n“Hello & more”"#))
    #expect(notice.contains(#""created_at":"2026-11-18T11:01:00Z""#) && notice.contains(#""in":["mentions"]"#))
  }

  @Test("a server that refuses notices is still asked for mentions", arguments: [400, 404, 422])
  func refused(status: Int) {
    var bench = ConnectorBench.withLogin()
    bench.connect()
    bench.answer(ConnectorBench.home)
    let mention = #"{"id":"m1","type":"mention","status":\#(ServerTests.status("12"))}"#
    bench.answer(ConnectorBench.notifications, 200, "[\(mention)]")
    #expect(bench.fetches[0].request.url.query?.contains("exclude_types") == true)
    bench.answer(ConnectorBench.notifications, status, "{}")
    #expect(bench.fetches[0].request.url.query?.contains("max_id=m1&types") == true, "what lies below is read on")
    bench.answer(ConnectorBench.notifications)
    #expect(bench.fetches.isEmpty)
    bench.event("notifications_merged", "")
    #expect(bench.fetches.count == 1 && bench.fetches[0].request.url.query == "limit=40&types%5B%5D=mention")
  }

  @Test("a server that refuses mentions is still asked for notices") func refusedMentions() {
    var bench = ConnectorBench.withLogin()
    bench.connect()
    bench.answer(ConnectorBench.home)
    bench.answer(ConnectorBench.notifications, 403, "{}")
    bench.answer(ConnectorBench.notifications)
    bench.event("notifications_merged", "")
    #expect(bench.fetches.count == 1 && bench.fetches[0].request.url.query?.contains("exclude_types") == true)
  }

  @Test("a page is read from its older end, so the newest notice of a post counts; of unknown ones the place is kept")
  func pages() {
    var bench = ConnectorBench.withLogin()
    bench.connect()
    bench.answer(ConnectorBench.home)
    bench.answer(ConnectorBench.notifications)
    #expect(bench.fetches[0].request.url.query == "limit=40&exclude_types%5B%5D=mention")
    let page = [
      Self.favourite("n3", by: "cat", count: 2), Self.notification("n2", "party", by: "bea"),
      Self.favourite("n1", by: "bea", count: 2),
    ]
    bench.answer(ConnectorBench.notifications, 200, "[\(page.joined(separator: ","))]")
    let sent = bench.batches().last ?? ""
    #expect(sent.contains("Cat and Bea favourited") && sent.contains(#""notices":"n n3 "#))
    #expect(sent.split(separator: #"{"post":"#).count == 3)
    #expect(bench.fetches[0].request.url.query == "limit=40&max_id=n1&exclude_types%5B%5D=mention")
  }
}
