import Dates
import Ingest
import Posts
import Testing

@Suite("The line protocol with a source's program")
struct UpstreamLineTests {
  private func read(_ text: String, cut: Int? = nil) -> [Result<UpstreamMessage, UpstreamMistake>] {
    var lines = UpstreamLine(source: "fake")
    var found: [Result<UpstreamMessage, UpstreamMistake>] = []
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      lines.read(Array(bytes.prefix(cut ?? bytes.count))) { found.append($0) }
      bytes = bytes.dropFirst(cut ?? bytes.count)
    }
    return found
  }

  @Test("a command is one line, regardless of the post's text") func command() {
    let writing = UpstreamCommand.Writing(
      text: "a \"line\"\nand \\ another", contentWarning: "lines", language: "en", visibility: .unlisted,
      inReplyTo: "n1", writtenAt: Instant(seconds: 5))
    var post = UpstreamCommand(id: "s-1", account: "ann", action: .post, writing: writing)
    (post.login, post.isAgain) = ("ann@a.example", true)
    post.writing?.parentAliases = ["a#1"]
    let line = UpstreamLine.line(post)
    #expect(
      String(decoding: line, as: UTF8.self)
        == #"{"id":"s-1","do":"post","account":"ann","login":"ann@a.example","again":true,"#
        + #""text":"a \"line\"\nand \\ another","content_warning":"lines","language":"en","#
        + #""visibility":"unlisted","in_reply_to":"n1","parent_aliases":["a#1"],"since":5000}"# + "\n")
    var edit = post
    (edit.action, edit.post, edit.isAgain) = (.edit, "n2", false)
    edit.writing?.inReplyTo = ""
    edit.writing?.parentAliases = []
    #expect(
      String(decoding: UpstreamLine.line(edit), as: UTF8.self)
        == #"{"id":"s-1","do":"edit","account":"ann","login":"ann@a.example","post":"n2","#
        + #""text":"a \"line\"\nand \\ another","content_warning":"lines","language":"en","since":5000}"# + "\n")
    var mark = UpstreamCommand(id: "s-2", account: "ann", action: .unfavourite, post: "n1")
    mark.aliases = ["a#1", "b\"2"]
    #expect(
      String(decoding: UpstreamLine.line(mark), as: UTF8.self)
        == #"{"id":"s-2","do":"unfavourite","account":"ann","post":"n1","aliases":["a#1","b\"2"]}"# + "\n")
  }

  @Test("replies are read whole and in pieces", arguments: [nil, 1, 7] as [Int?]) func answers(cut: Int?) {
    let text = """
      {"id": "s-1", "ok": true, "native_id": "n1", "permalink": "https://fake.example/n1"}
      {"id": "s-2", "ok": false, "reason": "not you", "more": {"x": [1]}}

      {"id": "s-3", "ok": false, "reason": "slow down", "retry": true}\r
      {"id": "s-4", "ok": true}

      """
    let expected = [
      UpstreamAnswer(id: "s-1", .done(nativeID: "n1", permalink: "https://fake.example/n1")),
      UpstreamAnswer(id: "s-2", .refused("not you")),
      UpstreamAnswer(id: "s-3", .later("slow down")), UpstreamAnswer(id: "s-4", .done(nativeID: "", permalink: "")),
    ]
    #expect(read(text, cut: cut) == expected.map { .success(.answer($0)) })
  }

  @Test("reasons, IDs and addresses from a program are cleaned") func harmless() {
    let text = """
      {"id": "s-1", "ok": false, "reason": "\\u001b[31m no\\nway \(String(repeating: "x", count: 3000))"}
      {"id": "s-2", "ok": true, "native_id": "a\\u0007b", "permalink": "javascript:alert(1)"}
      {"id": "s-3", "ok": false, "reason": "\\u200b"}

      """
    let answers = read(text)
    guard case .success(.answer(let first)) = answers[0], case .refused(let reason) = first.result else {
      return #expect(Bool(false))
    }
    #expect(reason.count <= 200 && reason.string.hasPrefix("\u{FFFD}[31m no way xxx"))
    #expect(answers[1] == .success(.answer(UpstreamAnswer(id: "s-2", .done(nativeID: "a\u{FFFD}b", permalink: "")))))
    #expect(answers[2] == .success(.answer(UpstreamAnswer(id: "s-3", .refused("no reason given")))))
  }

  @Test(
    "an invalid line is reported and only that line is lost",
    arguments: [
      ("hello", "a line is not JSON"), ("{\"ok\": true}", "a reply has no id"),
      ("{\"id\": 7, \"ok\": true}", "a reply has no id"),
      ("{\"id\": \"s-1\"}", "a reply has neither \"ok\": true nor \"ok\": false"), ("[]", "a reply has no id"),
      (String(repeating: "x", count: UpstreamLine.limitBytes + 1), "a line is longer than 1114112 bytes"),
      (
        "{\"id\": \"s-1\", \"ok\": true, \"native_id\": \"\(String(repeating: "n", count: 2049))\"}",
        "a native_id is longer than 2048 bytes"
      ),
    ])
  func mistakes(line: String, reason: String) {
    let found = read("\(line)\n{\"id\": \"s-9\", \"ok\": true}\n")
    #expect(
      found == [
        .failure(UpstreamMistake(reason: reason)),
        .success(.answer(UpstreamAnswer(id: "s-9", .done(nativeID: "", permalink: "")))),
      ])
  }

  @Test("an answer may name a file that the server has; one without an ID names none") func files() {
    let lines = [
      #"{"id":"w1","ok":true,"media":{"id":"1142","kind":"image","url":"https://a.example/1.png"}}"#,
      #"{"id":"w1","ok":true,"media":{"id":1142,"kind":"fax","url":"javascript:x"}}"#,
      #"{"id":"w1","ok":true,"media":{"kind":"image"}}"#,
      #"{"id":"w1","ok":true,"media":{"id":"\#(String(repeating: "x", count: 513))"}}"#,
    ]
    let found = read(lines.joined(separator: "\n") + "\n").map { result -> Media? in
      if case .success(.answer(let answer)) = result { answer.reply.media } else { nil }
    }
    #expect(
      found == [
        Media(kind: .image, url: "https://a.example/1.png", altText: "", uploadID: "1142"),
        Media(kind: .unknown, url: "", altText: "", uploadID: "1142"), nil, nil,
      ])
    #expect(read(#"{"say":"more","id":"w1","parts":16}"# + "\n") == [.success(.more(want: "w1", parts: 16))])
  }

  @Test("an answer may say how signing in goes on; its address is of the web, or none") func signIns() {
    let lines = [
      #"{"id":"w1","ok":true,"sign_in":"s1","url":"https://a.example/x?y"}"#,
      #"{"id":"w1","ok":true,"sign_in":"s1","url":"javascript:x"}"#,
      #"{"id":"w2","ok":true,"login":"ann@a.example","unconfirmed":true}"#,
      #"{"id":"w2","ok":true,"login":"ann@a.example","author":{"id":"https://a.example/ann","handle":"ann","avatar":"x:y"}}"#,
      #"{"id":"w2","ok":true,"login":"ann@a.example","author":{}}"#,
    ]
    let answers = read(lines.joined(separator: "\n") + "\n").map { result -> UpstreamReply? in
      if case .success(.answer(let answer)) = result { answer.reply } else { nil }
    }
    #expect(answers[0]?.number == "s1" && answers[0]?.url == "https://a.example/x?y" && answers[0]?.login == "")
    #expect(answers[1]?.url == "" && answers[2]?.login == "ann@a.example" && answers[2]?.isUnconfirmed == true)
    let author = answers[3]?.identity
    #expect(author?.nativeID == "https://a.example/ann" && author?.handle == "ann" && author?.avatarURL == "")
    #expect(answers[2]?.identity == nil && answers[4]?.login == "ann@a.example" && answers[4]?.identity == nil)
  }
}
