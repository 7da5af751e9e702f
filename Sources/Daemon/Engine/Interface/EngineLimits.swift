internal import ViewState

/// The engine's maxima; each says what happens at it. Told to clients in Welcome where they matter to them.
public struct EngineLimits: Sendable {
  /// What a view holds of a pane.
  public struct Windows: Sendable {
    /// Rows of a pane a view holds at most; a taller viewport shows fewer.
    public var rows = 200
    /// Bytes of rows that a view's windows together, or an answer, hold at most, so that a frame stays below a message's
    /// limit; one row of each pane is always there. What does not fit is asked for again.
    public var bytes = 512 * 1024
    /// Rows a view holds at least, where the pane has them (protocol.md, section 4).
    public var smallestRows = 8
  }

  /// Sessions, their panes and their commands.
  public struct Sessions: Sendable {
    /// Panes of a session; pushing more is refused with RESOURCE_EXHAUSTED.
    public var panes = 64
    /// Sessions that an account keeps, counted when one is opened; saving more is refused with RESOURCE_EXHAUSTED.
    public var perAccount = SharedLimits.sessions
    /// Different contents that views of an account show which are attached to no session; opening more ends a view with
    /// RESOURCE_EXHAUSTED.
    public var passing = 100
    /// Where a session is looked at is saved this often at most.
    public var placesMilliseconds: Int64 = 1_000
    /// Sessions of which that is saved at once; the others have their turn the next time.
    public var placesAtOnce = 64
    /// Sessions that nobody looks at and whose places could not be saved, kept in memory until they can be; of more it is
    /// forgotten.
    public var unsaved = 1_000
    /// Commands of a session that wait for the store; more are refused with RESOURCE_EXHAUSTED.
    public var waitingCommands = 64
    /// Answers of a session remembered by request id; the oldest is forgotten.
    public var rememberedRequests = 64
    /// What an account has seen is saved at most this often for each section.
    public var seenMilliseconds: Int64 = 1_000
  }

  /// Lists, and how they are read.
  public struct Lists: Sendable {
    /// Requests for rows that wait for the store; more are refused with RESOURCE_EXHAUSTED.
    public var waitingRequests = 1024
    /// Posts in the first slice of a timeline: enough for a window at once.
    public var firstSlice = 400
    /// Posts in each later slice: about a millisecond of the loop.
    public var laterSlice = 2000
    /// Posts of a conversation; replies beyond that are not told. What the store hands out at most.
    public var conversationPosts = 10_000
    /// Rows of a search: the newest that it finds; older ones are not told.
    public var searchRows = 10_000
    /// Posts of commits that are kept while something is read that may not have seen them; what is read from before those
    /// that are forgotten is read again.
    public var loggedPosts = 50_000
    /// Lists, other than timelines, that are kept for requests for rows though nobody shows them; the one that was not
    /// asked for for longest is dropped.
    public var unshown = 4
    /// Timelines that stay in memory, whole, while nobody shows them: those of the accounts that looked last.
    public var keptHomes = 8
    /// Rows of a list that are looked at in one go for a word that has just been muted, the newest; older ones leave as
    /// the list is read again. About a tenth of a second of the loop.
    public var mutedRows = 20_000
    /// Posts of a chunk of a list: an insertion moves half a chunk. Tests shrink it to 2.
    public var chunkCapacity = 128
  }

  /// What is kept because making it again takes time.
  public struct Caches: Sendable {
    /// Bytes of row contents kept for sharing between views; what was not used for longest is forgotten, which costs time
    /// and no correctness.
    public var contentBytes = 32 * 1024 * 1024
    /// Bytes of rows kept for sharing, encoded, over all layout keys; what was not used for longest is forgotten.
    public var rowBytes = 32 * 1024 * 1024
    /// Bytes of row heights kept, over all lists and layouts: a byte and a half a row. In a layout that finds no room,
    /// heights of panes stay estimates.
    public var heightsBytes = 128 * 1024 * 1024
    /// Layouts of lists of which the heights are kept though nobody shows them; the one that was not shown for longest is
    /// forgotten.
    public var unusedHeights = 8
    /// Bytes of text measured in one go after a layout has changed: about half a millisecond of the loop.
    public var measuredBytes = 320 * 1024
    /// While rows are measured, views are told of better estimates this often.
    public var estimateMilliseconds: Int64 = 250
    /// Steps from one state of a scene to the next that are kept for views that have yet to make them.
    public var sharedSteps = 4
  }

  /// Frames, and when a view is sent one.
  public struct Frames: Sendable {
    /// How long the sliding clock is seen after a movement (rule 32).
    public var clockMilliseconds: Int64 = 1_000
    /// Frames a view that acknowledges may have on their way.
    public var unacknowledged = 2
    /// Least time between two frames of a view, unless it answers the view's own command (protocol.md, section 5; mosh's
    /// figure).
    public var intervalMilliseconds: Int64 = 16
    /// The interval grows with half the client's round trip and with the number of views, up to this.
    public var longestIntervalMilliseconds: Int64 = 250
    /// What a frame costs the loop, about; with `busyPercent` it decides how far apart frames of many views are.
    public var microseconds: Int64 = 5
    /// Percent of the loop's time that frames may take.
    public var busyPercent: Int64 = 70
    /// Bytes of operations in a frame; what is larger is cut, unless it is a single row.
    public var bytes = 256 * 1024
    /// Bytes of a delta to what a resuming client holds below which it is sent whatever a reset would cost.
    public var smallestReset = 256
    /// A view that takes and acknowledges nothing of what waits for it for this long is ended with RESOURCE_EXHAUSTED.
    public var stallMilliseconds: Int64 = 60_000
    /// After this long without a frame a view is told the revision, if that has moved.
    public var bookmarkMilliseconds: Int64 = 15_000
    /// Views are not looked through for stalls and bookmarks more often than this.
    public var sweepMilliseconds: Int64 = 1_000
  }

  public var windows = Windows()
  public var sessions = Sessions()
  public var lists = Lists()
  public var caches = Caches()
  public var frames = Frames()

  /// The defaults.
  public init() {}
}
