internal import Codecs
internal import Dates
public import Posts

/// The protocol with the program that speaks for a source: one JSON object a line in each direction (docs/UPSTREAM.md).
public struct UpstreamLine {
  /// The maximum length of a line from the program in bytes.
  public static let limitBytes = (1 << 20) + (64 << 10)

  private let parser = JSONParser()
  private var framer = LineFramer(limit: limitBytes)
  private let decoder: UpstreamDecoder

  /// Creates a reader for a new connection with the program of a source.
  public init(source: String) { decoder = UpstreamDecoder(source: source) }

  /// Reads output of the program and passes each message to `body`, or a description of an invalid line. O(bytes).
  public mutating func read(_ bytes: [UInt8], _ body: (Result<UpstreamMessage, UpstreamMistake>) -> Void) {
    var index = 0
    while let output = framer.next(bytes.span, from: &index) {
      guard output == .line else {
        body(.failure(UpstreamMistake(reason: "a line is longer than \(Self.limitBytes) bytes")))
        continue
      }
      body(message(framer.line))
    }
  }

  private func message(_ line: [UInt8]) -> Result<UpstreamMessage, UpstreamMistake> {
    var line = line
    do {
      return .success(try parser.parse(&line) { value, text in try decoder.message(value, line: text) })
    } catch let mistake as UpstreamMistake {
      return .failure(mistake)
    } catch {
      return .failure(UpstreamMistake(reason: "a line is not JSON"))
    }
  }
}

extension UpstreamLine {
  /// Returns a command as a line, with its end.
  public static func line(_ command: UpstreamCommand) -> [UInt8] {
    JSONLinesWriter.object { writer in
      writer.field("id", command.id)
      writer.field("do", command.action.rawValue)
      writer.field("account", command.account)
      if !command.login.isEmpty { writer.field("login", command.login) }
      if command.isAgain { writer.flag("again", true) }
      if !command.post.isEmpty { writer.field("post", command.post) }
      write("aliases", command.aliases, to: &writer)
      if let writing = command.writing {
        writer.field("text") { $0.string(writing.text.utf8) }
        if !writing.contentWarning.isEmpty { writer.field("content_warning", writing.contentWarning.string) }
        if !writing.language.isEmpty { writer.field("language", writing.language.string) }
        if command.action == .post { writer.field("visibility", JSONLinesNames.name(of: writing.visibility)) }
        if !writing.inReplyTo.isEmpty { writer.field("in_reply_to", writing.inReplyTo) }
        write("parent_aliases", writing.parentAliases, to: &writer)
        write("media", writing.media, to: &writer)
        writer.number("since", Int(writing.writtenAt.milliseconds))
      }
    } + [0x0A]
  }

  private static func write(_ field: StaticString, _ names: [String], to writer: inout JSONLinesWriter) {
    if !names.isEmpty { writer.list(field, names) { $0.string(Array($1.utf8)) } }
  }

  /// Returns a notice as a line, with its end.
  public static func line(_ notice: UpstreamNotice) -> [UInt8] {
    JSONLinesWriter.object { write(notice, to: &$0) } + [0x0A]
  }

  private static func write(_ notice: UpstreamNotice, to writer: inout JSONLinesWriter) {
    switch notice {
    case .login(let name, let account, let cursors, let keepsBookmarks):
      writer.field("tell", "login")
      writer.field("login", name)
      writer.field("account", account)
      if keepsBookmarks { writer.flag("bookmarks", true) }
      write(cursors, to: &writer)
    case .feed(let feed, let cursors):
      writer.field("tell", "feed")
      writer.field("feed", feed.name)
      writer.field("url", feed.url)
      if let cursors { write(cursors, to: &writer) }
      writer.object("settings") { writer in
        if feed.intervalMinutes > 0 { writer.number("interval_minutes", feed.intervalMinutes) }
        if feed.liftsEdited { writer.flag("lifts_edited", true) }
      }
    case .gone(let feed):
      writer.field("tell", "gone")
      writer.field("feed", feed)
    case .signedOut(let login):
      writer.field("tell", "gone")
      writer.field("login", login)
    case .read(let login, let list, let posts):
      writer.field("tell", "read")
      writer.field("login", login)
      writer.field("in", list == .home ? "home" : "mentions")
      writer.list("posts", posts) { $0.string(Array($1.utf8)) }
    case .looking(let login):
      writer.field("tell", "looking")
      writer.field("login", login)
    case .want(let id, let want): write(want, id, to: &writer)
    case .unwanted(let id):
      writer.field("want", "nothing")
      writer.field("id", id)
    case .part(let id, let bytes):
      writer.field("part", id)
      writer.field("data", Base64.encode(bytes))
    case .ready(let now, let credit):
      writer.field("tell", "ready")
      writer.number("now", Int(now.milliseconds))
      writer.number("credit", credit)
    case .batchDone(let number, let result):
      writer.field("did", number)
      write(result, to: &writer)
    }
  }

