internal import Dates
internal import Engine
internal import Messages
internal import Posts
internal import RPC
internal import Store
internal import ViewState

/// `stack.v1.ViewService`: live views, and rows for tools.
final class ViewService: Service {
  static let name = "stack.v1.ViewService"
  /// Bytes of a request with a layout: as many advances as there may be, most in long runs, and a text to measure.
  private static let layoutLimitBytes = 384 * 1024
  /// How long a client that opened a stream may take to say hello.
  private static let helloTimeout = Duration.seconds(5)
  /// Frames of a client that are kept while the daemon looks up who it is; one more ends the view.
  private static let earlyFrameLimit = 64

  private let driver: EngineDriver
  private let accounts: Accounts
  private let zones: Zones
  private let signedOut: SignedOutViews
  private var fonts = SharedFonts()
  private let limits = EngineLimits()
  private let welcomeLimits: Welcome.Limits

  init(driver: EngineDriver, accounts: Accounts, zones: Zones, signedOut: SignedOutViews, requestLimit: Int) {
    self.signedOut = signedOut
    self.driver = driver
    self.accounts = accounts
    self.zones = zones
    var welcomeLimits = Welcome.Limits()
    welcomeLimits.requestBytes = requestLimit
    // The engine cuts frames far below it; a single row stays below it because posts do.
    welcomeLimits.responseBytes = ConnectionLimits().messages.sentBytes
    welcomeLimits.windowRows = limits.windowRows
    welcomeLimits.panes = limits.panes
    welcomeLimits.stallTimeoutMilliseconds = Int(limits.stallMilliseconds)
    self.welcomeLimits = welcomeLimits
  }

  var methods: [String: ServiceMethod] {
    [
      Method.attach: .streaming(.viewOrSignedOut, messageLimitBytes: Self.layoutLimitBytes) { [unowned self] in
        attach($0)
      },
      Method.watch: .oneRequest(.viewOrSignedOut, isStream: true, messageLimitBytes: Self.layoutLimitBytes) {
        [unowned self] in
        watch($0, $1)
      },
      Method.moveViewport: .command(MoveViewportRequest.self, .view, accounts) {
        [unowned self] request, caller, answer in
        answer(move(request, caller.account))
      },
      Method.moveStack: .command(MoveStackRequest.self, .view, accounts) { [unowned self] request, caller, answer in
        slide(request, caller.account, answer)
      },
      Method.getRows: .command(GetRowsRequest.self, .view, messageLimitBytes: Self.layoutLimitBytes, accounts) {
        [unowned self] request, caller, answer in
        rows(request, caller.account, answer)
      },
      Method.measure: .command(MeasureRequest.self, .view, messageLimitBytes: Self.layoutLimitBytes, accounts) {
        [unowned self] request, caller, answer in
        var request = request
        request.layout = fonts.shared(request.layout)
        var response = MeasureResponse(measuring: request)
        let text = SafeText(request.text)
        response.weightedLength = WeightedLength.of(text)
        response.remaining = PostText.remaining(after: text, length: response.weightedLength, for: caller.account)
        answer(.success(response))
      },
    ]
  }

  // MARK: Streams

  private func attach(_ call: ServerCall) {
    var id: ViewID?
    /// What the client said after hello and before the daemon knew who it is; nil from then on.
    var early: [ClientFrame]? = []
    call.onMessage = { [weak self] call, bytes in
      guard let self else { return }
      attempt(call, id) {
        let frame = try ClientFrame(decoding: bytes)
        if id == nil {
          id = try open(frame, call) { [weak self] id in
            let frames = early ?? []
            early = nil
            self?.attempt(call, id) { for frame in frames { try self?.receive(frame, id, call) } }
          }
        } else if early == nil, let id {
          try receive(frame, id, call)
        } else {
          guard early!.count < Self.earlyFrameLimit else {
            throw EngineError(
              .resourceExhausted, "too much was said before the first frame; wait for it", limit: Self.earlyFrameLimit)
          }
          early!.append(frame)
        }
      }
    }
    call.expectMessage(within: Self.helloTimeout, or: Status(.deadlineExceeded, "no hello came within 5 s"))
    call.onInterrupted = { [weak self] _, _ in self?.forget(id) }
    call.onHalfClose = { [weak self] call in self?.end(call, id, .ok) }
  }

