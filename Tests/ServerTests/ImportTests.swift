import Messages
import RPC
import TestSupport
import Testing
import ViewState

@Suite("Import and export")
struct ImportTests {
  @Test("a file is reported and shown, and importing it again changes nothing") func small() throws {
    try withBench { bench in
      let client = try bench.daemon().connect()
      let view = try client.watch()
      try view.waitForFirstFrame()
      let text = TestImport.line(1) + "not JSON\n" + TestImport.line(2)
      let report = try TestImport(client, TestImport.requests(text)).report()
      #expect(report.read == 3 && report.new == 2 && report.changed == 0 && report.same == 0 && report.skipped == 1)
      #expect(report.bytes == UInt64(text.utf8.count))
      try view.wait(for: "both posts") { $0.topRows.count == 2 }
      #expect(view.frames.contains { $0.revision >= report.revision })

      let again = try TestImport(client, TestImport.requests(text)).report()
      #expect(again.read == 3 && again.new == 0 && again.changed == 0 && again.same == 2 && again.skipped == 1)
      #expect(try client.rows().rows.count == 2)
    }
  }

  @Test("each skipped item is reported once, with its file and position") func skips() throws {
    try withBench { bench in
      let client = try bench.daemon().connect()
      let first = TestImport.requests(
        TestImport.line(1) + "not JSON\n" + TestImport.line(2), name: "a.jsonl", format: "jsonl")
      let second = TestImport.requests("neither\n" + TestImport.line(3), name: "b.jsonl").dropFirst()
      let work = try TestImport(client, first + second)
      let report = try work.report()
      #expect(report.new == 3 && report.skipped == 2)
      let skips = work.responses.flatMap(\.skips)
      #expect(skips.map(\.file) == ["a.jsonl", "b.jsonl"])
      #expect(skips.map(\.position) == [2, 1])
      #expect(skips.allSatisfy { !$0.reason.isEmpty })
    }
  }

  @Test("a dry run reports and stores nothing") func dryRun() throws {
    try withBench { bench in
      let client = try bench.daemon().connect()
      let post = try client.post("What was there.")
      let before = try client.status().revision
      let report = try TestImport(client, TestImport.requests(TestImport.line(1), dryRun: true)).report()
      #expect(report.read == 1 && report.new == 0 && report.revision == 0)
      #expect(try client.rows().rows.map(\.rowID) == [post.postID])
      #expect(try client.status().revision == before)
    }
  }

  @Test("the client is slowed to what the daemon can store, and others are served meanwhile") func flowControl()
    throws
  {
    try withBench { bench in
      let daemon = try bench.daemon()
      let client = try daemon.connect()
      let reader = try daemon.connect()
      let (count, padding) = triesAllSeeds ? (4000, 2000) : (1500, 4000)
      let lines = (0..<count).map { TestImport.line(100_000 + $0, padding: padding) }
      let lineBytes = lines[0].utf8.count
      let work = try TestImport(client, TestImport.requests(lines.joined())) { Int($0.new) * lineBytes }
      try work.wait(for: "the first posts") { $0.new > 0 }
      #expect(try reader.rows(count: 5).rows.count == 5)
      #expect(work.end == nil)
      let report = try work.report()
      #expect(report.new == count && report.skipped == 0)
      // A MiB in the daemon, a window of 64 KiB, and as much again for the lag of the responses.
      #expect(work.sentBytes > 5 << 20 && work.mostBytesAhead < 3 << 20)
      #expect(try reader.status().postCount == count)
    }
  }

  @Test("a cancelled import keeps what is stored, and can be repeated") func cancelled() throws {
    try withBench { bench in
      let client = try bench.daemon().connect()
      let part = (1...50).map { TestImport.line($0) }.joined()
      let work = try TestImport(client, TestImport.requests(part), closes: false)
      try work.wait(for: "the posts of the first chunk") { $0.new == 50 }
      work.call.cancel()
      #expect(try work.refusal().code == .cancelled)
      #expect(try client.rows(count: 200).rows.count == 50)

      let whole = (1...60).map { TestImport.line($0) }.joined()
      let report = try TestImport(client, TestImport.requests(whole)).report()
      #expect(report.same == 50 && report.new == 10)
      #expect(try client.rows(count: 200).rows.count == 60)
    }
  }

