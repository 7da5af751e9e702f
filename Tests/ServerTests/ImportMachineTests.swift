import Dates
import Engine
import Ingest
import Messages
import Posts
import RPC
import Store
import Testing

@testable import Services

@Suite("The state machine of an import")
struct ImportMachineTests {
  private static let header = ImportRequest.header(format: "jsonl", source: "", isMe: false, dryRun: false)
  private static let account = AccountID(3)

  /// A machine that has handled its header and a file's name.
  private static func begun(_ header: ImportRequest = header, isShared: Bool = false) -> ImportMachine {
    var machine = ImportMachine(of: account, isShared: isShared)
    _ = machine.received(header, size: 1)
    _ = machine.stepEnded(.success(ImportBatch()))
    _ = machine.received(.file(name: "a", size: 0), size: 1)
    _ = machine.stepEnded(.success(ImportBatch()))
    return machine
  }

  private static func batch(_ count: Int) -> ImportBatch {
    var batch = ImportBatch()
    for number in 0..<count {
      let post = ImportedPost(
        source: "s", nativeID: "\(number)",
        author: ImportedAuthor(nativeID: "a", handle: SafeText(line: "a"), displayName: SafeText(line: "A")),
        createdAt: Instant(seconds: Int64(number)), body: PostBody(text: SafeText("x")))
      batch.append(post, at: number + 1)
    }
    return batch
  }

  private static func stored(_ count: Int) -> Result<(Outcome, revision: UInt64), EngineError> {
    var report = ImportReport()
    report.new = count
    return .success((.imported(report), revision: 9))
  }

  /// The machine's actions, in words.
  private static func words(_ actions: [ImportMachine.Action]) -> [String] {
    actions.map { action in
      switch action {
      case .step(.begin): "begin"
      case .step(.file(let name)): "file \(name)"
      case .step(.chunk(let bytes)): "chunk \(bytes.count)"
      case .step(.endFile): "end file"
      case .step(.drop), .drop: "drop"
      case .write(.importBatch(let posts, _, _, _)): "write \(posts.count)"
      case .write(.claimIdentity(_, let source, let author)): "claim \(source) \(author)"
      case .write: "write"
      case .consume(let byteCount): "consume \(byteCount)"
      case .wake: "wake"
      }
    }
  }

  private static func report(_ pull: Pull) throws -> ImportResponse {
    guard case .message(let bytes) = pull else { throw Status(.internal, "no report") }
    return try ImportResponse(decoding: bytes)
  }

  private static func end(_ pull: Pull) -> Status? {
    if case .finish(let status, _) = pull { status } else { nil }
  }

  @Test("one step runs at a time, and waiting chunks are merged") func steps() {
    var machine = Self.begun()
    let first = machine.received(.chunk([1]), size: 2)
    let second = machine.received(.chunk([2]), size: 2)
    let third = machine.received(.chunk([3, 4]), size: 3)
    #expect(Self.words(first) == ["chunk 1"] && second.isEmpty && third.isEmpty)
    let next = machine.stepEnded(.success(ImportBatch()))
    #expect(Self.words(next) == ["wake", "consume 2", "chunk 3"])
    let last = machine.stepEnded(.success(ImportBatch()))
    #expect(Self.words(last) == ["wake", "consume 5"])
  }

  @Test("one write of limited size runs at a time, and the client's window is returned afterwards")
  func writes() throws {
    var machine = Self.begun()
    _ = machine.received(.chunk([1]), size: 7)
    let first = machine.stepEnded(.success(Self.batch(700)))
    #expect(Self.words(first) == ["wake", "write 500"])
    let second = machine.writeEnded(Self.stored(500))
    #expect(Self.words(second) == ["wake", "write 200", "consume 0"])
    let last = machine.writeEnded(Self.stored(200))
    #expect(Self.words(last) == ["wake", "consume 7"])
    let report = try Self.report(machine.nextMessage())
    #expect(report.read == 700 && report.new == 700 && report.revision == 9 && !report.isDone)
  }

  @Test("an import is done once everything is stored and the client has closed its side") func end() throws {
    var machine = Self.begun()
    _ = machine.received(.chunk([1]), size: 7)
    _ = machine.stepEnded(.success(Self.batch(1)))
    let closed = machine.halfClosed()
    #expect(Self.words(closed) == ["end file"])
    _ = machine.stepEnded(.success(ImportBatch()))
    let done = machine.writeEnded(Self.stored(1))
    #expect(Self.words(done) == ["wake", "consume 7", "drop", "wake"])
    #expect(try Self.report(machine.nextMessage()).isDone)
    #expect(Self.end(machine.nextMessage()) == .ok)
  }

