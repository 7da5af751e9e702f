import Posts
import Services
import TestSupport

/// The remote source `far` of a world, and its upstream program, which responds slowly, out of order, twice or never,
/// refuses commands, and crashes.
///
/// The source's data survives everything. It carries out each command once, by its ID (docs/UPSTREAM.md).
final class RemoteSource {
  /// The source's name.
  static let name = "far"
  /// The time after which the daemon resends a command.
  static let patience = Duration.milliseconds(700)

  /// A post of the source.
  struct Post {
    var nativeID: String
    var account: String
    var text: String
    var inReplyTo: String
  }

  /// An account's favourite or repost of a post.
  struct Reaction: Hashable {
    var account: String
    var nativeID: String
  }

  private(set) var posts: [Post] = []
  private(set) var favourites: Set<Reaction> = []
  private(set) var reposts: Set<Reaction> = []
  /// True once the program is fast, obeys, and responds to each command once.
  var isHealed = false
  private var results: [String: UpstreamAnswer.Result] = [:]
  private var lastNumber = 0
  private var random: SeededGenerator
  private unowned let world: World

  init(_ world: World) {
    self.world = world
    random = world.generator("elsewhere")
  }

  /// Returns the upstream configuration of a daemon on `loop`.
  func upstreams(_ loop: SimulatedLoop) -> Upstreams {
    var upstreams = Upstreams(sources: [Self.name], patience: Self.patience, log: { _ in }) {
      [unowned self] name, onMessage, onEnd throws(UpstreamFailure) in
      if let source = world.sources.first(where: { $0.name == name }) {
        return try source.start(loop, onMessage: onMessage, onEnd: onEnd)
      }
      if !isHealed, Int.random(in: 0..<8, using: &random) == 0 { throw UpstreamFailure(reason: "it does not start") }
      return RemoteSourceProgram(self, loop, onMessage: onMessage, onEnd: onEnd)
    }
    for source in world.sources {
      if source.isFeed { upstreams.onDemand.insert(source.name) } else { upstreams.sources.append(source.name) }
    }
    return upstreams
  }

  private func chance(oneIn count: Int) -> Bool { !isHealed && Int.random(in: 0..<count, using: &random) == 0 }

  private func delay() -> Duration { .milliseconds(isHealed ? 5 : .random(in: 1...250, using: &random)) }

  /// Delivers a command to the program after a delay. The program may crash before or after carrying it out.
  fileprivate func receive(_ command: UpstreamCommand, from program: RemoteSourceProgram) {
    world.schedule(after: delay()) { [self, weak program] in
      guard let program, program.isAlive else { return }
      if chance(oneIn: 20) { return program.die() }
      let answer = UpstreamAnswer(id: command.id, perform(command))
      if chance(oneIn: 20) { return program.die() }
      guard !chance(oneIn: 8) else { return }
      for _ in 0..<(chance(oneIn: 6) ? 2 : 1) {
        world.schedule(after: delay()) { [weak program] in program?.deliver(answer) }
      }
    }
  }

  private func perform(_ command: UpstreamCommand) -> UpstreamAnswer.Result {
    if let known = results[command.id] { return known }
    if chance(oneIn: 6) { return .later("not now") }
    let result = chance(oneIn: 4) ? .refused("it will not") : change(command)
    results[command.id] = result
    world.trace.record(
      world.now, "elsewhere", text: "\(command.id) \(command.action.rawValue) \(command.post): \(result)")
    return result
  }

  private func change(_ command: UpstreamCommand) -> UpstreamAnswer.Result {
    if command.action == .post {
      lastNumber += 1
      let post = Post(
        nativeID: "n\(lastNumber)", account: command.account, text: command.writing!.text.string,
        inReplyTo: command.writing!.inReplyTo)
      if !post.inReplyTo.isEmpty, !posts.contains(where: { $0.nativeID == post.inReplyTo }) {
        return .refused("there is no such post")
      }
      posts.append(post)
      return .done(nativeID: post.nativeID, permalink: .empty)
    }
    guard posts.contains(where: { $0.nativeID == command.post }) else { return .refused("there is no such post") }
    let reaction = Reaction(account: command.account, nativeID: command.post)
    switch command.action {
    case .favourite:
      if !favourites.insert(reaction).inserted { world.violation("\(command.id) favourites a post twice") }
    case .unfavourite:
      if favourites.remove(reaction) == nil { world.violation("\(command.id) removes a favourite that does not exist") }
    case .delete:
      posts.removeAll { $0.nativeID == command.post }
      favourites = favourites.filter { $0.nativeID != command.post }
      reposts = reposts.filter { $0.nativeID != command.post }
    case .repost:
      if !reposts.insert(reaction).inserted { world.violation("\(command.id) reposts a post twice") }
      // Some sources give reposts native IDs, and some do not.
      lastNumber += 1
      return .done(nativeID: lastNumber % 2 == 0 ? "r\(lastNumber)" : "", permalink: .empty)
    case .unrepost:
      if reposts.remove(reaction) == nil { world.violation("\(command.id) removes a repost that does not exist") }
    case .edit, .save, .unsave:
      world.violation("\(command.id) is to \(command.action) a post, which no program of protocol 1 is asked to do")
    case .post: break
    }
    return .done(nativeID: "", permalink: .empty)
  }
}

/// A process of the upstream program.
private final class RemoteSourceProgram: UpstreamProgram {
  private(set) var isAlive = true
  private let source: RemoteSource
  private let loop: SimulatedLoop
  private let onMessage: (UpstreamMessage) -> Void
  private let onEnd: (UpstreamEnd) -> Void

  init(
    _ source: RemoteSource, _ loop: SimulatedLoop, onMessage: @escaping (UpstreamMessage) -> Void,
    onEnd: @escaping (UpstreamEnd) -> Void
  ) {
    (self.source, self.loop, self.onMessage, self.onEnd) = (source, loop, onMessage, onEnd)
  }

  func send(_ command: UpstreamCommand) { source.receive(command, from: self) }

  func send(_: UpstreamNotice) {}

  func whenTaken(_ body: @escaping () -> Void) { body() }

  func close() { isAlive = false }

  func deliver(_ answer: UpstreamAnswer) {
    loop.post { [weak self] in
      guard let self, isAlive else { return }
      onMessage(.answer(answer))
    }
  }

  func die() {
    isAlive = false
    loop.post { [self] in onEnd(UpstreamEnd(reason: "it died")) }
  }
}
