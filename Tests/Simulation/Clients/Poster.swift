import Messages
import RPC

/// Writes posts one after the other, and retries each until a response arrives; each must be stored exactly once.
final class Poster: Behaviour {
  private struct Draft {
    var request: ComposeRequest
    var attempts = 0
    var isUnderWay = false
  }

  private var draft: Draft?
  private var written = 0
  /// True once the account's post limit allows the longest texts.
  private var hasRaisedPostLimit = false
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
    world.ledger.recordRequest(text)
    draft = Draft(request: request)
    send()
  }

  private func send() {
    guard var sending = draft, !sending.isUnderWay, client.connection != nil else { return }
    guard hasRaisedPostLimit else { return raisePostLimit() }
    sending.attempts += 1
    sending.isUnderWay = true
    if sending.attempts > 1 { world.count(.retry) }
    draft = sending
    let timeout: Duration? = Bool.random(using: &random) ? .milliseconds(.random(in: 200...4000, using: &random)) : nil
    let revisionBefore = world.ledger.revision
    client.unary(Method.compose, sending.request.encoded(), timeout: timeout) { [weak self] in
      self?.handleResponse($0, sending.request, revisionBefore)
    }
  }

  /// Raises the account's post limit.
  private func raisePostLimit() {
    draft?.isUnderWay = true
    client.unary(Method.setPostLimit, SetPostLimitRequest(10_000).encoded()) { [weak self] result in
      guard let self else { return }
      draft?.isUnderWay = false
      switch result {
      case .success:
        hasRaisedPostLimit = true
        send()
      case .failure(let status):
        checkStatus(status, of: "the length of posts")
        schedule(after: 20...500) { [weak self] in self?.send() }
      }
    }
  }

  private func handleResponse(_ result: Result<[UInt8], Status>, _ request: ComposeRequest, _ revisionBefore: UInt64) {
    draft?.isUnderWay = false
    switch result {
    case .success(let bytes):
      do {
        let answer = try ComposeResponse(decoding: bytes)
        world.ledger.recordPost(Ledger.Post(text: request.text, id: answer.postID, revision: answer.revision))
        world.trace.record(
          world.now, name, "has written", Int64(bitPattern: answer.postID), Int64(bitPattern: answer.revision))
      } catch {
        world.violation("\(name): cannot decode the response: \(error)")
      }
      draft = nil
      later(5...900) { [unowned self] in write() }
    case .failure(let status):
      checkStatus(status, of: "a post")
      schedule(after: 20...500) { [weak self] in self?.send() }
    }
  }
}
