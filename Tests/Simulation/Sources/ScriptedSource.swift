import Ingest
import Posts
import Services
import TestSupport

/// A source whose program brings posts by protocol 2 (docs/UPSTREAM.md): a login, or feeds.
///
/// What the source has survives everything, and so does the record of what the daemon has promised.
final class ScriptedSource {
  /// The names of the sources: of a login, and of feeds.
  static let login = "near"
  static let feeds = "feed"

  /// How far a login or feed has been brought.
  struct Progress {
    /// The cursor of the newest batch that was answered as stored, or that the daemon has told.
    var stored = 0
    /// The cursors of later batches. They may be stored or not, in this order.
    var unknown: [(serial: Int, cursor: Int)] = []
  }

  let name: String
  let isFeed: Bool
  unowned let world: World
  var random: SeededGenerator
  /// What happened there, by login or feed.
  private(set) var logs: [String: SourceLog] = [:]
  private(set) var progress: [String: Progress] = [:]
  /// True once nothing happens there any more, and its program obeys the protocol.
  private(set) var isHealed = false
  /// The number of the newest batch, of all processes.
  private(set) var serial = 0
  /// The number of the last batch that the store has written.
  private var lastWritten = 0
  /// Posts of stored batches, as clients name them.
  private(set) var knownPosts: [String] = []
  /// Accounts with the post that each favourited there.
  private(set) var favourites: Set<RemoteSource.Reaction> = []
  /// True if its program carries out favourites.
  let doesFavourites: Bool
  private var results: [String: UpstreamAnswer.Result] = [:]
  private weak var program: ScriptedProgram?

  init(_ world: World, isFeed: Bool) {
    (self.world, self.isFeed) = (world, isFeed)
    name = isFeed ? Self.feeds : Self.login
    random = world.generator("source \(name)")
    doesFavourites = !isFeed && Bool.random(using: &random)
    if !isFeed { logs[name] = SourceLog(name, isFeed: false) }
    grow()
  }

  private func grow() {
    world.schedule(after: .milliseconds(.random(in: 20...250, using: &random))) { [weak self] in
      guard let self, !isHealed else { return }
      if let name = logs.keys.sorted().randomElement(using: &random) {
        for _ in 0..<Int.random(in: 1...8, using: &random) {
          logs[name]!.grow(using: &random)
          if let post = logs[name]!.newestPost, isMarked("\(self.name):\(logs[name]!.storedID(of: post))") {
            world.count(.markedPostChanged)
          }
        }
      }
      program?.wake()
      grow()
    }
  }

  private func isMarked(_ post: String) -> Bool {
    world.subscribers.contains { $0.marks.contains { $0.post == post } }
  }

  /// Ends all faults and all that happens.
  func heal() {
    isHealed = true
    program?.sayEverything()
    program?.wake()
  }

  /// True when a program has brought everything. Nobody may follow a feed; no program need run then.
  var isSettled: Bool { isFeed && !world.subscribers.contains { !$0.feeds.isEmpty } || program?.isSettled == true }

  /// The texts of all versions of all posts, as they are stored.
  var texts: [String] {
    logs.values.flatMap { log in
      log.posts.enumerated().flatMap { number, post in
        (1...post.versions).map { SafeText(log.text(of: number, version: $0)).string }
      }
    }
  }

  func chance(oneIn count: Int) -> Bool { !isHealed && Int.random(in: 0..<count, using: &random) == 0 }

  func delay() -> Duration { .milliseconds(isHealed ? 5 : .random(in: 1...120, using: &random)) }

  /// Starts a process of the program.
  func start(
    _ loop: SimulatedLoop, onMessage: @escaping (UpstreamMessage) -> Void, onEnd: @escaping (UpstreamEnd) -> Void
  ) throws(UpstreamFailure) -> any UpstreamProgram {
    if chance(oneIn: 10) { throw UpstreamFailure(reason: "it does not start") }
    let program = ScriptedProgram(self, loop, onMessage: onMessage, onEnd: onEnd)
    self.program = program
    return program
  }

  // MARK: Records

  /// Records how far the daemon says that a login or feed has been brought. Nothing that it has answered may be lost,
  /// and nothing may be there that was not sent.
  func recordTold(_ subject: String, _ cursors: [String: String]) {
    if logs[subject] == nil { logs[subject] = SourceLog(subject, isFeed: isFeed) }
    var known = progress[subject] ?? Progress()
    let cursor = cursors["at"].map { Int($0) ?? -1 } ?? 0
    if let index = known.unknown.firstIndex(where: { $0.cursor == cursor }), cursor != known.stored {
      world.count(.batchWithoutAnswer)
      known.unknown.removeFirst(index + 1)
    } else if cursor != known.stored {
      let possible = ([known.stored] + known.unknown.map(\.cursor)).map { "\($0)" }.joined(separator: ", ")
      world.violation("\(subject) was brought to \(possible), but the daemon says \(cursor)")
    }
    known.stored = cursor
    progress[subject] = known
  }

  /// Records a batch that the program sends first, and returns its number.
  func recordBatch(_ subject: String, cursor: Int?) -> Int {
    serial += 1
    if let cursor { progress[subject]!.unknown.append((serial, cursor)) }
    return serial
  }

  /// Records that the store has written a batch. None may overtake one that was sent before it.
  func recordWritten(_ number: String) {
    guard let serial = Int(number), serial > lastWritten else {
      return world.violation("\(name): batch \(number) is stored after \(lastWritten)")
    }
    lastWritten = serial
  }

  /// Records that a batch is stored, with these posts.
  func recordStored(_ subject: String, serial: Int, cursor: Int, posts: [Int]) {
    progress[subject]!.stored = cursor
    progress[subject]!.unknown.removeAll { $0.serial <= serial }
    knownPosts += posts.map { "\(name):\(logs[subject]!.storedID(of: $0))" }
  }

  // MARK: Commands

  /// Carries out a command, once.
  func perform(_ command: UpstreamCommand) -> UpstreamAnswer.Result {
    if let known = results[command.id] { return known }
    let reaction = RemoteSource.Reaction(account: command.account, nativeID: command.post)
    let exists = logs[name]!.posts.indices.contains {
      logs[name]!.id(of: $0) == command.post && !logs[name]!.posts[$0].isGone
    }
    let result: UpstreamAnswer.Result
    switch command.action {
    case .favourite, .unfavourite:
      if !exists {
        result = .refused("there is no such post")
      } else {
        let isNew =
          command.action == .favourite
          ? favourites.insert(reaction).inserted : favourites.remove(reaction) != nil
        if !isNew { world.violation("\(command.id) is carried out twice") }
        result = .done(nativeID: "", permalink: .empty)
      }
    default:
      world.violation("\(name) is asked to \(command.action.rawValue), which it cannot")
      result = .refused("it cannot")
    }
    results[command.id] = result
    return result
  }
}
