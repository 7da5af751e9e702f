import Messages
import RPC

/// Writes posts, one after the other, and asks again until each is answered: done once, however often it was asked.
final class Poster: Behaviour {
  private struct Draft {
    var request: ComposeRequest
    var attempts = 0
    var isUnderWay = false
  }

  private var draft: Draft?
  private var written = 0
  /// The account may write posts as long as these.
  private var isFree = false
  private let limit: Int

  init(_ client: ClientProcess, number: Int) {
    var random = client.world.generator("poster \(client.name) \(number)")
    limit = .random(in: 4...20, using: &random)
    super.init(client, name: "poster \(number)")
    later(0...1500) { [unowned self] in write() }
  }

  override var isSettled: Bool { draft == nil }

  override func connected() { send() }

  private func write() {
    guard draft == nil, written < limit else { return }
    written += 1
    let words = ["otter", "harbour", "遥", "仕様です。", "#books", "@ann", "👩‍👩‍👧", "tide", "נועה"]
    var text = "\(name) writes \(written):"
    for _ in 0..<Int.random(in: 0...40, using: &random) { text += " " + words.randomElement(using: &random)! }
    if Int.random(in: 0..<8, using: &random) == 0 {
      text += "\n" + String(repeating: "long ", count: .random(in: 1...900, using: &random))
    }
    var request = ComposeRequest(text: text)
    request.requestID = "\(name) \(written)"
    if Bool.random(using: &random), let parent = world.ledger.posts.randomElement(using: &random) {
      request.inReplyTo = "\(parent.id)"
    }
    world.ledger.ask(text)
    draft = Draft(request: request)
    send()
  }

  private func send() {
    guard var sending = draft, !sending.isUnderWay, client.connection != nil else { return }
    guard isFree else { return beFree() }
    sending.attempts += 1
    sending.isUnderWay = true
    if sending.attempts > 1 { world.count(.retry) }
    draft = sending
    let timeout: Duration? = Bool.random(using: &random) ? .milliseconds(.random(in: 200...4000, using: &random)) : nil
    let revisionBefore = world.ledger.revision
    client.unary(Method.compose, sending.request.encoded(), timeout: timeout) { [weak self] in
      self?.answered($0, sending.request, revisionBefore)
    }
  }

  /// Has the account write longer posts than most do.
  private func beFree() {
    draft?.isUnderWay = true
    client.unary(Method.setPostLimit, SetPostLimitRequest(10_000).encoded()) { [weak self] result in
      guard let self else { return }
      draft?.isUnderWay = false
      switch result {
      case .success:
        isFree = true
        send()
      case .failure(let status):
        judge(status, of: "the length of posts")
        surely(after: 20...500) { [weak self] in self?.send() }
      }
    }
  }

  private func answered(_ result: Result<[UInt8], Status>, _ request: ComposeRequest, _ revisionBefore: UInt64) {
    draft?.isUnderWay = false
    switch result {
    case .success(let bytes):
      do {
        let answer = try ComposeResponse(decoding: bytes)
        world.ledger.promise(Ledger.Post(text: request.text, id: answer.postID, revision: answer.revision))
        world.trace.note(
          world.now, name, "has written", Int64(bitPattern: answer.postID), Int64(bitPattern: answer.revision))
      } catch {
        world.violation("\(name): an answer that cannot be read: \(error)")
      }
      draft = nil
      later(5...900) { [unowned self] in write() }
    case .failure(let status):
      judge(status, of: "a post")
      surely(after: 20...500) { [weak self] in self?.send() }
    }
  }
}
