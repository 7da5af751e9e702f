import Messages
import RPC

/// Opens and closes panes of a session, and asks again until it is answered.
final class Commander: Behaviour {
  private enum Command {
    case push(PushRequest)
    case pop(SessionRequest)
  }

  private var command: Command?
  private var isUnderWay = false
  private var attempts = 0
  private var given = 0
  private let session: String

  init(_ client: ClientProcess, number: Int, session: String) {
    self.session = session
    super.init(client, name: "commander \(number)")
    later(200...2000) { [unowned self] in give() }
  }

  override var isSettled: Bool { command == nil }

  override func connected() { send() }

  private func give() {
    guard command == nil else { return }
    given += 1
    attempts = 0
    var header = SessionCommand()
    header.session = session
    header.requestID = "\(name) \(given)"
    if Int.random(in: 0..<3, using: &random) > 0, let post = world.ledger.posts.randomElement(using: &random) {
      var request = PushRequest(conversation: "\(post.id)")
      request.command = header
      command = .push(request)
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
    case .push(let request): client.unary(Method.push, request.encoded()) { [weak self] in self?.answered($0) }
    case .pop(let request): client.unary(Method.pop, request.encoded()) { [weak self] in self?.answered($0) }
    }
  }

  private func answered(_ result: Result<[UInt8], Status>) {
    isUnderWay = false
    switch result {
    case .success(let bytes):
      do {
        world.ledger.saw(try PaneResponse(decoding: bytes).revision)
      } catch {
        world.violation("\(name): an answer that cannot be read: \(error)")
      }
      done()
    // The last pane stays; a pane may have been closed by somebody else.
    case .failure(let status) where status.code == .failedPrecondition || status.code == .notFound: done()
    case .failure(let status):
      judge(status, of: "a command")
      surely(after: 20...500) { [weak self] in self?.send() }
    }
  }

  private func done() {
    command = nil
    later(50...2500) { [unowned self] in give() }
  }
}
