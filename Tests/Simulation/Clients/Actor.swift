import Messages
import RPC
import ViewState

/// Writes, replies, edits, deletes, favourites, reposts, saves, undoes and redoes, one command after the other.
///
/// Each command has a request ID and is retried until a response arrives, sometimes also after that.
/// ``ActionOracle`` predicts the results.
final class Actor: Behaviour {
  private var command: ActionCommand?
  private var isUnderWay = false
  private var attempts = 0
  private var issued = 0
  private var recentCommands: [ActionCommand] = []
  private let limit: Int
  /// The longest pause before the next command, in milliseconds.
  private let pause: Int

  init(_ client: ClientProcess, number: Int) {
    var random = client.world.generator("actor \(client.name) \(number)")
    limit = .random(in: 5...60, using: &random)
    pause = [5, 50, 300].randomElement(using: &random)!
    super.init(client, name: "actor \(number)")
    later(0...800) { [unowned self] in issueCommand() }
  }

  override var isSettled: Bool { command == nil }

  override func connected() { send() }

  private var oracle: ActionOracle { world.oracle }

  // MARK: Commands

  private func issueCommand() {
    guard command == nil, issued < limit else { return }
    issued += 1
    attempts = 0
    if Int.random(in: 0..<8, using: &random) == 0, let again = recentCommands.randomElement(using: &random) {
      command = again
    } else {
      command = next()
      command?.requestID = "\(name) \(issued)"
      if let command { recentCommands = recentCommands.suffix(5) + [command] }
    }
    guard let command else { return later(1...pause) { [unowned self] in issueCommand() } }
    oracle.recordRequest(by: client.userID, about: command.posts)
    send()
  }

  private func next() -> ActionCommand? {
    let kind = Int.random(in: 0..<100, using: &random)
    let post = oracle.model.ids.suffix(10).randomElement(using: &random)
    let mine = Int.random(in: 0..<6, using: &random) == 0 ? post : ownPost
    switch kind {
    case 0..<18:
      var request = ComposeRequest(text: "\(name) says \(issued)")
      if let post, Bool.random(using: &random) { request.inReplyTo = "\(post)" }
      return .compose(request)
    case 18..<50:
      // Only marks that hide nothing: the actors' posts must stay visible in their timelines.
      let kinds: [MarkKind] = [.favourite, .repost, .save]
      guard let post, let kind = kinds.randomElement(using: &random) else { return nil }
      return .mark(MarkRequest(kind, post: "\(post)", isUnmark: Int.random(in: 0..<3, using: &random) == 0))
    case 50..<56:
      let posts = (0..<Int.random(in: 1...4, using: &random)).compactMap { _ in
        oracle.model.ids.suffix(10).randomElement(using: &random)
      }
      return posts.isEmpty
        ? nil : .markRead(MarkReadRequest(Bool.random(using: &random) ? .read : .unread, posts: posts.map { "\($0)" }))
    case 56..<64: return mine.map { .edit(EditRequest(post: "\($0)", text: "\(name) corrects \(issued)")) }
    case 64..<72: return mine.map { .delete(DeleteRequest(post: "\($0)")) }
    case 72..<88: return .undo(UndoRequest(isRedo: false))
    default: return .undo(UndoRequest(isRedo: true))
    }
  }

  private var ownPost: UInt64? {
    oracle.accounts[client.userID].flatMap { oracle.model.posts(of: $0).suffix(3).randomElement(using: &random) }
  }

  // MARK: Responses

  private func send() {
    guard let command, !isUnderWay, client.connection != nil else { return }
    isUnderWay = true
    attempts += 1
    if attempts > 1 { world.count(.retry) }
    // A short timeout makes the client retry while its first attempt is still being processed.
    let timeout: Duration? =
      Int.random(in: 0..<4, using: &random) == 0 ? .milliseconds(.random(in: 5...2000, using: &random)) : nil
    client.unary(command.path, command.bytes, timeout: timeout) { [weak self] in self?.handleResponse($0, command) }
  }

  private func handleResponse(_ result: Result<[UInt8], Status>, _ command: ActionCommand) {
    isUnderWay = false
    if case .failure(let status) = result,
      [.unavailable, .cancelled, .resourceExhausted, .deadlineExceeded].contains(status.code)
    {
      return schedule(after: 20...500) { [weak self] in self?.send() }
    }
    oracle.checkResponse(client.userID, command, result)
    self.command = nil
    later(1...pause) { [unowned self] in issueCommand() }
  }
}

extension ActionCommand {
  /// IDs of the posts the command names.
  fileprivate var posts: [UInt64] {
    switch self {
    case .compose(let request): UInt64(request.inReplyTo).map { [$0] } ?? []
    case .mark(let request): [UInt64(request.post)!]
    case .markRead(let request): request.posts.map { UInt64($0)! }
    case .edit(let request): [UInt64(request.post)!]
    case .delete(let request): [UInt64(request.post)!]
    case .undo: []
    }
  }
}
