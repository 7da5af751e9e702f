import Messages
import RPC

/// Imports a file again and again, each time with some of its posts changed, until the import is done: rows change in
/// place, in every view that shows them.
final class Archivist: Behaviour {
  private var versions: [Int]
  private var call: ClientCall?
  /// Whether something is to be imported that no import has brought yet.
  private var isOwed = false
  private var imports = 0
  private var attempts = 0

  init(_ client: ClientProcess, number: Int) {
    var random = client.world.generator("archivist \(client.name) \(number)")
    versions = Array(repeating: 0, count: Int.random(in: 1...12, using: &random))
    super.init(client, name: "archivist \(number)")
    later(100...1500) { [unowned self] in change() }
  }

  override var isSettled: Bool { !isOwed }

  override func connected() { send() }

  override func end() { call = nil }

  private func text(_ index: Int) -> String { "\(name) keeps \(index), version \(versions[index])" }

  private func key(_ index: Int) -> String { "\(name) \(index)" }

  private func change() {
    guard !isOwed else { return }
    imports += 1
    attempts = 0
    for index in versions.indices where imports == 1 || Int.random(in: 0..<3, using: &random) == 0 {
      versions[index] += 1
      world.ledger.keep(key(index), text(index))
    }
    isOwed = true
    send()
  }

  /// The file as it is now: JSON Lines, whose posts are a minute apart.
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
    guard isOwed, call == nil, let call = client.start(Method.importPosts) else { return }
    self.call = call
    attempts += 1
    if attempts > 1 { world.count(.retry) }
    let bytes = file
    try? call.send(ImportRequest.header(format: "jsonl", source: "", isMe: false, dryRun: false).encoded())
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
        self?.world.violation("an import's answer that cannot be read: \(error)")
      }
    }
    call.onEnd = { [weak self] call, status, _ in self?.ended(call, status, last) }
  }

  private func ended(_ ended: ClientCall, _ status: Status, _ last: ImportResponse) {
    guard call === ended else { return }
    call = nil
    world.trace.note(world.now, name, "has imported", Int64(status.code.rawValue), Int64(last.new), Int64(last.changed))
    guard status.isOK, last.isDone else {
      judge(status, of: "an import")
      if status.isOK { world.violation("\(name): an import ended with OK and no report") }
      return surely(after: 20...500) { [weak self] in self?.send() }
    }
    isOwed = false
    if last.skipped > 0 || last.new + last.changed + last.same != UInt64(versions.count) {
      world.violation(
        "\(name): of \(versions.count) posts \(last.new) are new, \(last.changed) changed, \(last.same) the same")
    }
    world.ledger.saw(last.revision)
    later(100...2000) { [unowned self] in change() }
  }
}
