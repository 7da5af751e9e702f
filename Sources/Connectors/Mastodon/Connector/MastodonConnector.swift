internal import ConnectorSupport
package import Dates
internal import HTTPSupport
internal import Ingest
internal import Posts

/// The program that speaks for logins at servers of Mastodon's kind, as a value: lines, responses and streams go in;
/// lines, requests and secrets to keep come out.
///
/// Where it is in each timeline is stored by the daemon, in the transaction of the posts it stands for. Only secrets
/// are kept on its own disk.
package struct MastodonConnector {
  /// The most logins.
  static let loginLimit = 1_000

  /// What a request is for.
  private enum Purpose {
    case login(String, LoginQuestion, epoch: Int)
    case desk(SignInDesk.Question)
  }

  private let parser = JSONParser()
  private var logins: [String: Login] = [:]
  private var fetches: [Int: Purpose] = [:]
  private var streams: [Int: String] = [:]
  private var streamNumbers: [String: Int] = [:]
  private var desk: SignInDesk
  private var commands: [Int: SignInDesk.Command] = [:]
  /// The logins that an event concerns, and the times at which the others have something to do.
  private var concerned: Set<String> = []
  private var due = DueLogins()
  /// The doubtful statuses of batches that are not answered, by the batch's number, and with the epoch of their login.
  private var doubts: [Int: (epoch: Int, ids: [String])] = [:]
  /// The epochs of the logins whose records are in batches that are not answered, by the batch's number.
  private var records: [Int: Int] = [:]
  /// Wishes that came before the logins.
  private var earlyWishes: [Wish] = []
  private var olderWants: [String: String] = [:]
  /// The logins of posts that people want, and the wants that are answered when a batch is stored.
  private var wants: [String: String] = [:]
  private var settled: [Int: [String]] = [:]
  private var batches = BatchQueue()
  /// True if more waited for the daemon than it stores when the last event was handled.
  private var wasFull = false
  private let markers: LoginMarkers.Direction
  private var generator: DigestGenerator
  private var isReady = false
  private var lastNumber = 0
  private var effects: [Effect] = []
  /// The daemon's time minus ours, in milliseconds.
  private var offset: Int64 = 0
  /// The daemon's time.
  private var now = Instant(milliseconds: 0)

  /// A connector that says hello.
  ///
  /// - Parameters:
  ///   - seed: 32 bytes that nobody can guess.
  ///   - markers: the ways in which reading positions go.
  package init(secrets: Secrets, seed: [UInt8], markers: LoginMarkers.Direction) {
    (self.markers, generator) = (markers, DigestGenerator(seed: seed))
    desk = SignInDesk(secrets: secrets, parser: parser)
    effects = [.write(MastodonLine.hello(markers))]
  }

  /// Handles an event and returns the effects to carry out, in order.
  package mutating func handle(_ input: Input, at time: Instant) -> [Effect] {
    now = time.adding(milliseconds: offset)
    switch input {
    case .line(let line): read(line, at: time)
    case .lineTooLong: effects.append(.log("a line of the daemon is too long; ignored"))
    case .fetched(let number, let result): fetched(number, result)
    case .streamOpened(let number, let status):
      change(streams[number]) { [now] in $0.streamOpened(status: status, at: now, using: &$1) }
    case .streamConnected(let number): change(streams[number]) { $0.streamConnected(using: &$1) }
    case .streamReceived(let number, let bytes):
      change(streams[number]) { [now] in $0.streamReceived(bytes, at: now, using: &$1) }
    case .streamEnded(let number, let reason):
      guard let name = streams.removeValue(forKey: number) else { break }
      streamNumbers[name] = nil
      change(name) { [now] in $0.streamEnded(reason, at: now, using: &$1) }
    case .ran(let number, let result): ran(number, result)
    case .time: break
    }
    proceed()
    defer { effects = [] }
    return effects
  }

  /// The time at which ``handle(_:at:)`` is to be called with ``Input/time``; nil for none.
  package func deadline(after time: Instant) -> Instant? {
    guard isReady else { return nil }
    return [due.next, desk.deadline, batches.deadline].compactMap(\.self).min()
      .map { $0.adding(milliseconds: -offset) }
  }

  private mutating func proceed() {
    carryOutDesk()
    guard isReady else { return }
    concerned.formUnion(due.take(at: now))
    // All that were held back go on.
    if wasFull, !batches.isFull { concerned.formUnion(logins.keys) }
    for name in concerned.sorted() {
      change(name) { [now] login, generator in
        login.passTime(at: now, using: &generator)
        login.proceed(at: now)
      }
      due.set(name, to: logins[name]?.deadline(after: now))
    }
    concerned = []
    wasFull = batches.isFull
    desk.expire(at: now)
    for line in batches.lines(at: now) { effects.append(.write(line)) }
    answerOlderWants()
  }

  /// Changes a login, and carries out what it wants. Does nothing if there is none with this name.
  private mutating func change(_ name: String?, _ body: (inout Login, inout DigestGenerator) -> Void) {
    // Taken out of the table, so that it is not copied.
    guard let name, var login = logins.removeValue(forKey: name) else { return }
    login.isPaused = batches.isFull
    body(&login, &generator)
    let wanted = login.takeEffects()
    logins[name] = login
    concerned.insert(name)
    for effect in wanted { carryOut(effect, of: name) }
  }

  // MARK: - Lines

  private mutating func read(_ bytes: [UInt8], at time: Instant) {
    guard let line = DaemonMessage(bytes, parser: parser) else {
      effects.append(.log("a line of the daemon cannot be read; ignored"))
      return
    }
    switch line {
    case .login(let name, let cursors, let keepsBookmarks):
      desk.confirm(name, isStarting: !isReady)
      add(name, cursors, keepsBookmarks: keepsBookmarks)
    case .gone(let name):
      desk.forget(name)
      remove(name)
    case .ready(let daemon, let credit):
      offset = daemon.milliseconds - time.milliseconds
      now = daemon
      desk.dropUnconfirmed()
      batches.setCredit(credit)
      isReady = true
      for name in logins.keys.sorted() { start(name) }
      for wish in earlyWishes { add(wish, wish.id) }
      earlyWishes = []
    case .did(let number, let answer): answered(number, answer)
    case .read(let name, let list, let posts):
      change(name) { [now] login, _ in login.side.read(list, posts, at: now) }
    case .looking(let name): change(name) { [now] login, _ in login.side.look(at: now) }
    case .want(let id, let want): self.want(id, want)
    case .part(let id, let bytes): change(wants[id]) { login, _ in login.side.append(bytes, to: id) }
    case .command(let id, let wish): add(wish, id)
    case .unrecognised: break
    }
  }

  private mutating func add(_ name: String, _ cursors: [String: String], keepsBookmarks: Bool) {
    let address = desk.secrets.tokens[name].flatMap { WebURL($0.server) } ?? ServerAddress(name)?.url
    guard let address, logins.count < Self.loginLimit || logins[name] != nil else {
      effects.append(.log("\(name.shortened) is not a login that can be read"))
      return
    }
    remove(name)
    lastNumber += 1
    logins[name] = Login(
      name: name, server: MastodonServer(url: address), cursors: cursors, epoch: lastNumber,
      lastBatch: batches.lastNumber, markers: markers, keepsBookmarks: keepsBookmarks, parser: parser)
    countServers()
    if isReady { start(name) }
  }

  /// Has a login begin, unless a command is yet to print its token.
  private mutating func start(_ name: String) {
    guard !desk.isWaiting(for: name) else {
      let status = ConnectorStatus(.connecting, since: now, reason: "waiting for the command that prints the token")
      return change(name) { login, _ in login.report.tell(status) }
    }
    let (token, reason) = (desk.secrets.tokens[name]?.usable, desk.commandFailures[name] ?? "not signed in")
    change(name) { [now] login, _ in login.start(with: token, otherwise: reason, at: now) }
  }

  private mutating func remove(_ name: String) {
    change(name) { login, _ in login.side.end("the login is gone") }
    logins[name] = nil
    closeStream(of: name)
    countServers()
  }

  /// Tells each login whether it is the only one at its server.
  private mutating func countServers() {
    let counts = Dictionary(logins.values.map { ($0.server.host, 1) }) { $0 + $1 }
    for (name, login) in logins { logins[name]?.isAlone = counts[login.server.host] == 1 }
  }

  private mutating func answered(_ number: String, _ answer: BatchAnswer) {
    guard let batch = batches.answered(number, isDone: answer != .again, at: now), answer != .again else { return }
    for id in settled.removeValue(forKey: batch.number) ?? [] { effects.append(.write(ConnectorLine.answer(id))) }
    // Answers to batches of an earlier login are no news for one that follows under its name.
    let epoch = logins[batch.subject]?.firstEpoch
    let record = records.removeValue(forKey: batch.number)
    let isRecord = record != nil && record == epoch
    let doubt = doubts.removeValue(forKey: batch.number)
    change(batch.subject) { [now, last = batches.lastNumber] login, _ in
      switch answer {
      case .again: break
      case .refused(let reason):
        if isRecord { login.recorded(false) }
        login.refused(batch, reason, last: last, at: now)
      case .stored(let refused, let have):
        if isRecord { login.recorded(true) }
        login.stored(batch, refused: refused.sorted { $0.key < $1.key }.map(\.value), at: now)
        guard let doubt, doubt.epoch == epoch else { return }
        login.side.lookUp(doubt.ids.filter { have.contains(MastodonStatus.alias($0, host: login.server.host)) })
      }
    }
  }

  /// Takes a command; nil if it is not one that this program carries out.
  private mutating func add(_ wish: Wish?, _ id: String) {
    guard let wish else { return effects.append(.write(ConnectorLine.answer(id, refusal: "unknown command"))) }
    guard isReady else {
      if earlyWishes.count < LoginWriter.queueLimit { earlyWishes.append(wish) }
      return
    }
    guard logins[wish.login] != nil else {
      let reason =
        wish.login.isEmpty
        ? "\(wish.account.shortened) has no login at a server; sign in with: stack-client login"
        : "\(wish.login.shortened) is signed out; sign in with: stack-client login \(wish.login.shortened)"
      return effects.append(.write(ConnectorLine.answer(id, refusal: reason)))
    }
    change(wish.login) { [now] login, _ in login.add(wish, at: now) }
  }

  // MARK: - What logins want

  private mutating func carryOut(_ effect: Login.Effect, of name: String) {
    switch effect {
    case .ask(let question, let epoch, let request): fetch(request, for: .login(name, question, epoch: epoch))
    case .openStream(let request): effects.append(.openStream(nextStream(of: name), request))
    case .openSocket(let request): effects.append(.openSocket(nextStream(of: name), request))
    case .sendBytes(let bytes): if let number = streamNumbers[name] { effects.append(.send(number, bytes)) }
    case .closeStream: closeStream(of: name)
    case .send(let items, let cursors):
      let usable = items.filter { $0.count <= BatchQueue.itemBytes }
      batches.add(usable, cursors, of: .login(name))
      let reasons = Array(repeating: "longer than a line can be", count: items.count - usable.count)
      if !reasons.isEmpty { change(name) { [now] login, _ in login.report.noteLoss(reasons, at: now) } }
    case .doubt(let ids):
      guard let login = logins[name] else { return }
      let items = ids.map { LoginItem.doubt(MastodonStatus.alias($0, host: login.server.host)) }
      doubts[batches.add(items, of: .login(name))] = (login.firstEpoch, ids)
    case .store(let cursors): records[batches.add([], cursors, of: .login(name))] = logins[name]?.firstEpoch
    case .answer(let wish, let answer): effects.append(.write(MastodonLine.answer(wish, answer)))
    case .answerWant(let id, let refusal):
      guard wants.removeValue(forKey: id) != nil else { return }
      if refusal == nil, !batches.isEmpty { return settled[batches.lastNumber, default: []].append(id) }
      effects.append(.write(ConnectorLine.answer(id, refusal: refusal)))
    case .takeParts(let id, let count): effects.append(.write(MastodonLine.more(id, parts: count)))
    case .uploaded(let id, let media):
      if wants.removeValue(forKey: id) != nil { effects.append(.write(MastodonLine.answer(id, media))) }
    case .warn(let words): change(name) { [now] login, _ in login.report.warn(words, at: now) }
    case .log(let words): effects.append(.log("\(name): \(words)"))
    case .tell(let status): effects.append(.write(ConnectorLine.status(.login(name), status)))
    }
  }

  private mutating func fetch(_ request: FetchRequest, for purpose: Purpose) {
    lastNumber += 1
    fetches[lastNumber] = purpose
    effects.append(.fetch(lastNumber, request))
  }

  private mutating func nextStream(of name: String) -> Int {
    lastNumber += 1
    streams[lastNumber] = name
    streamNumbers[name] = lastNumber
    return lastNumber
  }

  private mutating func closeStream(of name: String) {
    guard let number = streamNumbers.removeValue(forKey: name) else { return }
    streams[number] = nil
    effects.append(.closeStream(number))
  }

  // MARK: - Responses

  private mutating func fetched(_ number: Int, _ result: Result<FetchResponse, FetchFailure>) {
    switch fetches.removeValue(forKey: number) {
    case .login(let name, let question, let epoch):
      change(name) { [now] in $0.answered(question, epoch: epoch, result, at: now, using: &$1) }
    case .desk(let question): desk.answered(question, result)
    case nil: break
    }
  }

  private mutating func ran(_ number: Int, _ result: Result<[UInt8], CommandFailure>) {
    guard let command = commands.removeValue(forKey: number), let name = desk.ran(command, result) else { return }
    if isReady { start(name) }
  }

  // MARK: - Wants

  private mutating func want(_ id: String, _ want: DaemonMessage.Want) {
    func refuse(_ reason: String) { effects.append(.write(ConnectorLine.answer(id, refusal: reason))) }
    switch want {
    case .signIn(let address, let account, let port, let isReadOnly, let command):
      guard let server = ServerAddress(address) else {
        return refuse("not a server: \(address.shortened); write it as in ann@social.example")
      }
      let wish = SignIn.Wish(address: server, port: port, isReadOnly: isReadOnly, command: command)
      desk.begin(wish, for: id, of: account, at: now, using: &generator)
    case .finishSignIn(let number, let code): desk.finish(number, code: code, for: id)
    case .signOut(let name): if desk.signOut(name, for: id) { remove(name) }
    case .older(let name, let older, let newer):
      var isFound = false
      change(name) { [now] login, _ in isFound = login.fill(older: older, newer: newer, at: now) }
      guard isFound else { return refuse("nothing is known to be missing there") }
      olderWants[id] = name
    case .posts(let name, let subject, let isUnasked):
      guard logins[name]?.isFailing == false else { return refuse("the server cannot be reached now") }
      wants[id] = name
      change(name) { login, _ in login.side.want(id, subject, isUnasked: isUnasked) }
    case .upload(let name, let file):
      guard logins[name]?.isFailing == false else { return refuse("the server cannot be reached now") }
      wants[id] = name
      change(name) { login, generator in
        let boundary = (0..<32).map { _ in Character(String(UInt8.random(in: 0...15, using: &generator), radix: 16)) }
        login.side.upload(id, file, boundary: String(boundary))
      }
    case .nothing:
      if desk.drop(id) { return refuse("the attempt to sign in was dropped") }
      guard let name = wants[id] else { return }
      var isPending = false
      change(name) { login, _ in isPending = login.side.drop(id) }
      // The daemon has few files under way at a time; this one still is.
      if isPending { return }
      wants[id] = nil
      effects.append(.write(ConnectorLine.answer(id)))
    case .other(let word): refuse("unknown want: \(word.shortened)")
    }
  }

  /// Answers those for whom the pages of a gap have been read, and are stored.
  private mutating func answerOlderWants() {
    for (id, name) in olderWants.sorted(by: { $0.key < $1.key }) {
      guard let login = logins[name], !login.isFailing else {
        olderWants[id] = nil
        effects.append(.write(ConnectorLine.answer(id, refusal: "the server cannot be reached now")))
        continue
      }
      guard login.isAtRest, batches.isEmpty else { continue }
      olderWants[id] = nil
      effects.append(.write(ConnectorLine.answer(id)))
    }
  }

  private mutating func carryOutDesk() {
    for effect in desk.takeEffects() {
      switch effect {
      case .ask(let question, let request): fetch(request, for: .desk(question))
      case .run(let purpose, let command):
        lastNumber += 1
        commands[lastNumber] = purpose
        effects.append(.run(lastNumber, command))
      case .stop(let command):
        guard let number = commands.first(where: { $0.value == command })?.key else { continue }
        commands[number] = nil
        effects.append(.stop(number))
      case .write(let line): effects.append(.write(line))
      case .save(let secrets): effects.append(.save(secrets))
      case .log(let words): effects.append(.log(words))
      }
    }
  }
}
