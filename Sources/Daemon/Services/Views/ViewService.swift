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
  private let measurer: MeasureWorker
  private let zones: Zones
  private let signedOut: SignedOutViews
  private var fonts = SharedFonts()
  private let limits = EngineLimits()
  private let welcomeLimits: Welcome.Limits
  /// The sources that have a program.
  private let upstreams: Set<String>

  init(
    driver: EngineDriver, measurer: MeasureWorker, zones: Zones, signedOut: SignedOutViews, requestLimit: Int,
    upstreams: Set<String>
  ) {
    self.upstreams = upstreams
    self.signedOut = signedOut
    self.driver = driver
    self.measurer = measurer
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
        answer(move(request, caller))
      },
      Method.setPreview: .command(SetPreviewRequest.self, .view) { [unowned self] request, caller, answer in
        answer(preview(request, caller))
      },
      Method.moveStack: .queued(MoveStackRequest.self, .view) { [unowned self] request, caller, requester, answer in
        slide(request, caller, requester, answer)
      },
      Method.getRows: .queued(GetRowsRequest.self, .view, messageLimitBytes: Self.layoutLimitBytes) {
        [unowned self] request, _, requester, answer in
        rows(request, requester, answer)
      },
      Method.measure: .queued(MeasureRequest.self, .view, messageLimitBytes: Self.layoutLimitBytes) {
        [unowned self] request, caller, requester, answer in
        measure(request, caller, requester, answer)
      },
    ]
  }

  // MARK: Streams

  private func attach(_ call: ServerCall, _ viewer: Viewer) {
    var id: ViewID?
    call.onMessage = { [weak self] call, bytes in
      guard let self else { return }
      attempt(call, id) {
        let frame = try ClientFrame(decoding: bytes)
        if let id { try receive(frame, id, call) } else { id = try open(frame, call, viewer) }
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
        let id = try start(request.hello, call, viewer, acknowledges: false)
        call.onInterrupted = { [weak self] _, _ in self?.forget(id) }
      }
    }
  }

  private func open(
    _ frame: ClientFrame, _ call: ServerCall, _ viewer: Viewer
  ) throws(EngineError) -> ViewID {
    guard case .hello(let hello) = frame else {
      throw EngineError(.failedPrecondition, "the first frame of a view must be hello")
    }
    return try start(hello, call, viewer, acknowledges: true)
  }

  /// Opens a view of an account, or of a signed-out client.
  private func start(
    _ hello: Hello, _ call: ServerCall, _ viewer: Viewer, acknowledges: Bool
  ) throws(EngineError) -> ViewID {
    let account = viewer.account
    try SessionKey.check(hello.session, field: "hello.session")
    let zone = try zones.find(hello.layout.timeZone)
    let layout = try shared(hello.layout, for: account)
    let content = try PaneContent(hello.subject)
    let id = ViewID(driver.newNumber())
    if account == nil { try signedOut.admit(call) { [weak self] in self?.forget(id) } }
    let session = Self.session(of: account, hello.session, content)
    let opening = ViewOpening(
      session: session, layout: layout, zone: zone, viewport: hello.viewport, acknowledges: acknowledges,
      onlyLooks: viewer.mayOnlyLook, resume: account == nil ? nil : hello.resume)
    let stream = ViewStream(
      id: id, session: session, onlyLooks: viewer.mayOnlyLook, locale: .lookup(hello.layout.locale).locale, call: call,
      driver: driver, limits: welcomeLimits)
    driver.open(stream, opening)
    stream.begin()
    return id
  }

  /// Returns a layout with fonts that views share. A signed-out client declares none.
  private func shared(_ layout: LayoutParameters, for account: AccountID?) throws(EngineError) -> LayoutParameters {
    guard let account else { return SignedOutViews.stripped(layout) }
    return try fonts.shared(layout, for: account)
  }

  /// Returns the session of a view. A signed-out client gets one without an account, which shows a launch pane.
  private static func session(of account: AccountID?, _ name: String, _ content: PaneContent?) -> SessionKey {
    guard let account else { return .signedOut }
    return content.map { .ephemeral(account, $0) } ?? SessionKey(account: account, name: name)
  }

  private func receive(_ frame: ClientFrame, _ id: ViewID, _ call: ServerCall) throws(EngineError) {
    switch frame {
    case .hello: throw EngineError(.failedPrecondition, "only the first frame of a view may be hello")
    case .viewport(let viewport): driver.updateClient(id) { $0.move(to: viewport) }
    case .layout(let layout):
      let zone = try zones.find(layout.timeZone)
      let shared = try shared(layout, for: driver.account(of: id))
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

  private func move(_ request: MoveViewportRequest, _ caller: Caller) -> Result<EmptyMessage, EngineError> {
    Result { () throws(EngineError) -> EmptyMessage in
      let id = try view(request.viewID, movedBy: caller)
      driver.updateClient(id) { $0.move(to: request.viewport) }
      return EmptyMessage()
    }
  }

  private func preview(_ request: SetPreviewRequest, _ caller: Caller) -> Result<EmptyMessage, EngineError> {
    Result { () throws(EngineError) -> EmptyMessage in
      let id = try view(request.viewID, movedBy: caller)
      driver.updateClient(id) {
        $0.choosePreview(request.postID == 0 ? nil : PostID(Int64(clamping: request.postID)))
      }
      return EmptyMessage()
    }
  }

  private func slide(
    _ request: MoveStackRequest, _ caller: Caller, _ requester: Requester,
    _ answer: @escaping (Result<MoveStackResponse, EngineError>) -> Void
  ) {
    let id: ViewID
    do throws(EngineError) {
      id = try view(request.viewID, movedBy: caller)
    } catch {
      return answer(.failure(error))
    }
    let command: SlideCommand =
      switch request.move {
      case .slide(let direction): .slide(SlideDirection(direction))
      case .drag(let end): .drag(pane: end.paneID, x: Int(end.x), direction: end.direction.map { SlideDirection($0) })
      case .reveal(let pane): .reveal(pane: pane)
      case .position(let position): .position(position)
      }
    driver.slide(id, command, for: requester) {
      answer($0.map { MoveStackResponse(position: $0.position, hasMoved: $0.moved) })
    }
  }

  /// Returns the open view with this ID, if the caller may move it: one of its account. Without scope `panes`, only a
  /// view that was opened without it too, since what others show decides what has been read.
  private func view(_ number: UInt64, movedBy caller: Caller) throws(EngineError) -> ViewID {
    let id = ViewID(number)
    guard driver.account(of: id) == caller.account.id else {
      throw EngineError(.notFound, "there is no view \(number); the first frame of a stream carries its ID")
    }
    guard driver.onlyLooks(id) || caller.scopes.contains(.panes) else {
      throw Authenticator.missing(.panes, caller.peer)
    }
    return id
  }

  private func measure(
    _ request: MeasureRequest, _ caller: Caller, _ requester: Requester,
    _ answer: @escaping (Result<MeasureResponse, EngineError>) -> Void
  ) {
    var request = request
    do throws(EngineError) {
      request.layout = try fonts.shared(request.layout, for: requester.account)
    } catch {
      return answer(.failure(error))
    }
    let (source, parent, account) = (request.source, request.inReplyTo, caller.account)
    if !request.editedPost.isEmpty { return measureEdit(request, account, requester, answer) }
    if source.isEmpty, parent.isEmpty { return measurer.measure(request, account, nil, for: requester, answer) }
    driver.ask(for: requester) { [upstreams] store throws(EngineError) in
      try StoreLookup.attempt { () throws(StoreError) in
        try store.postLimits(of: account.id, for: source, replyingTo: parent, upstreams: upstreams)
      }
    } _: { [measurer] (result: Result<PostLimits?, EngineError>) in
      switch result {
      case .success(let limits): measurer.measure(request, account, limits, for: requester, answer)
      case .failure(let error): answer(.failure(error))
      }
    }
  }

  private func measureEdit(
    _ request: MeasureRequest, _ account: Account, _ requester: Requester,
    _ answer: @escaping (Result<MeasureResponse, EngineError>) -> Void
  ) {
    driver.ask(for: requester) { store throws(EngineError) in
      let found = try StoreLookup.attempt { () throws(StoreError) in
        try store.editLimits(of: account.id, for: request.editedPost)
      }
      return try found.mapError { EngineError($0) }.get()
    } _: { [measurer] (result: Result<(limits: PostLimits?, warning: SafeText), EngineError>) in
      switch result {
      case .success(let (limits, warning)):
        var request = request
        request.contentWarning = warning.string
        measurer.measure(request, account, limits, for: requester, answer)
      case .failure(let error): answer(.failure(error))
      }
    }
  }

  private func rows(
    _ request: GetRowsRequest, _ requester: Requester,
    _ answer: @escaping (Result<GetRowsResponse, EngineError>) -> Void
  ) {
    guard request.count <= limits.windows.rows else {
      let message = "count is \(request.count), but the maximum is \(limits.windows.rows)"
      return answer(.failure(EngineError(.invalidArgument, message, field: "count", limit: limits.windows.rows)))
    }
    do throws(EngineError) {
      var rows = RowsRequest(
        account: requester.account, layout: try fonts.shared(request.layout, for: requester.account),
        zone: try zones.find(request.layout.timeZone))
      if let subject = request.subject { rows.subject = RowsRequest.Subject(subject) }
      rows.anchor = request.anchorRow == 0 ? nil : PostID(Int64(clamping: request.anchorRow))
      rows.anchorAt = request.anchorAtMilliseconds == 0 ? nil : Instant(milliseconds: request.anchorAtMilliseconds)
      rows.newer = request.direction == .up
      rows.filter = request.filter
      try SessionKey.check(request.session, field: "session")
      rows.session = request.session
      if request.count > 0 { rows.count = request.count }
      driver.rows(rows, for: requester) { result in
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
