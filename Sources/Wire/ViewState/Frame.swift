/// Why a frame starts from nothing; the numbers are the schema's.
public enum ResetReason: UInt32, Sendable, CaseIterable {
  /// The first frame of a view that did not resume.
  case first = 1
  /// The daemon's history is another one than the client knew.
  case epoch = 2
  /// The client names a revision that the daemon has not come to.
  case future = 3
  /// What the client holds was laid out in another way than it asks for now.
  case layout = 4
  /// The difference to what the client holds is larger than what it asks for now.
  case cheaper = 5
}

/// What the daemon says once, with a view's first frame.
public struct Welcome: Equatable, Sendable {
  public var viewID: UInt64
  public var session: String
  public var daemonVersion: String
  /// Limits, which a client may count on.
  public var limits: Limits
  /// The BCP 47 tag of the language that labels are in.
  public var locale: String

  /// What a client may count on.
  public struct Limits: Equatable, Sendable {
    /// Bytes of a request message.
    public var requestBytes = 0
    /// Rows of a pane that are sent at a time.
    public var windowRows = 0
    /// Bytes of a frame.
    public var responseBytes = 0
    /// Panes of a session.
    public var panes = 0
    /// How long a view may neither take nor acknowledge what waits for it.
    public var stallTimeoutMilliseconds = 0

    /// None said.
    public init() {}
  }

  /// Puts the parts together.
  public init(viewID: UInt64, session: String, daemonVersion: String, limits: Limits, locale: String = "en") {
    self.locale = locale
    self.viewID = viewID
    self.session = session
    self.daemonVersion = daemonVersion
    self.limits = limits
  }
}

/// The operations of a frame, shared by the frames of all views that go from the same state to the same state.
/// Immutable.
public final class FrameBody: Sendable, Equatable {
  public let operations: [Operation]
  /// The bytes of the schema's `ServerFrame.operations`, tags included, where they have been made; nil where they have
  /// not.
  public let encoded: [UInt8]?

  /// A body without operations.
  public static let empty = FrameBody([], encoded: [])

  /// Puts the parts together. `encoded` is trusted.
  public init(_ operations: [Operation], encoded: [UInt8]? = nil) {
    self.operations = operations
    self.encoded = encoded
  }

  public static func == (left: FrameBody, right: FrameBody) -> Bool {
    left === right || left.operations == right.operations
  }
}

/// One atomic change of a view, as sent.
public struct Frame: Equatable, Sendable {
  /// The newest requests of the client that the state answers.
  public struct Generations: Equatable, Sendable {
    public var layout: UInt32 = 0
    public var viewport: UInt32 = 0

    public init(layout: UInt32 = 0, viewport: UInt32 = 0) {
      self.layout = layout
      self.viewport = viewport
    }
  }

  /// What a client may know of the pace at which frames come.
  public struct Pacing: Equatable, Sendable {
    /// How long the oldest change in the frame has waited for this view.
    public var ageMilliseconds: UInt32 = 0
    /// Commits merged into the frame beyond the first.
    public var skipped: UInt32 = 0
    /// More of the same change follows in the next frame.
    public var hasMore = false

    /// On time.
    public init() {}
  }

  /// 1 for a view's first, then one more each.
  public var number: UInt64 = 0
  public var epoch: UInt64 = 0
  /// The revision the delta starts from; 0 with a reset.
  public var baseRevision: UInt64 = 0
  public var revision: UInt64 = 0
  public var generations = Generations()
  /// Not nil: start from nothing.
  public var reset: ResetReason?
  /// The revision at which the session's pane stack last changed.
  public var sessionRevision: UInt64 = 0
  public var labelsAtMilliseconds: Int64 = 0
  public var body = FrameBody.empty
  /// Only in the first.
  public var welcome: Welcome?
  public var pacing = Pacing()
  /// Not 0: rows are laid out for this key from now on.
  public var layoutKey: UInt64 = 0

  /// The changes, in order.
  public var operations: [Operation] { body.operations }

  /// A frame that leads to `target`.
  public init(
    number: UInt64, baseRevision: UInt64, to target: ViewSnapshot, reset: ResetReason?, operations: [Operation],
    welcome: Welcome? = nil
  ) {
    self.number = number
    self.epoch = target.epoch
    self.baseRevision = baseRevision
    self.revision = target.revision
    self.generations = Generations(layout: target.layoutGeneration, viewport: target.viewportGeneration)
    self.reset = reset
    self.sessionRevision = target.sessionRevision
    self.labelsAtMilliseconds = target.labelsAtMilliseconds
    self.layoutKey = target.layoutKey
    self.body = FrameBody(operations)
    self.welcome = welcome
  }

  /// An empty frame to be filled in.
  public init() {}
}
