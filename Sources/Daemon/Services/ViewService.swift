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
  /// Bytes of a session's name; protocol.md, Hello.
  private static let sessionNameLimit = 64
  /// Bytes of a request with a layout: as many advances as there may be, most in long runs, and a text to measure.
  private static let layoutLimitBytes = 384 * 1024
  /// How long a client that opened a stream may take to say hello.
  private static let helloTimeout = Duration.seconds(5)
  /// Frames of a client that are kept while the daemon looks up who it is; one more ends the view.
  private static let earlyFrameLimit = 64

  private let driver: EngineDriver
  private let accounts: Accounts
  private let zones: Zones
  private var fonts = SharedFonts()
  private let limits = EngineLimits()
  private let welcomeLimits: Welcome.Limits

  init(driver: EngineDriver, accounts: Accounts, zones: Zones, requestLimit: Int) {
    self.driver = driver
    self.accounts = accounts
    self.zones = zones
    var welcomeLimits = Welcome.Limits()
    welcomeLimits.requestBytes = requestLimit
    // The engine cuts frames far below it; a single row stays below it because posts do.
    welcomeLimits.responseBytes = ConnectionLimits().sentMessageBytes
    welcomeLimits.windowRows = limits.windowRows
    welcomeLimits.panes = limits.panes
    welcomeLimits.stallTimeoutMilliseconds = Int(limits.stallMilliseconds)
    self.welcomeLimits = welcomeLimits
  }

  var methods: [String: ServiceMethod] {
    [
      Method.attach: .streaming(messageLimitBytes: Self.layoutLimitBytes) { [unowned self] in attach($0) },
      Method.watch: .oneRequest(messageLimitBytes: Self.layoutLimitBytes) { [unowned self] in watch($0, $1) },
      Method.moveViewport: .command(MoveViewportRequest.self, accounts) { [unowned self] request, account, answer in
        answer(move(request, account))
      },
      Method.getRows: .command(GetRowsRequest.self, messageLimitBytes: Self.layoutLimitBytes, accounts) {
        [unowned self] request, account, answer in
        rows(request, account, answer)
      },
      Method.measure: .unary(messageLimitBytes: Self.layoutLimitBytes) { _, bytes throws(Status) in
        do throws(DecodingFailure) {
          return MeasureResponse(measuring: try MeasureRequest(decoding: bytes)).encoded()
        } catch {
          throw Status(error)
        }
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
    guard hello.session.utf8.count <= Self.sessionNameLimit else {
      let message = "hello.session is longer than \(Self.sessionNameLimit) bytes"
      throw EngineError(.invalidArgument, message, field: "hello.session", limit: Self.sessionNameLimit)
    }
    let zone = try zones.find(hello.layout.timeZone)
    let layout = fonts.shared(hello.layout)
    let id = ViewID(driver.newNumber())
    accounts.find(call.peer) { [weak self] result in
      guard let self, call.isOpen else { return }
      switch result {
      case .failure(let error): call.finish(Status(error))
      case .success(let account):
        let session = SessionKey(account: account.id, name: hello.session)
        let opening = ViewOpening(
          session: session, layout: layout, zone: zone, viewport: hello.viewport, acknowledges: acknowledges,
          resume: hello.resume)
        let stream = ViewStream(
          id: id, session: session, locale: .lookup(hello.layout.locale).locale, call: call, driver: driver, limits: welcomeLimits)
        driver.open(stream, opening)
        stream.begin()
        onOpen(id)
      }
    }
    return id
  }

  private func receive(_ frame: ClientFrame, _ id: ViewID, _ call: ServerCall) throws(EngineError) {
    switch frame {
    case .hello: throw EngineError(.failedPrecondition, "only the first frame of a view is hello")
    case .viewport(let viewport): driver.hear(id) { $0.move(to: viewport) }
    case .layout(let layout):
      let zone = try zones.find(layout.timeZone)
      let shared = fonts.shared(layout)
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
    let id = ViewID(request.viewID)
    guard driver.account(of: id) == account.id else {
      return .failure(EngineError(.notFound, "there is no view \(request.viewID); Welcome names the view of a stream"))
    }
    driver.hear(id) { $0.move(to: request.viewport) }
    return .success(EmptyMessage())
  }

  private func rows(
    _ request: GetRowsRequest, _ account: Account, _ answer: @escaping (Result<GetRowsResponse, EngineError>) -> Void
  ) {
    guard request.count <= limits.windowRows else {
      let message = "count is \(request.count); at most \(limits.windowRows)"
      return answer(.failure(EngineError(.invalidArgument, message, field: "count", limit: limits.windowRows)))
    }
    do throws(EngineError) {
      var rows = RowsRequest(account: account.id, layout: fonts.shared(request.layout), zone: try zones.find(request.layout.timeZone))
      rows.subject =
        switch request.subject {
        case .timeline: .section(.timeline)
        case .post(let reference): .post(reference)
        case .conversation(let reference): .conversation(reference)
        }
      rows.anchor = request.anchorRow == 0 ? nil : PostID(Int64(clamping: request.anchorRow))
      rows.newer = request.direction == .newer
      if request.count > 0 { rows.count = request.count }
      driver.rows(rows) { result in
        answer(
          result.map {
            GetRowsResponse(
              rows: $0.rows, revision: $0.revision, hasMore: $0.hasMore, labelsAtMilliseconds: $0.labelsAtMilliseconds,
              locale: Locale.lookup(request.layout.locale).locale.tag)
          })
      }
    } catch {
      answer(.failure(error))
    }
  }
}