  private static func write(_ want: UpstreamWant, _ id: String, to writer: inout JSONLinesWriter) {
    let word: String
    var fields: [(name: StaticString, value: String)] = []
    var ends: (newer: Instant, older: Instant)?
    var flag: StaticString?
    var aliases: [String] = []
    switch want {
    case .refresh(let feed): (word, fields) = ("refresh", [("feed", feed)])
    case .fetch(.conversation(let post, let names, let isUnasked), let login):
      (word, fields, aliases) = ("conversation", [("login", login), ("post", post)], names)
      if isUnasked { flag = "unasked" }
    case .fetch(.author(let author), let login): (word, fields) = ("author", [("login", login), ("author", author)])
    case .fetch(.search(let text), let login): (word, fields) = ("search", [("login", login), ("text", text)])
    case .signIn(let server, let account, let port, let isReadOnly, let command):
      (word, fields) = (
        "sign_in",
        [
          ("address", server), ("account", account), ("port", port == 0 ? "" : "\(port)"),
          ("secret_command", command),
        ]
      )
      if isReadOnly { flag = "read_only" }
    case .finishSignIn(let number, let code):
      (word, fields) = ("finish_sign_in", [("sign_in", number), ("code", code)])
    case .signOut(let login): (word, fields) = ("sign_out", [("login", login)])
    case .upload(let file, let login):
      (word, fields) = (
        "upload",
        [
          ("login", login), ("type", file.mediaType), ("bytes", "\(file.byteCount)"),
          ("description", file.description.string),
        ]
      )
    case .fetch(.gap(let newer, let older, let above, let below), let login):
      (word, fields) = ("older", [("login", login), ("above", above), ("below", below)])
      ends = (newer, older)
    }
    writer.field("want", word)
    writer.field("id", id)
    for field in fields where !field.value.isEmpty { writer.field(field.name, field.value) }
    write("aliases", aliases, to: &writer)
    if let flag { writer.flag(flag, true) }
    if let ends {
      writer.number("newer", Int(ends.newer.milliseconds))
      writer.number("older", Int(ends.older.milliseconds))
    }
  }

  private static func write(_ cursors: [String: String], to writer: inout JSONLinesWriter) {
    writer.object("cursors") { writer in
      for (name, value) in cursors.sorted(by: { $0.key < $1.key }) {
        writer.field(Array(name.utf8)) { $0.string(Array(value.utf8)) }
      }
    }
  }

  private static func write(_ result: UpstreamBatchResult, to writer: inout JSONLinesWriter) {
    switch result {
    case .again: writer.flag("again", true)
    case .refused(let reason):
      writer.flag("ok", false)
      writer.text("reason", reason)
    case .stored(let report):
      writer.number("revision", Int(clamping: report.revision))
      if !report.refused.isEmpty {
        writer.list("refused", report.refused) { writer, item in
          writer.object { writer in
            writer.number("item", item.index)
            writer.text("reason", item.reason)
          }
        }
      }
      if !report.present.isEmpty { writer.list("have", report.present) { $0.string(Array($1.utf8)) } }
    }
  }
}

/// A line of a source's program that it should not have written.
public struct UpstreamMistake: Error, Equatable, Sendable {
  /// The problem, as a clause.
  public let reason: String

  public init(reason: String) { self.reason = reason }
}
