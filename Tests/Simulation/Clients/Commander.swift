import Messages
import RPC

/// Opens and closes panes of a session, unfolds rows of them, and retries each command until a response arrives.
final class Commander: Behaviour {
  private enum Command {
    case push(PushRequest)
    case pop(SessionRequest)
    case fold(FoldRequest)
  }

  private var command: Command?
  private var isUnderWay = false
  private var attempts = 0
  private var issued = 0
  private let session: String

  init(_ client: ClientProcess, number: Int, session: String) {
    self.session = session
    super.init(client, name: "commander \(number)")
    later(200...2000) { [unowned self] in issueCommand() }
  }

  override var isSettled: Bool { command == nil }

  override func connected() { send() }

  private func issueCommand() {
    guard command == nil else { return }
    issued += 1
    attempts = 0
    var header = SessionCommand()
    header.session = session
    header.requestID = "\(name) \(issued)"
    let post = world.ledger.posts.randomElement(using: &random)
    if let post, Int.random(in: 0..<3, using: &random) > 0 {
      var request = PushRequest(conversation: "\(post.id)")
      request.command = header
      command = .push(request)
    } else if let post, Int.random(in: 0..<4, using: &random) == 0 {
      var request = FoldRequest()
      request.command = header
      (request.rowID, request.isFolded) = (post.id, Bool.random(using: &random))
      command = .fold(request)
    } else {
      var request = SessionRequest()
      request.command = header
      command = .pop(request)
    }
    send()
  }

  private func send() {
    guard let command, !isUnderWay, client.connection != nil else { return }
    isUnderWay = true
    attempts += 1
    if attempts > 1 { world.count(.retry) }
    switch command {
    case .push(let request): client.unary(Method.push, request.encoded()) { [weak self] in self?.handleResponse($0) }
    case .fold(let request): client.unary(Method.fold, request.encoded()) { [weak self] in self?.handleResponse($0) }
    case .pop(let request): client.unary(Method.pop, request.encoded()) { [weak self] in self?.handleResponse($0) }
    }
  }

  private func handleResponse(_ result: Result<[UInt8], Status>) {
    isUnderWay = false
    switch result {
    case .success(let bytes):
      do {
        world.ledger.recordRevision(try PaneResponse(decoding: bytes).revision)
      } catch {
        world.violation("\(name): cannot decode the response: \(error)")
      }
      done()
    // The last pane cannot be closed, another client may have closed this one, and the topmost may not have the row.
    case .failure(let status) where status.code == .failedPrecondition || status.code == .notFound: done()
    case .failure(let status):
      checkStatus(status, of: "a command")
      schedule(after: 20...500) { [weak self] in self?.send() }
    }
  }

  private func done() {
    command = nil
    later(50...2500) { [unowned self] in issueCommand() }
  }
}
