import Messages
import RPC

/// Imports a file repeatedly, each time with some of its posts changed, and retries until the import succeeds.
///
/// Rows change in place in every view that shows them.
final class Archivist: Behaviour {
  private var versions: [Int]
  private var call: ClientCall?
  /// True while changed posts have not been imported.
  private var isImportPending = false
  private var imports = 0
  private var attempts = 0

  init(_ client: ClientProcess, number: Int) {
    var random = client.world.generator("archivist \(client.name) \(number)")
    versions = Array(repeating: 0, count: Int.random(in: 1...12, using: &random))
    super.init(client, name: "archivist \(number)")
    later(100...1500) { [unowned self] in changePosts() }
  }

  override var isSettled: Bool { !isImportPending }

  override func connected() { send() }

  override func end() { call = nil }

  private func text(_ index: Int) -> String { "\(name) keeps \(index), version \(versions[index])" }

  private func key(_ index: Int) -> String { "\(name) \(index)" }

  private func changePosts() {
    guard !isImportPending else { return }
    imports += 1
    attempts = 0
    for index in versions.indices where imports == 1 || Int.random(in: 0..<3, using: &random) == 0 {
      versions[index] += 1
      world.ledger.recordImport(key(index), text(index))
    }
    isImportPending = true
    send()
  }

  /// The current file in JSON Lines, with posts a minute apart.
  private var file: [UInt8] {
    var lines = ""
    for index in versions.indices {
      lines +=
        #"{"source":"archive","id":"\#(key(index))","created_at":\#(1_699_990_000_000 + index * 60_000),"#
        + #""author":{"id":"\#(name)","handle":"keeper","name":"Keeper \#(imports / 2)"},"text":"\#(text(index))"}"#
        + "\n"
    }
    return Array(lines.utf8)
  }

  private func send() {
    guard isImportPending, call == nil, let call = client.start(Method.importPosts) else { return }
    self.call = call
    attempts += 1
    if attempts > 1 { world.count(.retry) }
    let bytes = file
    try? call.send(
      ImportRequest.header(format: "jsonl", source: "", isMe: false, dryRun: false, publishes: true).encoded())
    try? call.send(ImportRequest.file(name: "archive.jsonl", size: UInt64(bytes.count)).encoded())
    var start = 0
    while start < bytes.count {
      let end = min(bytes.count, start + Int.random(in: 1...400, using: &random))
      try? call.send(ImportRequest.chunk(Array(bytes[start..<end])).encoded())
      start = end
    }
    call.closeSend()
    var last = ImportResponse()
    call.onMessage = { [weak self] _, bytes in
      do {
        last = try ImportResponse(decoding: bytes)
      } catch {
        self?.world.violation("cannot decode the response to an import: \(error)")
      }
    }
    call.onEnd = { [weak self] call, status, _ in self?.ended(call, status, last) }
  }

  private func ended(_ ended: ClientCall, _ status: Status, _ last: ImportResponse) {
    guard call === ended else { return }
    call = nil
    world.trace.record(
      world.now, name, "has imported", Int64(status.code.rawValue), Int64(last.new), Int64(last.changed))
    guard status.isOK, last.isDone else {
      checkStatus(status, of: "an import")
      if status.isOK { world.violation("\(name): an import ended with OK but without a report") }
      return schedule(after: 20...500) { [weak self] in self?.send() }
    }
    isImportPending = false
    if last.skipped > 0 || last.new + last.changed + last.same != UInt64(versions.count) {
      world.violation(
        "\(name): \(versions.count) posts, but \(last.new) new, \(last.changed) changed and \(last.same) unchanged")
    }
    world.ledger.recordRevision(last.revision)
    later(100...2000) { [unowned self] in changePosts() }
  }
}
