/// The engine's maxima; each says what happens at it. Told to clients in Welcome where they matter to them.
public struct EngineLimits: Sendable {
  /// Rows of a pane a view holds at most; a taller viewport shows fewer.
  public var windowRows = 200
  /// Bytes of rows that a view's windows together, or an answer, hold at most, so that a frame stays below a message's limit; one
  /// row of each pane is always there. What does not fit is asked for again.
  public var windowBytes = 512 * 1024
  /// Rows a view holds at least, where the pane has them (protocol.md, section 4).
  public var smallestWindowRows = 8
  /// Panes of a session; pushing more is refused with RESOURCE_EXHAUSTED.
  public var panes = 64
  /// Commands of a session that wait for the store; more are refused with RESOURCE_EXHAUSTED.
  public var waitingCommands = 64
  /// Answers of a session remembered by request id; the oldest is forgotten.
  public var rememberedRequests = 64
  /// Requests for rows that wait for the store; more are refused with RESOURCE_EXHAUSTED.
  public var waitingRowRequests = 1024
  /// Posts in the first slice of a timeline: enough for a window at once.
  public var firstSlice = 400
  /// Posts in each later slice: about a millisecond of the loop.
  public var laterSlice = 2000
  /// Row contents kept for sharing between views; all are forgotten at the limit, which costs time and no correctness.
  public var cachedContents = 20_000
  /// Measured rows kept, over all layout keys; all are forgotten at the limit.
  public var cachedLayouts = 50_000
  /// Posts of a chunk of a list: an insertion moves half a chunk. Tests shrink it to 2.
  public var chunkCapacity = 128
  /// Frames a view that acknowledges may have on their way.
  public var unacknowledgedFrames = 2
  /// Least time between two frames of a view, unless it answers the view's own command (protocol.md, section 5).
  public var frameIntervalMilliseconds: Int64 = 16

  /// The defaults.
  public init() {}
}
