import Ingest
import Posts
import Services

/// A process of the program of a ``ScriptedSource``. It brings what happened there from the cursors on, as the protocol
/// wants it, unless it misbehaves: see ``misbehave()``.
final class ScriptedProgram: UpstreamProgram {
  /// How far a login or feed has been read. `isGone` once the daemon does not want it any more.
  struct Reader {
    var position: Int
    var isGone = false
  }

  /// Number of lines after which the daemon gives up on a program; Server's `UpstreamProcess` does so.
  private static let mistakeLimit = 100

  let source: ScriptedSource
  private(set) var isAlive = true
  /// Login and feeds, by name.
  var readers: [String: Reader] = [:]
  /// Batches that are not stored yet, in the order of their numbers.
  var unstored: [ScriptedBatch] = []
  /// Requests of people without an answer.
  private var wants: Set<String> = []
  private var credit = 0
  private let loop: SimulatedLoop
  private let onMessage: (UpstreamMessage) -> Void
  private let onEnd: (UpstreamEnd) -> Void
  private var lines: UpstreamLine
  private var mistakes = 0
  private var isAwake = false
  /// The times of the last bytes in each direction, and until when the program does nothing.
  private var lastSent = Duration.zero
  private var lastReceived = Duration.zero
  private(set) var stalledUntil = Duration.zero

  var world: World { source.world }