  @Test(
    "a file of an unsupported kind is INVALID_ARGUMENT, naming the kind",
    arguments: [("PK\u{3}\u{4}archive", "ZIP"), ("<rss version=\"2.0\">", "RSS"), ("<!DOCTYPE html>", "web page")])
  func foreign(content: String, kind: String) throws {
    try withBench { bench in
      let client = try bench.daemon().connect()
      let refusal = try TestImport(client, TestImport.requests(content, name: "what.ever")).refusal()
      #expect(refusal.code == .invalidArgument)
      #expect(refusal.message.contains("what.ever") && refusal.message.contains(kind))
    }
  }

  /// Invalid sequences of requests, and a word of each refusal.
  static let badOrders: [([ImportRequest], String)] = {
    let header = ImportRequest.header(format: "auto", source: "", isMe: false, dryRun: false)
    return [
      ([], "header"), ([.file(name: "a", size: 0)], "header"), ([header, .chunk([1])], "file"),
      ([header, header], "header"),
      ([.header(format: "docx", source: "", isMe: false, dryRun: false)], "mastodon-archive"),
      ([.header(format: "auto", source: String(repeating: "s", count: 65), isMe: false, dryRun: false)], "64"),
    ]
  }()

  @Test("the header comes first and once, then files, then their chunks", arguments: badOrders)
  func order(requests: [ImportRequest], word: String) throws {
    try withBench { bench in
      let refusal = try TestImport(bench.daemon().connect(), requests).refusal()
      #expect(refusal.code == .invalidArgument)
      #expect(refusal.message.contains(word))
    }
  }

  @Test("an export imported by another daemon exports the same") func roundTrip() throws {
    try withBench { bench in
      let first = try bench.daemon("first").connect()
      let text = (1...300).map { TestImport.line($0) }.joined()
      _ = try TestImport(first, TestImport.requests(text)).report()
      let parent = try first.post("Written here: https://example.org #tag \"quotes\" \u{1F9A6}").postID
      try first.post("A reply.", replyingTo: "\(parent)")
      let exported = try first.export()
      #expect(exported.count == 302)

      let second = try bench.daemon("second").connect()
      let lines = exported.map { $0 + "\n" }.joined()
      let report = try TestImport(second, TestImport.requests(lines, format: "jsonl")).report()
      #expect(report.new == 302 && report.skipped == 0)
      #expect(try second.export() == exported)
    }
  }

  @Test("the export of a team comes into another daemon whole, with posts of several sources that have one ID")
  func team() throws {
    try withBench { bench in
      let people = try People(bench)
      let more = #""id":"1","created_at":5,"author":{"id":"7","handle":"dan"},"text":"one"}"# + "\n"
      let file = ["twitter", "mastodon"].map { #"{"source":"\#($0)","# + more }.joined() + "{" + more
      let header = ImportRequest.header(
        format: "jsonl", source: "elsewhere", isMe: false, dryRun: false, publishes: true)
      let requests = [header] + TestImport.requests(file).dropFirst()
      #expect(try TestImport(people.ann, requests).report().new == 3)
      let parent = try people.ann.post("for all").postID
      try people.bea.post("@ann a reply", replyingTo: "\(parent)")
      var direct = ComposeRequest(text: "@bea psst")
      direct.visibility = .direct
      _ = try people.ann.call(Method.compose, direct, ComposeResponse.self)
      try people.cyd.post("of the third")
      let exported = try people.bea.export()
      #expect(exported.count == 7 && exported.prefix(3).contains { $0.contains(#""source":"elsewhere""#) })

      let other = try bench.daemon("other").connect()
      let lines = exported.map { $0 + "\n" }.joined()
      let report = try TestImport(other, TestImport.requests(lines, format: "jsonl")).report()
      #expect(report.new == 7 && report.skipped == 0)
      #expect(try other.export() == exported)
      let accounts = try other.call(Method.listAccounts, PageRequest(), ListAccountsResponse.self).accounts
      #expect(accounts.count == 1, "no account is made")
      let refusal = try other.refusal(of: Method.createAccount, CreateAccountRequest(name: "ann"))
      #expect(refusal.code == .alreadyExists, "nor can one take an author's name")
      // In the daemon that they come from they are still the same posts.
      let again = try TestImport(people.bea, TestImport.requests(lines, format: "jsonl")).report()
      #expect(again.same + again.changed == 7 && again.new == 0 && again.skipped == 0)
      #expect(try people.bea.export() == exported)
    }
  }
}
