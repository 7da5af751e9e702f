import Posts
import Services
import TestSupport

/// The source `far` of a world, and the program that speaks for it: slow, out of order, twice, never, with no, and
/// dying. What the source has survives everything; it does each command once, by its id (docs/UPSTREAM.md).
final class Elsewhere {
  /// Its name.
  static let name = "far"
  /// After how long the daemon asks again.
  static let patience = Duration.milliseconds(700)

  /// A post that is there.
  struct Post {
    var nativeID: String
    var account: String
    var text: String
    var inReplyTo: String
  }

  /// Who has favourited or reposted what.
  struct Doing: Hashable {
    var account: String
    var nativeID: String
  }

  private(set) var posts: [Post] = []
  private(set) var favourites: Set<Doing> = []
  private(set) var reposts: Set<Doing> = []
  /// From then on it is quick, does what it is told, and answers each command once.
  var isHealed = false
  private var results: [String: UpstreamAnswer.Result] = [:]
  private var made = 0
  private var random: SeededGenerator
  private unowned let world: World

  init(_ world: World) {
    self.world = world
    random = world.generator("elsewhere")
  }

  /// What a daemon on `loop` is told of it.
  func upstreams(_ loop: SimulatedLoop) -> Upstreams {
    Upstreams(sources: [Self.name], patience: Self.patience, log: { _ in }) {
      [unowned self] _, onAnswer, onEnd throws(UpstreamFailure) in
      if !isHealed, Int.random(in: 0..<8, using: &random) == 0 { throw UpstreamFailure(reason: "it does not start") }
      return FarProgram(self, loop, onAnswer: onAnswer, onEnd: onEnd)
    }
  }

  private func chance(_ one: Int) -> Bool { !isHealed && Int.random(in: 0..<one, using: &random) == 0 }

  private func delay() -> Duration { .milliseconds(isHealed ? 5 : .random(in: 1...250, using: &random)) }

  /// The program is told something: when it hears of it, and whether it then dies, is its own affair.
  fileprivate func hear(_ command: UpstreamCommand, _ program: FarProgram) {
    world.schedule(after: delay()) { [self, weak program] in
      guard let program, program.isAlive else { return }
      if chance(20) { return program.die() }
      let answer = UpstreamAnswer(id: command.id, perform(command))
      if chance(20) { return program.die() }
      guard !chance(8) else { return }
      for _ in 0..<(chance(6) ? 2 : 1) { world.schedule(after: delay()) { [weak program] in program?.say(answer) } }
    }
  }

  private func perform(_ command: UpstreamCommand) -> UpstreamAnswer.Result {
    if let known = results[command.id] { return known }
    if chance(6) { return .later("not now") }
    let result = chance(4) ? .refused("it will not") : change(command)
    results[command.id] = result
    world.trace.note(
      world.now, "elsewhere", text: "\(command.id) \(command.action.rawValue) \(command.post): \(result)")
    return result
  }

  private func change(_ command: UpstreamCommand) -> UpstreamAnswer.Result {
    if command.action == .post {
      made += 1
      let post = Post(
        nativeID: "n\(made)", account: command.account, text: command.writing!.text.string,
        inReplyTo: command.writing!.inReplyTo)
      if !post.inReplyTo.isEmpty, !posts.contains(where: { $0.nativeID == post.inReplyTo }) {
        return .refused("there is no such post")
      }
      posts.append(post)
      return .done(nativeID: post.nativeID, permalink: .empty)
    }
    guard posts.contains(where: { $0.nativeID == command.post }) else { return .refused("there is no such post") }
    let doing = Doing(account: command.account, nativeID: command.post)
    switch command.action {
    case .favourite:
      if !favourites.insert(doing).inserted { world.violation("\(command.id) favourites what is a favourite") }
    case .unfavourite: if favourites.remove(doing) == nil { world.violation("\(command.id) takes back what is not so") }
    case .delete:
      posts.removeAll { $0.nativeID == command.post }
      favourites = favourites.filter { $0.nativeID != command.post }
      reposts = reposts.filter { $0.nativeID != command.post }
    case .repost:
      if !reposts.insert(doing).inserted { world.violation("\(command.id) reposts what it has reposted") }
      // Some sources call a repost something, and some do not.
      made += 1
      return .done(nativeID: made % 2 == 0 ? "r\(made)" : "", permalink: .empty)
    case .unrepost:
      if reposts.remove(doing) == nil { world.violation("\(command.id) takes a repost back that is not there") }
    case .post: break
    }
    return .done(nativeID: "", permalink: .empty)
  }
}

/// One process of the program.
private final class FarProgram: UpstreamProgram {
  private(set) var isAlive = true
  private let elsewhere: Elsewhere
  private let loop: SimulatedLoop
  private let onAnswer: (UpstreamAnswer) -> Void
  private let onEnd: (String) -> Void

  init(
    _ elsewhere: Elsewhere, _ loop: SimulatedLoop, onAnswer: @escaping (UpstreamAnswer) -> Void,
    onEnd: @escaping (String) -> Void
  ) {
    (self.elsewhere, self.loop, self.onAnswer, self.onEnd) = (elsewhere, loop, onAnswer, onEnd)
  }

  func send(_ command: UpstreamCommand) { elsewhere.hear(command, self) }

  func close() { isAlive = false }

  func say(_ answer: UpstreamAnswer) {
    loop.post { [weak self] in
      guard let self, isAlive else { return }
      onAnswer(answer)
    }
  }

  func die() {
    isAlive = false
    loop.post { [self] in onEnd("it died") }
  }
}