  @Test("on a shared daemon posts by others are for the importer, unless it publishes them") func sharing() {
    func sharing(isMe: Bool = false, publishes: Bool = false, isShared: Bool = true) -> ImportSharing? {
      var machine = Self.begun(
        .header(format: "auto", source: "", isMe: isMe, dryRun: false, publishes: publishes), isShared: isShared)
      _ = machine.received(.chunk([1]), size: 1)
      var batch = Self.batch(1)
      batch.owner = batch.posts[0].author
      for action in machine.stepEnded(.success(batch)) {
        if case .write(.importBatch(_, _, let sharing, _)) = action { return sharing }
      }
      return nil
    }
    #expect(sharing() == .own(archive: nil))
    #expect(sharing(isMe: true) == .own(archive: "a"))
    #expect(sharing(publishes: true) == .everyone && sharing(isMe: true, publishes: true) == .everyone)
    #expect(sharing(isShared: false) == .everyone)
  }

  @Test("a refused post and a refused gap are reported at their place in the file") func positions() throws {
    var machine = Self.begun()
    _ = machine.received(.chunk([1]), size: 1)
    var batch = Self.batch(600)
    let note = try #require(
      GapNote(.complete, source: "s", newer: Instant(seconds: 2), older: Instant(seconds: 1)))
    batch.gaps = [ImportBatch.GapMark(postsBefore: 600, note: note, position: 601)]
    _ = machine.stepEnded(.success(batch))
    var report = ImportReport()
    report.refused = [RefusedPost(index: 7, reason: .anotherAccount)]
    _ = machine.writeEnded(.success((.imported(report), revision: 9)))
    _ = machine.writeEnded(.success((.imported(report), revision: 9)))
    _ = machine.writeEnded(.failure(EngineError(.resourceExhausted, "too many gaps", limit: 1000)))
    #expect(try Self.report(machine.nextMessage()).skips.map(\.position) == [8, 508, 601])
  }

  @Test("the author of one's own archive is claimed once, at the end") func claim() {
    var machine = Self.begun(.header(format: "jsonl", source: "", isMe: true, dryRun: false))
    _ = machine.received(.chunk([1]), size: 7)
    var batch = Self.batch(1)
    batch.owner = batch.posts[0].author
    _ = machine.stepEnded(.success(batch))
    _ = machine.writeEnded(Self.stored(1))
    _ = machine.halfClosed()
    let claim = machine.stepEnded(.success(ImportBatch()))
    #expect(Self.words(claim) == ["wake", "consume 0", "claim s a"])
    let done = machine.writeEnded(Self.stored(0))
    #expect(Self.words(done) == ["drop", "wake"])
  }

  @Test("a failure drops waiting work and reports what is stored") func failure() {
    var machine = Self.begun()
    _ = machine.received(.chunk([1]), size: 7)
    _ = machine.stepEnded(.success(Self.batch(700)))
    _ = machine.writeEnded(Self.stored(500))
    let failed = machine.writeEnded(.failure(EngineError(.unavailable, "the disk is away")))
    #expect(Self.words(failed) == ["drop", "wake"])
    let status = Self.end(machine.nextMessage())
    #expect(
      status?.message
        == "the disk is away (500 posts were stored first; importing again continues)")
    let late = machine.received(.chunk([1]), size: 1)
    #expect(late.isEmpty)
  }

  @Test("a running step is dropped when it finishes after a failure") func dropping() {
    var machine = Self.begun()
    _ = machine.received(.chunk([1]), size: 7)
    let failed = machine.fail(EngineError(.unavailable, "the client disconnected"))
    #expect(Self.words(failed) == ["wake"])
    let dropped = machine.stepEnded(.success(Self.batch(1)))
    #expect(Self.words(dropped) == ["drop"])
  }

  @Test("an import ends if the worker refuses a step") func busy() {
    var machine = Self.begun()
    _ = machine.received(.chunk([1]), size: 7)
    let refused = machine.workerRefused()
    #expect(Self.words(refused) == ["drop", "wake"])
    #expect(Self.end(machine.nextMessage())?.code == .resourceExhausted)
  }

  @Test("a dry run stores nothing") func dryRun() {
    var machine = Self.begun(.header(format: "jsonl", source: "", isMe: false, dryRun: true))
    _ = machine.received(.chunk([1]), size: 7)
    let actions = machine.stepEnded(.success(Self.batch(3)))
    #expect(Self.words(actions) == ["wake", "consume 7"])
  }
}
