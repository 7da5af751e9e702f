import Messages
import RPC
import ViewState

/// Writes posts for a source elsewhere, turns favourites and reposts of its posts on and off, deletes some and perhaps
/// takes back what it did, one command after the other, and asks again until each is answered.
final class Sender: Behaviour {
  private enum Command {
    case post(ComposeRequest)
    case mark(MarkRequest)
    case delete(DeleteRequest)
    case undo(UndoRequest)
  }

  private var command: Command?
  private var isUnderWay = false
  private var given = 0
  private let limit: Int
  private let undoes: Bool

  /// - Parameter undoes: it also takes back what its account did last, and does it again; for an account that does
  ///   nothing else.
  init(_ client: ClientProcess, number: Int, undoes: Bool = false) {
    self.undoes = undoes
    var random = client.world.generator("sender \(client.name) \(number)")
    limit = .random(in: 10...60, using: &random)
    super.init(client, name: "sender \(number)")
    later(50...500) { [unowned self] in give() }
  }

  override var isSettled: Bool { command == nil }

  override func connected() { send() }

  private func give() {
    guard command == nil, given < limit else { return }
    given += 1
    let id = "\(name) \(given)"
    let post = world.ledger.sent.randomElement(using: &random)
    if undoes, Int.random(in: 0..<3, using: &random) == 0 {
      var request = UndoRequest(isRedo: Int.random(in: 0..<3, using: &random) == 0)
      request.requestID = id
      command = .undo(request)
      return send()
    }
    switch (Int.random(in: 0..<8, using: &random), post) {
    case (0, let post?) where post.userID == client.userID:
      var request = DeleteRequest(post: "\(post.id)")
      request.requestID = id
      world.ledger.withdraw(post.id)
      command = .delete(request)
    case (1..<6, let post?):
      let kind: MarkKind = Int.random(in: 0..<3, using: &random) == 0 ? .repost : .favourite
      var request = MarkRequest(kind, post: "\(post.id)", isUnmark: Int.random(in: 0..<5, using: &random) < 2)
      request.requestID = id
      command = .mark(request)
    default:
      var request = ComposeRequest(text: "\(name) sends \(given)")
      (request.requestID, request.source) = (id, Elsewhere.name)
      if let post, Bool.random(using: &random) { request.inReplyTo = "\(post.id)" }
      world.ledger.ask(request.text)
      command = .post(request)
    }
    send()
  }

  private func send() {
    guard let command, !isUnderWay, client.connection != nil else { return }
    isUnderWay = true
    switch command {
    case .post(let request):
      client.unary(Method.compose, request.encoded()) { [weak self] in self?.answered($0, request) }
    case .mark(let request): client.unary(Method.mark, request.encoded()) { [weak self] in self?.answered($0, nil) }
    case .delete(let request): client.unary(Method.delete, request.encoded()) { [weak self] in self?.answered($0, nil) }
    case .undo(let request): client.unary(Method.undo, request.encoded()) { [weak self] in self?.undone($0) }
    }
  }

  private func answered(_ result: Result<[UInt8], Status>, _ post: ComposeRequest?) {
    isUnderWay = false
    switch result {
    case .success(let bytes):
      if let post, let answer = try? ComposeResponse(decoding: bytes) {
        world.ledger.send(Ledger.Sent(text: post.text, id: answer.postID, userID: client.userID))
        world.ledger.saw(answer.revision)
      }
      done()
    // Somebody else's that the source has not got, or one that is gone.
    case .failure(let status) where status.code == .notFound: done()
    case .failure(let status):
      judge(status, of: "a command")
      surely(after: 20...500) { [weak self] in self?.send() }
    }
  }

  private func undone(_ result: Result<[UInt8], Status>) {
    if case .success(let bytes) = result, let answer = try? UndoResponse(decoding: bytes),
      answer.description.hasPrefix("writing")
    {
      world.ledger.withdraw(answer.postID)
    }
    if case .failure(let status) = result, status.code == .failedPrecondition {
      isUnderWay = false
      return done()
    }
    answered(result, nil)
  }

  private func done() {
    command = nil
    later(2...150) { [unowned self] in give() }
  }
}
