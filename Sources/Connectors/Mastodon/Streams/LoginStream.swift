internal import Dates
internal import HTTPSupport

/// The stream of a login: how it is reached, whether it is open and alive, and the events that it brings.
struct LoginStream {
  /// The ways to a stream, in the order in which they are tried.
  enum Transport: Equatable {
    /// Server-sent events.
    case events
    /// A WebSocket, with the token in Authorization.
    case socket
    /// A WebSocket, with the token as its protocol: the only place but the address where Akkoma looks for it.
    case socketWithToken
  }

  /// What bytes have led to.
  enum Outcome: Equatable {
    case opened
    /// The server has answered with this status in place of a stream.
    case refused(status: Int)
    /// The reason, a clause.
    case ended(String)
  }

  private enum State: Equatable {
    case closed
    case opening(since: Instant)
    case open(since: Instant, heard: Instant)
  }

  /// A stream that is silent for this long, in milliseconds, is dead: servers send a comment every 15 s, and a WebSocket
  /// is pinged.
  static let silence: Int64 = 60_000
  /// A WebSocket that is silent for this long is pinged.
  static let pingPause: Int64 = 30_000
  /// A stream that has lasted this long was a good one.
  private static let goodLife: Int64 = 60_000
  /// A server without a stream is not asked for one again for a day.
  private static let absence: Int64 = 24 * 3_600_000
  /// After so many failures in a row the timelines are polled, and the stream is tried again after a minute, then after
  /// twice as long each time, at most this long.
  private static let failureLimit = 3
  private static let longestPause: Int64 = 15 * 60_000
  /// The most bytes of events that wait for the newest pages, or for the daemon. More end the stream; what it would have
  /// brought is read from the timelines later.
  private static let heldLimit = 1 << 20

  private(set) var transport = Transport.events
  private var state = State.closed
  private var events = EventStreamParser()
  private var socket: WebSocketClient?
  private var hasPinged = false
  private var held: [StreamEvent] = []
  private var heldBytes = 0
  private var absentUntil: Instant?
  /// The connections in a row that failed, or did not last.
  private var failures = 0
  /// Why the timelines are polled for now; empty if there is a stream, or the server has none.
  private(set) var trouble = ""

  var isClosed: Bool { state == .closed }
  var isOpening: Bool { if case .opening = state { true } else { false } }
  /// True if it has brought more than can be held.
  var isOverfull: Bool { events.isTooLong || heldBytes > Self.heldLimit }

  /// True if the server had no stream when it was last asked.
  func isAbsent(at now: Instant) -> Bool { absentUntil.map { $0 > now } ?? false }

  /// The time at which it is dead unless something comes; nil if it is closed.
  var deadline: Instant? { heard?.adding(milliseconds: Self.silence) }

  /// The time at which it is to be pinged; nil if it is not.
  var pingTime: Instant? {
    guard socket != nil, !hasPinged, case .open = state else { return nil }
    return heard?.adding(milliseconds: Self.pingPause)
  }

  private var heard: Instant? {
    switch state {
    case .closed: nil
    case .opening(let heard), .open(_, let heard): heard
    }
  }

  // MARK: - Opening and closing

  /// It is asked for.
  mutating func begin(at now: Instant) {
    state = .opening(since: now)
    (events, socket, hasPinged) = (EventStreamParser(), nil, false)
    (held, heldBytes) = ([], 0)
    absentUntil = nil
  }

  /// It could not be opened, or has ended: after several times it is not tried again for a while.
  mutating func failed(_ reason: String, at now: Instant) {
    failures = hasLasted(at: now) ? 1 : failures + 1
    guard failures >= Self.failureLimit else { return }
    let pause = min(Self.longestPause, 60_000 << Int64(min(failures - Self.failureLimit, 8)))
    (absentUntil, trouble) = (now.adding(milliseconds: pause), reason)
  }

  /// The server as a whole cannot be reached: that is no fault of the stream.
  mutating func forgetFailures() {
    guard failures > 0 else { return }
    (failures, absentUntil, trouble) = (0, nil, "")
  }

  /// The server has answered the request for events with 200.
  mutating func open(at now: Instant) { state = .open(since: now, heard: now) }

  /// There is a connection for a WebSocket to `server`. Its output is the request for it.
  mutating func connected(to server: MastodonServer, using generator: inout some RandomNumberGenerator) {
    guard isOpening, transport != .events else { return }
    let token = server.token ?? ""
    let isBearer = transport == .socket
    socket = WebSocketClient(
      host: server.host, target: "/api/v1/streaming?stream=user", protocols: isBearer ? [] : [token],
      fields: isBearer ? [("Authorization", "Bearer \(token)")] : [], using: &generator)
  }

  /// The server does not have what was asked for. Returns false if there is no other way, and notes that for a day.
  mutating func tryNextTransport(after status: Int, at now: Instant) -> Bool {
    (state, failures) = (.closed, 0)
    switch (transport, status) {
    case (.events, _): transport = .socket
    case (.socket, 401): transport = .socketWithToken
    default:
      (transport, trouble) = (.events, "")
      absentUntil = now.adding(milliseconds: Self.absence)
      return false
    }
    return true
  }

  /// Forgets it. Returns true if it has lasted.
  mutating func close(at now: Instant) -> Bool {
    defer { (state, held, heldBytes) = (.closed, [], 0) }
    return hasLasted(at: now)
  }

  private func hasLasted(at now: Instant) -> Bool {
    guard case .open(let since, _) = state else { return false }
    return now.milliseconds - since.milliseconds >= Self.goodLife
  }

  // MARK: - What comes and goes

  /// Reads bytes, and holds their events until ``takeEvents()``.
  mutating func receive(
    _ bytes: [UInt8], at now: Instant, by reader: StreamEventReader, using generator: inout some RandomNumberGenerator
  ) -> Outcome? {
    hasPinged = false
    switch state {
    case .closed: return nil
    case .opening: state = .opening(since: now)
    case .open(let since, _): state = .open(since: since, heard: now)
    }
    guard socket != nil else {
      for event in events.consume(bytes) { hold(reader.event(event.name, event.data)) }
      return nil
    }
    var outcome: Outcome?
    for event in socket?.receive(bytes, using: &generator) ?? [] {
      switch event {
      case .opened:
        open(at: now)
        outcome = .opened
      case .text(let text): hold(reader.event(message: text))
      case .binary, .pong: break
      case .closed: outcome = .ended("the server closed the stream")
      case .failed(.refused(let status)): outcome = .refused(status: status)
      case .failed: outcome = .ended("the stream breaks the rules of WebSocket")
      }
    }
    return outcome
  }

  private mutating func hold(_ event: StreamEvent?) {
    guard let event else { return }
    held.append(event)
    heldBytes += event.byteCount
  }

  /// Asks a WebSocket whether it is alive.
  mutating func ping(using generator: inout some RandomNumberGenerator) {
    hasPinged = true
    socket?.ping(using: &generator)
  }

  /// Returns the bytes to send, and forgets them.
  mutating func takeOutput() -> [UInt8] { socket?.takeOutput() ?? [] }

  /// Returns the events that are held, and forgets them.
  mutating func takeEvents() -> [StreamEvent] {
    defer { (held, heldBytes) = ([], 0) }
    return held
  }
}
