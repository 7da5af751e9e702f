internal import Engine
internal import RPC
internal import ViewState

/// The views of callers who show no token. Anybody on the network may open them, so that they are few, small and none
/// lasts.
final class SignedOutViews {
  /// Such views of the whole daemon; one more is refused with RESOURCE_EXHAUSTED.
  static let limit = 32
  /// How long one lasts; then it ends with UNAUTHENTICATED.
  static let lifetime = Duration.seconds(60)
  /// Bytes of a request message of somebody who shows no token.
  static let messageLimitBytes = 4096

  private struct View {
    let call: ServerCall
    let until: Duration
    let end: () -> Void
  }

  private let loop: any ServiceLoop
  private var timer: (any ServiceTimer)?
  /// Oldest first; some may have ended by themselves.
  private var views: [View] = []

  /// None yet.
  init(loop: any ServiceLoop) throws {
    self.loop = loop
    timer = try loop.makeTimer { [weak self] in self?.timePassed() }
  }

  /// Lets the view of `call` be open for a while; `end` is called before the call is ended for that. O(views).
  ///
  /// - Throws: where there are too many.
  func admit(_ call: ServerCall, _ end: @escaping () -> Void) throws(EngineError) {
    views.removeAll { !$0.call.isOpen }
    guard views.count < Self.limit else {
      throw EngineError(
        .resourceExhausted,
        "at most \(Self.limit) views are open without a token; try again in a minute, or with a token",
        limit: Self.limit)
    }
    views.append(View(call: call, until: loop.monotonicClock + Self.lifetime, end: end))
    if views.count == 1 { arm() }
  }

  /// What is kept of what somebody declares who shows no token: a font of their own is not.
  static func stripped(_ layout: LayoutParameters) -> LayoutParameters {
    var layout = layout
    layout.points = nil
    return layout
  }

  /// Lets go of the loop.
  func close() {
    timer?.close()
    timer = nil
    views = []
  }

  private func timePassed() {
    let now = loop.monotonicClock
    while let view = views.first, view.until <= now {
      views.removeFirst()
      guard view.call.isOpen else { continue }
      view.end()
      view.call.finish(Status(Self.over))
    }
    arm()
  }

  private func arm() {
    guard let first = views.first else { return }
    timer?.arm(after: first.until - loop.monotonicClock)
  }

  private static let over = EngineError(.unauthenticated, "a view without a token lasts a minute: attach with a token")
}