  init(
    _ source: ScriptedSource, _ loop: SimulatedLoop, onMessage: @escaping (UpstreamMessage) -> Void,
    onEnd: @escaping (UpstreamEnd) -> Void
  ) {
    (self.source, self.loop, self.onMessage, self.onEnd) = (source, loop, onMessage, onEnd)
    lines = UpstreamLine(source: source.name)
    let can = source.isFeed ? #""feed""# : source.doesFavourites ? #""favourite""# : ""
    for _ in 0..<(source.chance(oneIn: 10) ? 2 : 1) { write(#"{"say":"hello","protocol":2,"can":[\#(can)]}"#) }
  }

  /// True when everything is stored, and every request answered.
  var isSettled: Bool {
    isAlive && loop.isAlive && credit > 0 && unstored.isEmpty && wants.isEmpty
      && readers.allSatisfy { $1.isGone || $1.position == source.logs[$0]!.events.count }
  }

  // MARK: The daemon's lines

  func send(_ command: UpstreamCommand) {
    receive { program in
      guard !program.source.chance(oneIn: 20) else { return program.die() }
      let answer = UpstreamAnswer(id: command.id, program.source.perform(command))
      guard !program.source.chance(oneIn: 20) else { return program.die() }
      guard !program.source.chance(oneIn: 8) else { return }
      switch answer.result {
      case .done: program.write(#"{"id":"\#(command.id)","ok":true}"#)
      default: program.write(#"{"id":"\#(command.id)","ok":false,"reason":"no"}"#)
      }
    }
  }

  func send(_ notice: UpstreamNotice) { receive { $0.read(notice) } }

  func whenTaken(_ body: @escaping () -> Void) { body() }

  func close() { isAlive = false }

  /// Lets the program read a line after those before it.
  private func receive(_ body: @escaping (ScriptedProgram) -> Void) {
    lastReceived = max(lastReceived, world.now + source.delay(), stalledUntil)
    world.schedule(at: lastReceived) { [weak self] in
      guard let self, isAlive, loop.isAlive else { return }
      body(self)
      wake()
    }
  }

  private func read(_ notice: UpstreamNotice) {
    switch notice {
    case .login(let login, let account, let cursors, _):
      if login != source.name || account != "ann" {
        world.violation("\(source.name) is told of \(login), a login of \(account)")
      }
      begin(login, cursors)
    case .feed(let feed, let cursors):
      if let cursors {
        begin(feed.name, cursors)
      } else if readers[feed.name]?.isGone != false {
        world.violation("\(feed.name) is told without cursors")
      }
    case .gone(let feed):
      if unstored.contains(where: { $0.subject == feed }) { world.count(.feedGone) }
      readers[feed]?.isGone = true
    case .want(let id, .refresh(let feed)):
      if readers[feed] == nil { world.violation("\(feed) is wanted, and was never told") }
      wants.insert(id)
      if wants.count > 16 { world.violation("\(source.name) has \(wants.count) requests without an answer") }
      for _ in 0..<Int.random(in: 0...2, using: &source.random) { answerWant(id) }
    case .signedOut(let login):
      world.violation("\(source.name) is told that \(login) is signed out, which it never was")
    case .want, .unwanted: world.violation("\(source.name) is asked for posts, which it does not fetch")
    case .read, .looking: world.violation("\(source.name) is told of reading positions, which it does not keep")
    case .part: world.violation("\(source.name) is sent a file, which it does not take")
    case .ready(_, let credit): self.credit = credit
    case .batchDone(let number, let result): batchDone(number, result)
    }
  }

  /// Goes on from the cursors, or repeats some of what came before them.
  private func begin(_ subject: String, _ cursors: [String: String]) {
    source.recordTold(subject, cursors)
    var position = source.progress[subject]!.stored
    if position > 0, source.chance(oneIn: 4) {
      position = max(0, position - .random(in: 1...12, using: &source.random))
      world.count(.oldBatches)
    }
    readers[subject] = Reader(position: position)
    say(subject)
  }

  private func answerWant(_ id: String) {
    wants.remove(id)
    write(#"{"id":"\#(id)","ok":\#(source.chance(oneIn: 3) ? "false" : "true")}"#)
  }

  // MARK: Work

  /// Does the next piece of work soon.
  func wake() {
    guard isAlive, !isAwake, loop.isAlive else { return }
    isAwake = true
    world.schedule(at: max(world.now + source.delay(), stalledUntil)) { [weak self] in
      guard let self else { return }
      isAwake = false
      guard isAlive, loop.isAlive, credit > 0 else { return }
      misbehave()
      guard isAlive else { return }
      for id in wants.sorted() where source.isHealed { answerWant(id) }
      if work() { wake() }
    }
  }

  /// Sends a batch, if there is one to send and credit for it. Returns true if there is more to do at once.
  private func work() -> Bool {
    if let index = unstored.firstIndex(where: { $0.isDue }) {
      guard unstored[index].sendAt <= world.now else {
        world.schedule(at: unstored[index].sendAt) { [weak self] in self?.wake() }
        return false
      }
      guard unstored.count(where: \.isSent) < credit else { return false }
      sendAgain(at: index)
      return true
    }
    guard unstored.count(where: \.isSent) < credit, let (subject, reader) = behind else { return false }
    send(batch(of: subject, from: reader.position))
    return true
  }

  /// A login or feed of which something has not been sent.
  private var behind: (String, Reader)? {
    readers.sorted { $0.key < $1.key }.filter { !$1.isGone && $1.position < source.logs[$0]!.events.count }
      .randomElement(using: &source.random)
  }

  func sendAgain(at index: Int) {
    unstored[index].isSent = true
    unstored[index].isDue = false
    write(unstored[index].line)
  }

  /// Sends a batch for the first time.
  func send(_ batch: ScriptedBatch) {
    unstored.append(batch)
    if !batch.isBroken { readers[batch.subject]!.position = batch.cursor }
    world.trace.record(world.now, source.name, text: "sends \(batch.number): \(batch.subject) to \(batch.cursor)")
    write(batch.line)
  }

  private func batchDone(_ number: String, _ result: UpstreamBatchResult) {
    guard let index = unstored.firstIndex(where: { $0.number == number }) else {
      return world.violation("\(source.name): batch \(number) is answered, and waits for no answer")
    }
    let batch = unstored[index]
    world.trace.record(world.now, source.name, text: "is answered \(number): \(result)")
    switch result {
    case .again:
      world.count(.batchAgain)
      unstored[index].isSent = false
      unstored[index].isDue = true
      unstored[index].sendAt = world.now + .seconds(1)
    case .refused:
      unstored.remove(at: index)
      if !batch.isBroken {
        world.violation("\(source.name): batch \(number) of \(batch.subject) is refused: \(result)")
      }
    case .stored(let report):
      unstored.remove(at: index)
      if let flaw = batch.flaw(in: report) { world.violation("\(source.name): batch \(number): \(flaw)") }
      if !batch.isBroken {
        source.recordStored(batch.subject, serial: batch.serial, cursor: batch.cursor, posts: batch.posts)
      }
    }
  }

  // MARK: Output

  /// Writes a line. It arrives in pieces, after all before it.
  func write(_ line: String) { write(Array(line.utf8)) }

  func write(_ line: [UInt8]) {
    var rest = (line + [0x0A])[...]
    while !rest.isEmpty {
      let count =
        source.chance(oneIn: 3) ? Int.random(in: 1...rest.count, using: &source.random) : rest.count
      let piece = Array(rest.prefix(count))
      rest = rest.dropFirst(count)
      lastSent = max(
        lastSent, world.now + .milliseconds(source.isHealed ? 1 : .random(in: 0...30, using: &source.random)))
      world.schedule(at: lastSent) { [weak self] in
        guard let self, isAlive else { return }
        loop.post { [weak self] in self?.deliver(piece) }
      }
    }
  }

  private func deliver(_ bytes: [UInt8]) {
    var messages: [UpstreamMessage] = []
    var flaws = 0
    lines.read(bytes) { message in
      switch message {
      case .success(let message): messages.append(message)
      case .failure: flaws += 1
      }
    }
    for message in messages where isAlive { onMessage(message) }
    mistakes += flaws
    if isAlive, mistakes > Self.mistakeLimit { end("too many of its lines are invalid") }
  }

  /// Ends, before what it wrote last is read or after that.
  func die() {
    guard isAlive else { return }
    if !unstored.isEmpty { world.count(.sourceDeath) }
    let when = Bool.random(using: &source.random) ? world.now : max(world.now, lastSent)
    credit = 0
    stalledUntil = .seconds(1_000_000)
    world.schedule(at: when) { [weak self] in
      self?.loop.post { [weak self] in self?.end("it died") }
    }
  }

  private func end(_ how: String) {
    guard isAlive else { return }
    isAlive = false
    onEnd(UpstreamEnd(reason: how))
  }

  /// Does nothing for a while.
  func stall(_ time: Duration) { stalledUntil = max(stalledUntil, world.now + time) }
}