  /// Ends the call and its view, if it has one, with what `body` throws.
  private func attempt(_ call: ServerCall, _ id: ViewID?, _ body: () throws -> Void) {
    do {
      try body()
    } catch let failure as DecodingFailure {
      end(call, id, Status(failure))
    } catch let error as EngineError {
      end(call, id, Status(error))
    } catch {
      end(call, id, Status(.internal, "\(error)"))
    }
  }

  private func watch(_ call: ServerCall, _ bytes: [UInt8]) {
    attempt(call, nil) {
      let request = try WatchRequest(decoding: bytes)
      let id = try start(request.hello, call, acknowledges: false) { _ in }
      call.onInterrupted = { [weak self] _, _ in self?.forget(id) }
    }
  }

  private func open(
    _ frame: ClientFrame, _ call: ServerCall, _ onOpen: @escaping (ViewID) -> Void
  ) throws(EngineError) -> ViewID {
    guard case .hello(let hello) = frame else {
      throw EngineError(.failedPrecondition, "the first frame of a view is hello")
    }
    return try start(hello, call, acknowledges: true, onOpen)
  }

  /// Opens a view once it is known whose it is, which may be before this returns, and calls `onOpen` then.
  private func start(
    _ hello: Hello, _ call: ServerCall, acknowledges: Bool, _ onOpen: @escaping (ViewID) -> Void
  ) throws(EngineError) -> ViewID {
    try SessionKey.check(hello.session, field: "hello.session")
    let isSignedOut = call.peer == .unknown
    let zone = try zones.find(hello.layout.timeZone)
    let layout = isSignedOut ? SignedOutViews.stripped(hello.layout) : fonts.shared(hello.layout)
    let content = try PaneContent(hello.subject)
    let id = ViewID(driver.newNumber())
    if isSignedOut { try signedOut.admit(call) { [weak self] in self?.forget(id) } }
    findSession(of: call, hello.session, content) { [weak self] result in
      guard let self, call.isOpen else { return }
      switch result {
      case .failure(let error): call.finish(Status(error))
      case .success(let session):
        let opening = ViewOpening(
          session: session, layout: layout, zone: zone, viewport: hello.viewport, acknowledges: acknowledges,
          resume: isSignedOut ? nil : hello.resume)
        let stream = ViewStream(
          id: id, session: session, locale: .lookup(hello.layout.locale).locale, call: call, driver: driver,
          limits: welcomeLimits)
        driver.open(stream, opening)
        stream.begin()
        onOpen(id)
      }
    }
    return id
  }

  /// Which session a view is of. Who is signed out has one that is nobody's and shows a launch pane.
  private func findSession(
    of call: ServerCall, _ name: String, _ content: PaneContent?,
    _ answer: @escaping (Result<SessionKey, EngineError>) -> Void
  ) {
    if call.peer == .unknown { return answer(.success(SessionKey(account: AccountID(0), name: ""))) }
    accounts.find(call.peer) { found in
      answer(
        found.map { caller in
          content.map { SessionKey(account: caller.account.id, showing: $0) }
            ?? SessionKey(account: caller.account.id, name: name)
        })
    }
  }

  private func receive(_ frame: ClientFrame, _ id: ViewID, _ call: ServerCall) throws(EngineError) {
    switch frame {
    case .hello: throw EngineError(.failedPrecondition, "only the first frame of a view is hello")
    case .viewport(let viewport): driver.hear(id) { $0.move(to: viewport) }
    case .layout(let layout):
      let zone = try zones.find(layout.timeZone)
      let shared = call.peer == .unknown ? SignedOutViews.stripped(layout) : fonts.shared(layout)
      driver.hear(id) { $0.relayout(shared, zone) }
    case .ack(let number): driver.hear(id) { $0.acknowledge(number) }
    case .bye: end(call, id, .ok)
    }
  }

  private func end(_ call: ServerCall, _ id: ViewID?, _ status: Status) {
    forget(id)
    call.finish(status)
  }

