import Messages
import RPC
import ViewState

/// Writes posts for a remote source, toggles favourites and reposts of its posts, deletes some and may undo its
/// commands, one after the other. Retries each until a response arrives.
final class Sender: Behaviour {
  private enum Command {
    case post(ComposeRequest)
    case mark(MarkRequest)
    case delete(DeleteRequest)
    case undo(UndoRequest)
  }

  private var command: Command?
  private var isUnderWay = false
  private var issued = 0
  private let limit: Int
  private let undoes: Bool

  /// - Parameter undoes: true to also undo and redo the account's last command. No other behaviour may use the account.
  init(_ client: ClientProcess, number: Int, undoes: Bool = false) {
    self.undoes = undoes
    var random = client.world.generator("sender \(client.name) \(number)")
    limit = .random(in: 10...60, using: &random)
    super.init(client, name: "sender \(number)")
    later(50...500) { [unowned self] in issueCommand() }
  }

  override var isSettled: Bool { command == nil }

  override func connected() { send() }

  private func issueCommand() {
    guard command == nil, issued < limit else { return }
    issued += 1
    let id = "\(name) \(issued)"
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
      world.ledger.recordDeletion(of: post.id)
      command = .delete(request)
    case (1..<6, let post?):
      let kind: MarkKind = Int.random(in: 0..<3, using: &random) == 0 ? .repost : .favourite
      var request = MarkRequest(kind, post: "\(post.id)", isUnmark: Int.random(in: 0..<5, using: &random) < 2)
      request.requestID = id
      command = .mark(request)
    default:
      var request = ComposeRequest(text: "\(name) sends \(issued)")
      (request.requestID, request.source) = (id, RemoteSource.name)
      if let post, Bool.random(using: &random) { request.inReplyTo = "\(post.id)" }
      world.ledger.recordRequest(request.text)
      command = .post(request)
    }
    send()
  }

  private func send() {
    guard let command, !isUnderWay, client.connection != nil else { return }
    isUnderWay = true
    switch command {
    case .post(let request):
      client.unary(Method.compose, request.encoded()) { [weak self] in self?.handleResponse($0, request) }
    case .mark(let request):
      client.unary(Method.mark, request.encoded()) { [weak self] in self?.handleResponse($0, nil) }
    case .delete(let request):
      client.unary(Method.delete, request.encoded()) { [weak self] in self?.handleResponse($0, nil) }
    case .undo(let request): client.unary(Method.undo, request.encoded()) { [weak self] in self?.handleUndo($0) }
    }
  }

  private func handleResponse(_ result: Result<[UInt8], Status>, _ post: ComposeRequest?) {
    isUnderWay = false
    switch result {
    case .success(let bytes):
      if let post, let answer = try? ComposeResponse(decoding: bytes) {
        world.ledger.recordSent(Ledger.Sent(text: post.text, id: answer.postID, userID: client.userID))
        world.ledger.recordRevision(answer.revision)
      }
      done()
    // Another account's post that the source does not have, or a deleted one.
    case .failure(let status) where status.code == .notFound: done()
    case .failure(let status):
      checkStatus(status, of: "a command")
      schedule(after: 20...500) { [weak self] in self?.send() }
    }
  }

  private func handleUndo(_ result: Result<[UInt8], Status>) {
    if case .success(let bytes) = result, let answer = try? UndoResponse(decoding: bytes),
      answer.description.hasPrefix("writing")
    {
      world.ledger.recordDeletion(of: answer.postID)
    }
    if case .failure(let status) = result, status.code == .failedPrecondition {
      isUnderWay = false
      return done()
    }
    handleResponse(result, nil)
  }

  private func done() {
    command = nil
    later(2...150) { [unowned self] in issueCommand() }
  }
}
