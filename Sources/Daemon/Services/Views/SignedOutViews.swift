internal import Engine
internal import RPC
internal import ViewState

/// The views of callers without a token. Anyone on the network may open them, so they are few, small and short-lived.
final class SignedOutViews {
  /// Maximum number of such views in the daemon; one more is refused with RESOURCE_EXHAUSTED.
  static let limit = 32
  /// Lifetime of such a view; it then ends with UNAUTHENTICATED.
  static let lifetime = Duration.seconds(60)
  /// Maximum size of a request message without a token, in bytes.
  static let messageLimitBytes = 4096

  private struct View {
    let call: ServerCall
    let until: Duration
    let end: () -> Void
  }

  private let loop: any ServiceLoop
  private var timer: (any ServiceTimer)?
  /// Views, oldest first; some may have ended already.
  private var views: [View] = []

  /// No views yet.
  init(loop: any ServiceLoop) throws {
    self.loop = loop
    timer = try loop.makeTimer { [weak self] in self?.timePassed() }
  }

  /// Admits the view of `call` for its lifetime. `end` is called before the call is ended for that reason. O(views).
  ///
  /// - Throws: RESOURCE_EXHAUSTED if there are too many.
  func admit(_ call: ServerCall, _ end: @escaping () -> Void) throws(EngineError) {
    views.removeAll { !$0.call.isOpen }
    guard views.count < Self.limit else {
      throw EngineError(
        .resourceExhausted,
        "at most \(Self.limit) views may be open without a token; try again in a minute, or use a token",
        limit: Self.limit)
    }
    views.append(View(call: call, until: loop.monotonicClock + Self.lifetime, end: end))
    if views.count == 1 { arm() }
  }

  /// Returns `layout` without a font of its own, which callers without a token may not declare.
  static func stripped(_ layout: LayoutParameters) -> LayoutParameters {
    var layout = layout
    layout.points = nil
    return layout
  }

  /// Releases everything on the loop.
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
      view.call.finish(Status(Self.expired))
    }
    arm()
  }

  private func arm() {
    guard let first = views.first else { return }
    timer?.arm(after: first.until - loop.monotonicClock)
  }

  private static let expired = EngineError(
    .unauthenticated, "a view without a token ends after a minute; attach with a token")
}
