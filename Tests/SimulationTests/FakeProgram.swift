import Dates
import Messages
import Posts
import RPC
import Services
import Simulation
import ViewState

/// The program of a source, as a test speaks for it.
final class FakeProgram: UpstreamProgram {
  let say: (UpstreamMessage) -> Void
  let end: (UpstreamEnd) -> Void
  var heard: [UpstreamNotice] = []
  /// True if it takes nothing that it is sent, until ``takeAll()``.
  var isBusy = false
  private var onTaken: [() -> Void] = []

  init(_ say: @escaping (UpstreamMessage) -> Void, _ end: @escaping (UpstreamEnd) -> Void) {
    (self.say, self.end) = (say, end)
  }

  func send(_: UpstreamCommand) {}
  func send(_ notice: UpstreamNotice) { heard.append(notice) }
  func whenTaken(_ body: @escaping () -> Void) { if isBusy { onTaken.append(body) } else { body() } }
  func takeAll() {
    let callbacks = onTaken
    onTaken = []
    for callback in callbacks { callback() }
  }
  func close() {}
}

/// A daemon with the program of source `fake`, which has said hello, and a client of its user.
final class FakeSource {
  let daemon: DirectDaemon
  let client: DirectClient
  let program: FakeProgram
  private var batches = 0

  init(_ hello: UpstreamHello) throws {
    var started: FakeProgram?
    daemon = try DirectDaemon(
      seed: 1,
      upstreams: Upstreams(sources: ["fake"], patience: .seconds(30), log: { _ in }) { _, say, end in
        started = FakeProgram(say, end)
        return started!
      })
    program = started!
    client = try daemon.client(user: DirectDaemon.user)
    program.say(.hello(hello))
    daemon.runUntilIdle()
  }

  func bring(_ items: [UpstreamItem]) {
    batches += 1
    program.say(.batch(UpstreamBatch(number: "\(batches)", subject: .login("fake"), items: items)))
    daemon.runUntilIdle()
  }

  /// Brings a post that was written so many seconds after 1970.
  func bring(_ id: String, in lists: UpstreamLists, at seconds: Int64 = 5, to parent: String? = nil) {
    let author = ImportedAuthor(nativeID: "a1", handle: "cat", displayName: "Cat")
    let post = ImportedPost(
      source: "fake", nativeID: id, author: author, createdAt: Instant(seconds: seconds),
      body: PostBody(text: "Otter."),
      inReplyTo: parent)
    bring([.post(post, in: lists, unfiled: [])])
  }

  /// The texts of an account's rows that a filter admits, the newest first.
  func texts(in section: Section? = nil, _ filter: String = "") throws -> [String] {
    var request = GetRowsRequest(layout: LayoutParameters(width: 160, height: 30))
    if let section { request.subject = .section(section) }
    (request.filter, request.count) = (filter, 100)
    return try client.call(Method.getRows, request, GetRowsResponse.self).rows.map {
      String(decoding: $0.row.content.fields.text, as: UTF8.self)
    }
  }
}
