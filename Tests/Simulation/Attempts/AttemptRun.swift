import Messages
import RPC
import TestSupport
package import ViewState

/// Accounts that write public, followers-only and direct posts, and try every call to see what they may not.
///
/// Everything that the daemon sends is searched for marks, whatever its field, and every count is compared with the
/// model's.
package final class AttemptRun {
  /// The result of a run.
  package struct Report {
    /// Calls that tried to see something.
    package var attempts = 0
    /// The attempts that were forbidden to their callers.
    package var forbiddenAttempts = 0
    /// Marks that accounts received and may see.
    package var permittedMarks = 0
    /// Changes of visibility.
    package var changes = 0
    /// Descriptions of violated rules.
    package var violations: [String] = []
  }

  static let accounts = 6

  let daemon: DirectDaemon
  var random: SeededGenerator
  let follows: FollowPolicy
  var model: AttemptModel
  package internal(set) var report = Report()
  /// A client of each account.
  private(set) var clients: [DirectClient] = []
  private(set) var signedOutClient: DirectClient?
  /// The accounts' lists with their marks, their sessions, and groups of direct conversations with their members.
  var lists: [(account: Int, id: UInt64, mark: Int)] = []
  var sessions: [(account: Int, mark: Int)] = []
  var groups: [(id: UInt64, people: Set<Int>)] = []
  var views: [(account: Int?, view: DirectView)] = []
  private var files: [Int: Int] = [:]

  /// Starts a daemon with six accounts and no posts.
  package init(seed: UInt64, follows: FollowPolicy = .open) throws {
    self.follows = follows
    model = AttemptModel(accounts: Self.accounts, followEachOther: follows == .open)
    random = SeededGenerator(seed: seed ^ 0xA77E)
    daemon = try DirectDaemon(seed: seed, follows: follows)
    for account in 0..<Self.accounts {
      let client = try daemon.client(user: Self.user(account))
      client.onMessage = { [unowned self] in inspect($0, for: account) }
      clients.append(client)
      _ = try client.call(Method.whoAmI, EmptyMessage(), WhoAmIResponse.self)
    }
    let client = try daemon.client(token: nil)
    client.onMessage = { [unowned self] in inspect($0, for: nil) }
    signedOutClient = client
    views.append((nil, try client.attach(Self.hello())))
  }

  /// Ends the daemon.
  package func close() { daemon.close() }

  /// Makes this many attempts, with changes between them.
  package func run(attempts: Int) throws {
    for _ in 0..<40 { try makeChange() }
    while report.attempts < attempts {
      if Int.random(in: 0..<12, using: &random) == 0 { try makeChange() } else { try makeAttempt() }
      guard report.violations.count < 20 else { return }
    }
    checkViews()
  }

  // MARK: Names

  /// Returns an account's user. It is never the daemon's own user, who may administer tokens.
  static func user(_ account: Int) -> UInt32 { 1001 + UInt32(account) }
  static func name(_ account: Int) -> String { "user\(user(account))" }

  static func hello(session: String = "") -> Hello {
    Hello(session: session, layout: LayoutParameters(width: 120, height: 40), client: "attempts")
  }

  func randomAccount() -> Int { Int.random(in: 0..<Self.accounts, using: &random) }

  // MARK: Findings

  func violation(_ text: String) { report.violations.append(text) }

  /// Searches a message to an account for marks.
  private func inspect(_ bytes: [UInt8], for account: Int?) {
    for mark in Self.marks(in: bytes) {
      if model.sees(account, mark: mark) {
        report.permittedMarks += 1
      } else {
        violation(
          "\(account.map { Self.name($0) } ?? "a signed-out client") received mk\(mark)x, which is for \(model.audiences[mark])"
        )
      }
    }
  }

  /// Returns the numbers in all `mk…x`.
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

  /// Checks that open views show only texts that their accounts may see.
  func checkViews() {
    daemon.advance(by: .milliseconds(600))
    for (account, view) in views where view.end == nil {
      if let failure = view.failure { violation("a frame does not apply to the mirror: \(failure)") }
      for row in view.mirror.panes.flatMap(\.rows) {
        for mark in Self.marks(in: row.content.fields.text) where !model.sees(account, mark: mark) {
          violation(
            "a view of \(account.map { Self.name($0) } ?? "a signed-out client") still shows mk\(mark)x, which is for \(model.audiences[mark])"
          )
        }
      }
    }
  }

  /// Imports an archive for an account. Public posts are the same for all importers; private ones have texts of their
  /// own for each importer.
  func importArchive(_ account: Int) throws {
    var lines = ""
    var imported: [AttemptModel.Post] = []
    for number in 0..<4 {
      let visibility = [0, 2, 3, 3][number]
      // A public post is the same for all importers.
      let shared = files[number]
      let audience: AttemptModel.Audience = visibility == 0 ? .everyone : .people([account])
      let mark = visibility == 0 ? shared ?? model.makeMark(for: audience) : model.makeMark(for: audience)
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
      ImportRequest.header(format: "jsonl", source: "", isMe: false, dryRun: false, publishes: true),
      .file(name: "archive.jsonl", size: UInt64(lines.utf8.count)), .chunk(Array(lines.utf8)),
    ] {
      try call.send(request.encoded())
    }
    call.closeSend()
    daemon.runUntilIdle()
    if end?.isOK != true { violation("an import ended with \(end.map { "\($0)" } ?? "nothing")") }
    for var post in imported {
      post.id = try find("wk\(post.mark)x", account) ?? 0
      model.posts.append(post)
    }
  }

  /// Returns the first post that an account's search finds.
  func find(_ words: String, _ account: Int) throws -> UInt64? {
    var request = GetRowsRequest(layout: Self.hello().layout)
    request.subject = .search(words)
    return try clients[account].call(Method.getRows, request, GetRowsResponse.self).rows.first?.rowID
  }
}
