internal import ConnectorSupport
package import Dates
package import HTTPSupport
internal import Ingest
internal import Posts

/// The program that speaks for logins at servers of Mastodon's kind, as a value: lines, responses and streams go in;
/// lines, requests and secrets to keep come out.
///
/// Where it is in each timeline is stored by the daemon, in the transaction of the posts it stands for. Only secrets
/// are kept on its own disk.
package struct MastodonConnector {
  /// An event.
  package enum Input {
    /// A line from the daemon, without its end.
    case line([UInt8])
    /// A line from the daemon that is too long.
    case lineTooLong
    /// The end of a ``Effect/fetch(_:_:)``.
    case fetched(Int, Result<FetchResponse, FetchFailure>)
    /// The header of a stream is here.
    case streamOpened(Int, status: Int)
    /// A connection of a ``Effect/openSocket(_:_:)`` is there.
    case streamConnected(Int)
    case streamReceived(Int, [UInt8])
    case streamEnded(Int, String)
    /// The deadline was reached.
    case time
  }

  /// An action for the owner to carry out.
  package enum Effect {
    /// Writes a line to the daemon.
    case write([UInt8])
    case fetch(Int, FetchRequest)
    case openStream(Int, FetchRequest)
    /// Opens a connection to the server of an address, by which bytes come and go.
    case openSocket(Int, FetchRequest)
    case send(Int, [UInt8])
    case closeStream(Int)
    /// Keeps the secrets, before anything else is done.
    case save(Secrets)
    /// Writes a line to the daemon's log.
    case log(String)
  }

  /// The most logins, and people who are signing in at the same time.
  static let loginLimit = 1_000
  static let signInLimit = 16

  /// What a request is for.
  private enum Purpose {
    case login(String, LoginQuestion, epoch: Int)
    case signIn(String, want: String)
    case signOut(String, want: String)
  }

  private let parser = JSONParser()
  private var logins: [String: Login] = [:]
  private var fetches: [Int: Purpose] = [:]
  private var streams: [Int: String] = [:]
  private var streamNumbers: [String: Int] = [:]
  private var signIns: [String: SignIn] = [:]
  /// The doubtful statuses of batches that are not answered, by the batch's number.
  private var doubts: [String: (login: String, ids: [String])] = [:]
  /// The logins whose cursors are in batches that are not answered, by the batch's number.
  private var stores: [String: String] = [:]
  /// Wishes that came before the logins.
  private var earlyWishes: [Wish] = []
  private var olderWants: [String: String] = [:]
  /// The logins of posts that people want, and the wants that are answered when a batch is stored.
  private var wants: [String: String] = [:]
  private var settled: [Int: [String]] = [:]
  private var batches = BatchQueue()
  private let markers: LoginMarkers.Direction
  private var secrets: Secrets
  private var generator: DigestGenerator
  private var isReady = false
  private var lastNumber = 0
  private var effects: [Effect] = []
  /// The daemon's time minus ours, in milliseconds.
  private var offset: Int64 = 0

  /// A connector that says hello.
  ///
  /// - Parameters:
  ///   - seed: 32 bytes that nobody can guess.
  ///   - markers: the ways in which reading positions go.
  package init(secrets: Secrets, seed: [UInt8], markers: LoginMarkers.Direction) {
    (self.secrets, self.markers, generator) = (secrets, markers, DigestGenerator(seed: seed))
    effects = [.write(MastodonLine.hello(markers))]
  }

  /// Handles an event and returns the effects to carry out, in order.
  package mutating func handle(_ input: Input, at time: Instant) -> [Effect] {
    let now = time.adding(milliseconds: offset)
    switch input {
    case .line(let line): read(line, at: time)
    case .lineTooLong: effects.append(.log("a line of the daemon is too long; ignored"))
    case .fetched(let number, let result): fetched(number, result, at: now)
    case .streamOpened(let number, let status):
      change(streams[number]) { $0.streamOpened(status: status, at: now, using: &$1) }
    case .streamConnected(let number): change(streams[number]) { $0.streamConnected(using: &$1) }
    case .streamReceived(let number, let bytes):
      change(streams[number]) { $0.streamReceived(bytes, at: now, using: &$1) }
    case .streamEnded(let number, let reason):
      guard let name = streams.removeValue(forKey: number) else { break }
      streamNumbers[name] = nil
      change(name) { $0.streamEnded(reason, at: now, using: &$1) }
    case .time: break
    }
    proceed(at: time.adding(milliseconds: offset))
    defer { effects = [] }
    return effects
  }

  /// The time at which ``handle(_:at:)`` is to be called with ``Input/time``; nil for none.
  package func deadline(after time: Instant) -> Instant? {
    guard isReady else { return nil }
    let now = time.adding(milliseconds: offset)
    var times = logins.values.compactMap { $0.deadline(after: now, isPaused: batches.isFull) }
    times += signIns.values.map(\.expiry)
    if let time = batches.deadline { times.append(time) }
    return times.min().map { $0.adding(milliseconds: -offset) }
  }

  private mutating func proceed(at now: Instant) {
    guard isReady else { return }
    for name in logins.keys.sorted() {
      change(name) { [isFull = batches.isFull] login, generator in
        login.passTime(at: now, using: &generator)
        if !isFull { login.ask(at: now) }
      }
    }
    for (number, signIn) in signIns where signIn.expiry <= now { signIns[number] = nil }
    for line in batches.lines(at: now) { effects.append(.write(line)) }
    answerOlderWants()
  }

  /// Changes a login, and carries out what it wants. Does nothing if there is none with this name.
  private mutating func change(_ name: String?, _ body: (inout Login, inout DigestGenerator) -> Void) {
    // Taken out of the table, so that it is not copied.
    guard let name, var login = logins.removeValue(forKey: name) else { return }
    body(&login, &generator)
    let wanted = login.takeEffects()
    logins[name] = login
    for effect in wanted { carryOut(effect, of: name) }
  }

  // MARK: - Lines

  private mutating func read(_ bytes: [UInt8], at time: Instant) {
    guard let line = DaemonMessage(bytes, parser: parser) else {
      effects.append(.log("a line of the daemon cannot be read; ignored"))
      return
    }
    let now = time.adding(milliseconds: offset)
    switch line {
    case .login(let name, let cursors): add(name, cursors, at: now)
    case .gone(let name): remove(name)
    case .ready(let daemon, let credit):
      offset = daemon.milliseconds - time.milliseconds
      batches.setCredit(credit)
      isReady = true
      for name in logins.keys.sorted() { change(name) { login, _ in login.start(at: daemon) } }
      for wish in earlyWishes { add(wish, wish.id, at: daemon) }
      earlyWishes = []
    case .did(let number, let answer): answered(number, answer, at: now)
    case .read(let name, let list, let posts): change(name) { login, _ in login.side.read(list, posts, at: now) }
    case .looking(let name): change(name) { login, _ in login.side.look(at: now) }
    case .want(let id, let want): self.want(id, want, at: now)
    case .command(let id, let wish): add(wish, id, at: now)
    case .unrecognised: break
    }
  }

  private mutating func add(_ name: String, _ cursors: [String: String], at now: Instant) {
    let token = secrets.tokens[name]
    let address = token.flatMap { WebURL($0.server) } ?? ServerAddress(name)?.url
    guard let address, logins.count < Self.loginLimit || logins[name] != nil else {
      effects.append(.log("\(name.shortened) is not a login that can be read"))
      return
    }
    remove(name)
    lastNumber += 1
    logins[name] = Login(
      name: name, server: MastodonServer(url: address, token: token?.token), cursors: cursors, epoch: lastNumber,
      markers: markers, parser: parser)
    countServers()
    if isReady { change(name) { login, _ in login.start(at: now) } }
  }

  private mutating func remove(_ name: String) {
    change(name) { login, _ in login.side.interrupt("the login is gone") }
    logins[name] = nil
    // Answers to its batches are no news for a login that follows under the name.
    stores = stores.filter { $0.value != name }
    doubts = doubts.filter { $0.value.login != name }
    closeStream(of: name)
    countServers()
  }

  /// Tells each login whether it is the only one at its server.
  private mutating func countServers() {
    let counts = Dictionary(logins.values.map { ($0.server.host, 1) }) { $0 + $1 }
    for (name, login) in logins { logins[name]?.isAlone = counts[login.server.host] == 1 }
  }

  private mutating func answered(_ number: String, _ answer: BatchAnswer, at now: Instant) {
    guard let batch = batches.answered(number, isDone: answer != .again, at: now) else { return }
    if answer != .again {
      for id in settled.removeValue(forKey: batch.number) ?? [] { effects.append(.write(ConnectorLine.answer(id))) }
    }
    switch answer {
    case .again: break
    case .refused(let reason):
      change(stores.removeValue(forKey: number)) { login, _ in login.stored(false) }
      doubts[number] = nil
      effects.append(.log("\(batch.subject): the daemon refused posts: \(reason.shortened)"))
    case .stored(_, let have):
      change(stores.removeValue(forKey: number)) { login, _ in login.stored(true) }
      guard let (name, ids) = doubts.removeValue(forKey: number), let host = logins[name]?.server.host else { return }
      let here = ids.filter { have.contains(MastodonStatus.alias($0, host: host)) }
      change(name) { login, _ in login.side.lookUp(here) }
    }
  }

  /// Takes a command; nil if it is not one that this program carries out.
  private mutating func add(_ wish: Wish?, _ id: String, at now: Instant) {
    guard let wish else { return effects.append(.write(ConnectorLine.answer(id, refusal: "unknown command"))) }
    guard isReady else {
      if earlyWishes.count < LoginWriter.queueLimit { earlyWishes.append(wish) }
      return
    }
    guard logins[wish.login] != nil else {
      let reason = "\(wish.account.shortened) has no login at a server; sign in with: stack-client login"
      return effects.append(.write(ConnectorLine.answer(id, refusal: reason)))
    }
    change(wish.login) { login, _ in login.add(wish, at: now) }
  }

  // MARK: - What logins want

  private mutating func carryOut(_ effect: Login.Effect, of name: String) {
    switch effect {
    case .ask(let question, let epoch, let request): fetch(request, for: .login(name, question, epoch: epoch))
    case .openStream(let request): effects.append(.openStream(nextStream(of: name), request))
    case .openSocket(let request): effects.append(.openSocket(nextStream(of: name), request))
    case .sendBytes(let bytes): if let number = streamNumbers[name] { effects.append(.send(number, bytes)) }
    case .closeStream: closeStream(of: name)
    case .send(let items, let cursors): batches.add(items, cursors, of: .login(name))
    case .doubt(let ids):
      guard let host = logins[name]?.server.host else { return }
      let items = ids.map { LoginItem.doubt(MastodonStatus.alias($0, host: host)) }
      let number = batches.add(items, of: .login(name))
      doubts[String(number)] = (name, ids)
    case .store(let cursors): stores[String(batches.add([], cursors, of: .login(name)))] = name
    case .answer(let wish, let answer): effects.append(.write(MastodonLine.answer(wish, answer)))
    case .answerWant(let id, let refusal):
      guard wants.removeValue(forKey: id) != nil else { return }
      if refusal == nil, !batches.isEmpty { return settled[batches.lastNumber, default: []].append(id) }
      effects.append(.write(ConnectorLine.answer(id, refusal: refusal)))
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

  private mutating func fetched(_ number: Int, _ result: Result<FetchResponse, FetchFailure>, at now: Instant) {
    switch fetches.removeValue(forKey: number) {
    case .login(let name, let question, let epoch):
      change(name) { $0.answered(question, epoch: epoch, result, at: now, using: &$1) }
    case .signIn(let number, let id):
      guard var signIn = signIns[number] else {
        effects.append(.write(ConnectorLine.answer(id, refusal: "it took too long; sign in again from the beginning")))
        return
      }
      let step = signIn.answered(result)
      signIns[number] = signIn
      take(step, of: number, for: id, at: now)
    case .signOut(let name, let id):
      let isConfirmed = ServerAnswer(result, parser: parser) == .done
      if !isConfirmed { effects.append(.log("\(name): the server did not confirm that the token is revoked")) }
      effects.append(.write(MastodonLine.answer(id, isConfirmed: isConfirmed)))
    case nil: break
    }
  }

  // MARK: - Wants

  private mutating func want(_ id: String, _ want: DaemonMessage.Want, at now: Instant) {
    func refuse(_ reason: String) { effects.append(.write(ConnectorLine.answer(id, refusal: reason))) }
    switch want {
    case .signIn(let address, let port, let isReadOnly):
      guard let server = ServerAddress(address) else {
        return refuse("not a server: \(address.shortened); write it as in ann@social.example")
      }
      beginSignIn(id, SignIn.Wish(address: server, port: port, isReadOnly: isReadOnly), at: now)
    case .finishSignIn(let number, let code):
      guard var signIn = signIns[number] else { return refuse("it took too long; sign in again from the beginning") }
      let step = signIn.finish(code: code)
      signIns[number] = signIn
      take(step, of: number, for: id, at: now)
    case .signOut(let name): signOut(id, name)
    case .older(let name, let older, let newer):
      var isFound = false
      change(name) { login, _ in isFound = login.fill(older: older, newer: newer, at: now) }
      guard isFound else { return refuse("nothing is known to be missing there") }
      olderWants[id] = name
    case .posts(let name, let subject):
      guard logins[name]?.isFailing == false else { return refuse("the server cannot be reached now") }
      wants[id] = name
      change(name) { login, _ in login.side.want(id, subject) }
    case .nothing:
      guard let name = wants.removeValue(forKey: id) else { return }
      change(name) { login, _ in login.side.drop(id) }
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

  private mutating func beginSignIn(_ id: String, _ wish: SignIn.Wish, at now: Instant) {
    guard signIns.count < Self.signInLimit else {
      effects.append(.write(ConnectorLine.answer(id, refusal: "too many people are signing in; try again later")))
      return
    }
    let bytes = (0..<48).map { _ in UInt8.random(in: 0...255, using: &generator) }
    let servers = Set(secrets.tokens.values.map(\.server))
    let signIn = SignIn(wish, knownServers: servers, randomBytes: bytes, now: now, parser: parser)
    lastNumber += 1
    let number = "s\(lastNumber)"
    signIns[number] = signIn
    fetch(signIn.begin, for: .signIn(number, want: id))
  }

  private mutating func take(_ step: SignIn.Step, of number: String, for id: String, at now: Instant) {
    switch step {
    case .ask(let request): fetch(request, for: .signIn(number, want: id))
    case .send(let url):
      effects.append(.write(MastodonLine.answer(id, signIn: number, url: url)))
    case .done(let name, let token, let author):
      signIns[number] = nil
      secrets.tokens[name] = token
      effects.append(.save(secrets))
      effects.append(.write(MastodonLine.answer(id, login: name, author: author)))
      // One that was signed out goes on where it was.
      if let known = logins[name] { add(name, known.cursors, at: now) }
    case .failed(let reason):
      signIns[number] = nil
      effects.append(.write(ConnectorLine.answer(id, refusal: reason)))
    }
  }

  /// Removes the token at once, and asks the server to revoke it (RFC 7009).
  private mutating func signOut(_ id: String, _ name: String) {
    guard let token = secrets.tokens.removeValue(forKey: name), let url = WebURL(token.server) else {
      effects.append(.write(ConnectorLine.answer(id)))
      return
    }
    effects.append(.save(secrets))
    remove(name)
    let form = [("client_id", token.id), ("client_secret", token.secret), ("token", token.token)]
    fetch(MastodonServer(url: url).post("/oauth/revoke", form), for: .signOut(name, want: id))
  }
}
