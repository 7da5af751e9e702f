import Messages
import RPC
import TestSupport
import ViewState

/// Accounts that write for everybody, for followers and for each other, and that try by every call to see what they may
/// not.
///
/// Whatever the daemon sends is searched for marks, whichever field it is in; and every count that it tells is compared
/// with the model's.
package final class AttemptRun {
  /// What came of a run.
  package struct Report {
    /// Calls that were made to see something.
    package var attempts = 0
    /// Those of them that were about something that is not for who asked.
    package var trespasses = 0
    /// Texts that were rightly told.
    package var told = 0
    /// Changes of who may see what.
    package var changes = 0
    /// What must not be, in words.
    package var violations: [String] = []
  }

  static let accounts = 6

  let daemon: DirectDaemon
  var random: SeededGenerator
  var model = AttemptModel(accounts: AttemptRun.accounts)
  package internal(set) var report = Report()
  /// A client of each account.
  private(set) var clients: [DirectClient] = []
  private(set) var nobody: DirectClient?
  /// What each account made: lists with their marks, sessions, direct conversations with their people.
  var lists: [(account: Int, id: UInt64, mark: Int)] = []
  var sessions: [(account: Int, mark: Int)] = []
  var circles: [(id: UInt64, people: Set<Int>)] = []
  var views: [(account: Int?, view: DirectView)] = []
  private var files: [Int: Int] = [:]

  /// A daemon with six accounts that have written nothing yet.
  package init(seed: UInt64) throws {
    random = SeededGenerator(seed: seed ^ 0xA77E)
    daemon = try DirectDaemon(seed: seed)
    for account in 0..<Self.accounts {
      let client = try daemon.client(user: Self.user(account))
      client.onMessage = { [unowned self] in inspect($0, for: account) }
      clients.append(client)
      _ = try client.call(Method.whoAmI, EmptyMessage(), WhoAmIResponse.self)
    }
    let nobody = try daemon.client(token: nil)
    nobody.onMessage = { [unowned self] in inspect($0, for: nil) }
    self.nobody = nobody
    views.append((nil, try nobody.attach(Self.hello())))
  }

  /// Ends the daemon.
  package func close() { daemon.close() }

  /// Makes so many attempts, with changes between them.
  package func run(attempts: Int) throws {
    for _ in 0..<40 { try change() }
    while report.attempts < attempts {
      if Int.random(in: 0..<12, using: &random) == 0 { try change() } else { try attempt() }
      guard report.violations.count < 20 else { return }
    }
    checkViews()
  }

  // MARK: Names

  /// The daemon's own user is none of them: it may look after tokens.
  static func user(_ account: Int) -> UInt32 { 1001 + UInt32(account) }
  static func name(_ account: Int) -> String { "user\(user(account))" }

  static func hello(session: String = "") -> Hello {
    Hello(session: session, layout: LayoutParameters(width: 120, height: 40), client: "attempts")
  }

  func anybody() -> Int { Int.random(in: 0..<Self.accounts, using: &random) }

  // MARK: What is found

  func violation(_ text: String) { report.violations.append(text) }

  /// Looks for marks in what an account was sent.
  private func inspect(_ bytes: [UInt8], for account: Int?) {
    for mark in Self.marks(in: bytes) {
      if model.sees(account, mark: mark) {
        report.told += 1
      } else {
        violation(
          "\(account.map { Self.name($0) } ?? "somebody signed out") was sent mk\(mark)x, which is for \(model.audiences[mark])"
        )
      }
    }
  }

  /// The numbers in all `mk…x`.
  static func marks(in bytes: [UInt8]) -> [Int] {
    var marks: [Int] = []
    var index = 0
    while index + 2 < bytes.count {
      guard bytes[index] == 0x6D, bytes[index + 1] == 0x6B else {
        index += 1
        continue
      }
      index += 2
      var number: Int?
      while index < bytes.count, case let digit = Int(bytes[index]) - 0x30, 0...9 ~= digit {
        number = (number ?? 0) * 10 + digit
        index += 1
      }
      if let number, index < bytes.count, bytes[index] == 0x78 { marks.append(number) }
    }
    return marks
  }

  /// What views show now is for those who look.
  func checkViews() {
    daemon.advance(by: .milliseconds(600))
    for (account, view) in views where view.end == nil {
      if let failure = view.failure { violation("a frame that does not fit: \(failure)") }
      for row in view.mirror.panes.flatMap(\.rows) {
        for mark in Self.marks(in: row.content.fields.text) where !model.sees(account, mark: mark) {
          violation(
            "a view of \(account.map { Self.name($0) } ?? "nobody") still shows mk\(mark)x, which is for \(model.audiences[mark])"
          )
        }
      }
    }
  }

  /// Imports what an archive has for the account; the same archive says something else to each owner of what is private
  /// in it.
  func importArchive(_ account: Int) throws {
    var lines = ""
    var imported: [AttemptModel.Post] = []
    for number in 0..<4 {
      let visibility = [0, 2, 3, 3][number]
      // What is public is the same post whoever imports it.
      let shared = files[number]
      let audience: AttemptModel.Audience = visibility == 0 ? .everyone : .people([account])
      let mark = visibility == 0 ? shared ?? model.mark(audience) : model.mark(audience)
      if visibility == 0 {
        files[number] = mark
        if let index = model.posts.firstIndex(where: { $0.mark == mark }) {
          model.posts[index].importers.insert(account)
        } else if shared == nil {
          imported.append(
            .init(mark: mark, audience: audience, visibility: visibility, author: nil, importers: [account]))
        }
      } else {
        model.posts.removeAll {
          $0.author == nil && $0.importers == [account] && $0.visibility == visibility && number == $0.number
        }
        imported.append(
          .init(
            mark: mark, audience: audience, visibility: visibility, author: nil, importers: [account], number: number))
      }
      let word = ["public", "followers", "direct", "direct"][number]
      lines +=
        #"{"source":"archive","id":"\#(number)","created_at":\#(1_690_000_000_000 + number),"visibility":"\#(word)","#
        + #""author":{"id":"k","handle":"keeper","name":"Keeper"},"text":"common wk\#(mark)x mk\#(mark)x"}"# + "\n"
    }
    let call = try clients[account].start(Method.importPosts)
    var end: Status?
    call.onEnd = { _, status, _ in end = status }
    for request in [
      ImportRequest.header(format: "jsonl", source: "", isMe: false, dryRun: false),
      .file(name: "archive.jsonl", size: UInt64(lines.utf8.count)), .chunk(Array(lines.utf8)),
    ] {
      try call.send(request.encoded())
    }
    call.closeSend()
    daemon.settle()
    if end?.isOK != true { violation("an import ended with \(end.map { "\($0)" } ?? "nothing")") }
    for var post in imported {
      post.id = try find("wk\(post.mark)x", account) ?? 0
      model.posts.append(post)
    }
  }

  /// The one post that a search of an account finds.
  func find(_ words: String, _ account: Int) throws -> UInt64? {
    var request = GetRowsRequest(layout: Self.hello().layout)
    request.subject = .search(words)
    return try clients[account].call(Method.getRows, request, GetRowsResponse.self).rows.first?.rowID
  }
}
