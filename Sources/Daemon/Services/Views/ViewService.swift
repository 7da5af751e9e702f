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
  /// Maximum size of a request with a layout, in bytes: the largest table of advances, mostly in long runs, and a text
  /// to measure.
  private static let layoutLimitBytes = 384 * 1024
  /// The time in which the first frame of a stream must arrive, and the status otherwise.
  private static let hello = ServiceMethod.FirstMessage(
    within: .seconds(5), otherwise: Status(.deadlineExceeded, "no hello arrived within 5 s"))

  private let driver: EngineDriver
  private let zones: Zones
  private let signedOut: SignedOutViews
  private var fonts = SharedFonts()
  private let limits = EngineLimits()
  private let welcomeLimits: Welcome.Limits

  init(driver: EngineDriver, zones: Zones, signedOut: SignedOutViews, requestLimit: Int) {
    self.signedOut = signedOut
    self.driver = driver
    self.zones = zones
    var welcomeLimits = Welcome.Limits()
    welcomeLimits.requestBytes = requestLimit
    // The engine cuts frames far below this limit; a single row stays below it because posts do.
    welcomeLimits.responseBytes = ConnectionLimits().messages.sentBytes
    welcomeLimits.windowRows = limits.windows.rows
    welcomeLimits.panes = limits.sessions.panes
    welcomeLimits.stallTimeoutMilliseconds = Int(limits.frames.stallMilliseconds)
    self.welcomeLimits = welcomeLimits
  }

  var methods: [String: ServiceMethod] {
    [
      Method.attach: .viewerStream(messageLimitBytes: Self.layoutLimitBytes, firstMessage: Self.hello) {
        [unowned self] in
        attach($0, $1)
      },
      Method.watch: .viewerRequest(messageLimitBytes: Self.layoutLimitBytes) {
        [unowned self] call, bytes throws(Status) in
        try watch(call, bytes)
      },
      Method.moveViewport: .command(MoveViewportRequest.self, .view) {
        [unowned self] request, caller, answer in
        answer(move(request, caller.account))
      },
      Method.moveStack: .command(MoveStackRequest.self, .view) { [unowned self] request, caller, answer in
        slide(request, caller.account, answer)
      },
      Method.getRows: .command(
        GetRowsRequest.self, .view, messageLimitBytes: Self.layoutLimitBytes,
        responseBytes: ServiceMethod.longResponseBytes
      ) { [unowned self] request, caller, answer in
        rows(request, caller.account, answer)
      },
      Method.measure: .command(
        MeasureRequest.self, .view, messageLimitBytes: Self.layoutLimitBytes,
        responseBytes: ServiceMethod.longResponseBytes
      ) { [unowned self] request, caller, answer in
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

  private func attach(_ call: ServerCall, _ viewer: Viewer) {
    let account = viewer.account
    var id: ViewID?
    call.onMessage = { [weak self] call, bytes in
      guard let self else { return }
      attempt(call, id) {
        let frame = try ClientFrame(decoding: bytes)
        if let id { try receive(frame, id, call) } else { id = try open(frame, call, account) }
      }
    }
    call.onInterrupted = { [weak self] _, _ in self?.forget(id) }
    call.onHalfClose = { [weak self] call in self?.end(call, id, .ok) }
  }

  /// Runs `body`; an error ends the call and its view, if it has one.
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

  /// Decodes the request of a watch; the returned closure opens its view.
  private func watch(_ call: ServerCall, _ bytes: [UInt8]) throws(Status) -> (Viewer) -> Void {
    let request: WatchRequest
    do throws(DecodingFailure) {
      request = try WatchRequest(decoding: bytes)
    } catch {
      throw Status(error)
    }
    return { [weak self] viewer in
      guard let self, call.isOpen else { return }
      attempt(call, nil) {
        let id = try start(request.hello, call, viewer.account, acknowledges: false)
        call.onInterrupted = { [weak self] _, _ in self?.forget(id) }
      }
    }
  }

  private func open(
    _ frame: ClientFrame, _ call: ServerCall, _ account: AccountID?
  ) throws(EngineError) -> ViewID {
    guard case .hello(let hello) = frame else {
      throw EngineError(.failedPrecondition, "the first frame of a view must be hello")
    }
    return try start(hello, call, account, acknowledges: true)
  }

  /// Opens a view of an account, or of a signed-out client.
  private func start(
    _ hello: Hello, _ call: ServerCall, _ account: AccountID?, acknowledges: Bool
  ) throws(EngineError) -> ViewID {
    try SessionKey.check(hello.session, field: "hello.session")
    let zone = try zones.find(hello.layout.timeZone)
    let layout = account == nil ? SignedOutViews.stripped(hello.layout) : fonts.shared(hello.layout)
    let content = try PaneContent(hello.subject)
    let id = ViewID(driver.newNumber())
    if account == nil { try signedOut.admit(call) { [weak self] in self?.forget(id) } }
    let session = Self.session(of: account, hello.session, content)
    let opening = ViewOpening(
      session: session, layout: layout, zone: zone, viewport: hello.viewport, acknowledges: acknowledges,
      resume: account == nil ? nil : hello.resume)
    let stream = ViewStream(
      id: id, session: session, locale: .lookup(hello.layout.locale).locale, call: call, driver: driver,
      limits: welcomeLimits)
    driver.open(stream, opening)
    stream.begin()
    return id
  }

  /// Returns the session of a view. A signed-out client gets one without an account, which shows a launch pane.
  private static func session(of account: AccountID?, _ name: String, _ content: PaneContent?) -> SessionKey {
    guard let account else { return SessionKey(account: AccountID(0), name: "") }
    return content.map { SessionKey(account: account, showing: $0) } ?? SessionKey(account: account, name: name)
  }

  private func receive(_ frame: ClientFrame, _ id: ViewID, _ call: ServerCall) throws(EngineError) {
    switch frame {
    case .hello: throw EngineError(.failedPrecondition, "only the first frame of a view may be hello")
    case .viewport(let viewport): driver.updateClient(id) { $0.move(to: viewport) }
    case .layout(let layout):
      let zone = try zones.find(layout.timeZone)
      let shared = call.peer == .unknown ? SignedOutViews.stripped(layout) : fonts.shared(layout)
      driver.updateClient(id) { $0.relayout(shared, zone) }
    case .ack(let number): driver.updateClient(id) { $0.acknowledge(number) }
    case .bye: end(call, id, .ok)
    case .unknown: break
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
    driver.updateClient(id) { $0.move(to: request.viewport) }
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

  /// Returns the account's open view with this ID; nil if it has none.
  private func view(_ number: UInt64, of account: Account) -> ViewID? {
    let id = ViewID(number)
    return driver.account(of: id) == account.id ? id : nil
  }

  private static func noView(_ number: UInt64) -> EngineError {
    EngineError(.notFound, "there is no view \(number); the first frame of a stream carries its ID")
  }

  private func rows(
    _ request: GetRowsRequest, _ account: Account, _ answer: @escaping (Result<GetRowsResponse, EngineError>) -> Void
  ) {
    guard request.count <= limits.windows.rows else {
      let message = "count is \(request.count), but the maximum is \(limits.windows.rows)"
      return answer(.failure(EngineError(.invalidArgument, message, field: "count", limit: limits.windows.rows)))
    }
    do throws(EngineError) {
      var rows = RowsRequest(
        account: account.id, layout: fonts.shared(request.layout), zone: try zones.find(request.layout.timeZone))
      if let subject = request.subject { rows.subject = RowsRequest.Subject(subject) }
      rows.anchor = request.anchorRow == 0 ? nil : PostID(Int64(clamping: request.anchorRow))
      rows.anchorAt = request.anchorAtMilliseconds == 0 ? nil : Instant(milliseconds: request.anchorAtMilliseconds)
      rows.newer = request.direction == .up
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
  /// The engine's value for a request's direction.
  fileprivate init(_ direction: MoveStackRequest.Direction) {
    self = direction == .left ? .left : .right
  }
}

extension PaneContent {
  /// The content of a view that is attached to no session; nil for other views.
  ///
  /// - Throws: INVALID_ARGUMENT for an invalid search.
  fileprivate init?(_ subject: Subject?) throws(EngineError) {
    switch subject {
    case .section(let section): self.init(section)
    case .search(let words): try self.init(searching: words, field: "hello.subject.search")
    default: return nil
    }
  }
}

extension RowsRequest.Subject {
  /// The engine's value for a request's subject.
  fileprivate init(_ subject: Subject) {
    self =
      switch subject {
      case .section(let section): .section(section)
      case .post(let reference): .post(reference)
      case .conversation(let reference): .conversation(reference)
      case .author(let reference): .author(reference)
      case .list(let reference): .list(reference)
      case .search(let query): .search(query)
      case .direct(let group): .direct(AudienceGroupID(Int64(clamping: group)))
      }
  }
}
