/// The reason a frame starts from an empty state; the numbers are the schema's.
public enum ResetReason: UInt32, Sendable, CaseIterable {
  /// The first frame of a view that did not resume.
  case first = 1
  /// The daemon's history is not the one the client knew.
  case epoch = 2
  /// The client names a revision that the daemon has not reached.
  case future = 3
  /// The rows held by the client have a different layout than it now requests.
  case layout = 4
  /// The delta would be larger than the requested state itself.
  case cheaper = 5
}

/// Facts that the daemon sends once, with a view's first frame.
public struct Welcome: Equatable, Sendable {
  public var viewID: UInt64
  public var session: String
  public var daemonVersion: String
  /// Limits that a client may rely on.
  public var limits: Limits
  /// The BCP 47 tag of the language of the labels.
  public var locale: String

  /// Limits that a client may rely on.
  public struct Limits: Equatable, Sendable {
    /// Maximum bytes of a request message.
    public var requestBytes = 0
    /// Maximum rows of a pane that are sent at a time.
    public var windowRows = 0
    /// Maximum bytes of a frame.
    public var responseBytes = 0
    /// Maximum panes of a session.
    public var panes = 0
    /// Maximum time a view may neither read nor acknowledge pending data.
    public var stallTimeoutMilliseconds = 0

    public init() {}
  }

  public init(viewID: UInt64, session: String, daemonVersion: String, limits: Limits, locale: String = "en") {
    self.locale = locale
    self.viewID = viewID
    self.session = session
    self.daemonVersion = daemonVersion
    self.limits = limits
  }
}

/// The operations of a frame, shared by the frames of all views that make the same transition. Immutable.
public final class FrameBody: Sendable, Equatable {
  public let operations: [Operation]
  /// The bytes of the schema's `ServerFrame.operations`, tags included; nil if they have not been encoded.
  public let encoded: [UInt8]?

  /// A body without operations.
  public static let empty = FrameBody([], encoded: [])

  /// Creates a body. `encoded` is trusted.
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
  /// The newest requests of the client that the state reflects.
  public struct Generations: Equatable, Sendable {
    public var layout: UInt32 = 0
    public var viewport: UInt32 = 0

    public init(layout: UInt32 = 0, viewport: UInt32 = 0) {
      self.layout = layout
      self.viewport = viewport
    }
  }

  /// Information about the pace of frames.
  public struct Pacing: Equatable, Sendable {
    /// Time the oldest change in the frame has waited for this view.
    public var ageMilliseconds: UInt32 = 0
    /// Commits merged into the frame beyond the first.
    public var skipped: UInt32 = 0
    /// True if more of the same change follows in the next frame.
    public var hasMore = false

    public init() {}
  }

  /// 1 for a view's first frame, then ascending by 1.
  public var number: UInt64 = 0
  public var epoch: UInt64 = 0
  /// The revision the delta starts from; 0 with a reset.
  public var baseRevision: UInt64 = 0
  public var revision: UInt64 = 0
  public var generations = Generations()
  /// If not nil, the frame starts from an empty state.
  public var reset: ResetReason?
  /// The revision at which the session's pane stack last changed.
  public var sessionRevision: UInt64 = 0
  public var labelsAtMilliseconds: Int64 = 0
  public var body = FrameBody.empty
  /// Only in the first frame.
  public var welcome: Welcome?
  public var pacing = Pacing()
  /// If not 0, rows are laid out for this key from now on.
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

  public init() {}
}
