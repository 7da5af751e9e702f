import Messages
import RPC
import ViewState

/// Writes, answers, edits, deletes, favourites, reposts and saves, takes back and does again, one after the other and
/// each under a request id, and asks again until it is answered; sometimes also after that. ``Deeds`` says what is to
/// come of it.
final class Actor: Behaviour {
  private var command: ActionCommand?
  private var isUnderWay = false
  private var attempts = 0
  private var given = 0
  private var asked: [ActionCommand] = []
  private let limit: Int
  /// How long it thinks at most, in milliseconds.
  private let pause: Int

  init(_ client: ClientProcess, number: Int) {
    var random = client.world.generator("actor \(client.name) \(number)")
    limit = .random(in: 5...60, using: &random)
    pause = [5, 50, 300].randomElement(using: &random)!
    super.init(client, name: "actor \(number)")
    later(0...800) { [unowned self] in give() }
  }

  override var isSettled: Bool { command == nil }

  override func connected() { send() }

  private var deeds: Deeds { world.deeds }

  // MARK: What it wants

  private func give() {
    guard command == nil, given < limit else { return }
    given += 1
    attempts = 0
    if Int.random(in: 0..<8, using: &random) == 0, let again = asked.randomElement(using: &random) {
      command = again
    } else {
      command = next()
      command?.requestID = "\(name) \(given)"
      if let command { asked = asked.suffix(5) + [command] }
    }
    guard let command else { return later(1...pause) { [unowned self] in give() } }
    deeds.asks(client.userID, about: command.posts)
    send()
  }

  private func next() -> ActionCommand? {
    let kind = Int.random(in: 0..<100, using: &random)
    let post = deeds.model.ids.suffix(10).randomElement(using: &random)
    let mine = Int.random(in: 0..<6, using: &random) == 0 ? post : ownPost
    switch kind {
    case 0..<18:
      var request = ComposeRequest(text: "\(name) says \(given)")
      if let post, Bool.random(using: &random) { request.inReplyTo = "\(post)" }
      return .compose(request)
    case 18..<50:
      // Marks that hide nothing: what actors have said is looked for in their timelines.
      let kinds: [MarkKind] = [.favourite, .repost, .save]
      guard let post, let kind = kinds.randomElement(using: &random) else { return nil }
      return .mark(MarkRequest(kind, post: "\(post)", isUnmark: Int.random(in: 0..<3, using: &random) == 0))
    case 50..<56:
      let posts = (0..<Int.random(in: 1...4, using: &random)).compactMap { _ in
        deeds.model.ids.suffix(10).randomElement(using: &random)
      }
      return posts.isEmpty
        ? nil : .markRead(MarkReadRequest(Bool.random(using: &random) ? .read : .unread, posts: posts.map { "\($0)" }))
    case 56..<64: return mine.map { .edit(EditRequest(post: "\($0)", text: "\(name) corrects \(given)")) }
    case 64..<72: return mine.map { .delete(DeleteRequest(post: "\($0)")) }
    case 72..<88: return .undo(UndoRequest(isRedo: false))
    default: return .undo(UndoRequest(isRedo: true))
    }
  }

  private var ownPost: UInt64? {
    deeds.accounts[client.userID].flatMap { deeds.model.posts(of: $0).suffix(3).randomElement(using: &random) }
  }

  // MARK: What it is answered

  private func send() {
    guard let command, !isUnderWay, client.connection != nil else { return }
    isUnderWay = true
    attempts += 1
    if attempts > 1 { world.count(.retry) }
    // Who is impatient asks again while the first is still on its way.
    let timeout: Duration? =
      Int.random(in: 0..<4, using: &random) == 0 ? .milliseconds(.random(in: 5...2000, using: &random)) : nil
    client.unary(command.path, command.bytes, timeout: timeout) { [weak self] in self?.answered($0, command) }
  }

  private func answered(_ result: Result<[UInt8], Status>, _ command: ActionCommand) {
    isUnderWay = false
    if case .failure(let status) = result,
      [.unavailable, .cancelled, .resourceExhausted, .deadlineExceeded].contains(status.code)
    {
      return surely(after: 20...500) { [weak self] in self?.send() }
    }
    deeds.answered(client.userID, command, result)
    self.command = nil
    later(1...pause) { [unowned self] in give() }
  }
}

extension ActionCommand {
  /// The posts that it is about.
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