  private func forget(_ id: ViewID?) {
    if let id { driver.close(id) }
  }

  // MARK: Unary

  private func move(_ request: MoveViewportRequest, _ account: Account) -> Result<EmptyMessage, EngineError> {
    guard let id = view(request.viewID, of: account) else { return .failure(Self.noView(request.viewID)) }
    driver.hear(id) { $0.move(to: request.viewport) }
    return .success(EmptyMessage())
  }

  private func slide(
    _ request: MoveStackRequest, _ account: Account,
    _ answer: @escaping (Result<MoveStackResponse, EngineError>) -> Void
  ) {
    guard let id = view(request.viewID, of: account) else { return answer(.failure(Self.noView(request.viewID))) }
    let command: SlideCommand =
      switch request.move {
      case .slide(let direction): .slide(SlideDirection(direction))
      case .drag(let end): .drag(pane: end.paneID, x: Int(end.x), direction: end.direction.map { SlideDirection($0) })
      case .reveal(let pane): .reveal(pane: pane)
      case .position(let position): .position(position)
      }
    driver.slide(id, command) { answer($0.map { MoveStackResponse(position: $0.position, hasMoved: $0.moved) }) }
  }

  /// An open view of an account; nil where that has none of this number.
  private func view(_ number: UInt64, of account: Account) -> ViewID? {
    let id = ViewID(number)
    return driver.account(of: id) == account.id ? id : nil
  }

  private static func noView(_ number: UInt64) -> EngineError {
    EngineError(.notFound, "there is no view \(number); the first frame of a stream tells its number")
  }

  private func rows(
    _ request: GetRowsRequest, _ account: Account, _ answer: @escaping (Result<GetRowsResponse, EngineError>) -> Void
  ) {
    guard request.count <= limits.windowRows else {
      let message = "count is \(request.count); at most \(limits.windowRows)"
      return answer(.failure(EngineError(.invalidArgument, message, field: "count", limit: limits.windowRows)))
    }
    do throws(EngineError) {
      var rows = RowsRequest(
        account: account.id, layout: fonts.shared(request.layout), zone: try zones.find(request.layout.timeZone))
      rows.subject = RowsRequest.Subject(request.subject)
      rows.anchor = request.anchorRow == 0 ? nil : PostID(Int64(clamping: request.anchorRow))
      rows.anchorAt = request.anchorAtMilliseconds == 0 ? nil : Instant(milliseconds: request.anchorAtMilliseconds)
      rows.newer = request.direction == .newer
      rows.filter = request.filter
      try SessionKey.check(request.session, field: "session")
      rows.session = request.session
      if request.count > 0 { rows.count = request.count }
      driver.rows(rows) { result in
        answer(
          result.map {
            GetRowsResponse(
              rows: $0.rows, revision: $0.revision, hasMore: $0.hasMore, labelsAtMilliseconds: $0.labelsAtMilliseconds,
              locale: Locale.lookup(request.layout.locale).locale.tag, indent: $0.indent)
          })
      }
    } catch {
      answer(.failure(error))
    }
  }
}

extension SlideDirection {
  /// As the engine has it.
  fileprivate init(_ direction: MoveStackRequest.Direction) {
    self = direction == .left ? .left : .right
  }
}

extension PaneContent {
  /// What a view shows that is attached to no session; nil for one that is. INVALID_ARGUMENT where a search is none.
  fileprivate init?(_ subject: Hello.Subject?) throws(EngineError) {
    switch subject {
    case .section(let section): self.init(section)
    case .search(let words): try self.init(searching: words, field: "hello.search")
    case nil: return nil
    }
  }
}

extension RowsRequest.Subject {
  /// As the engine has it.
  fileprivate init(_ subject: GetRowsRequest.Subject) {
    self =
      switch subject {
      case .timeline: .section(.timeline)
      case .section(let section): .section(section)
      case .post(let reference): .post(reference)
      case .conversation(let reference): .conversation(reference)
      case .author(let reference): .author(reference)
      case .list(let reference): .list(reference)
      case .search(let query): .search(query)
      case .direct(let circle): .direct(CircleID(Int64(clamping: circle)))
      }
  }
}
