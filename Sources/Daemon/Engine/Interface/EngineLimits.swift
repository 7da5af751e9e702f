internal import ViewState

/// The engine's limits, each with what happens when it is reached. Welcome reports those that matter to clients.
public struct EngineLimits: Sendable {
  /// Limits on the part of a pane that a view holds.
  public struct Windows: Sendable {
    /// Most rows of a pane that a view holds; a taller viewport shows fewer rows than fit.
    public var rows = 200
    /// Most bytes of rows in all windows of a view, or in one answer, so that a frame stays below the message limit.
    /// Each pane always has one row; clients request the rest again.
    public var bytes = 512 * 1024
    /// Fewest rows that a view holds if the pane has them (docs/PROTOCOL.md, "Windows and viewports").
    public var smallestRows = 8
  }

  /// Limits on sessions, their panes and their commands.
  public struct Sessions: Sendable {
    /// Most conversations that the views of a session preview at a time; further views show no preview.
    public var previews = 16
    /// Most panes of a session; pushing more is refused with RESOURCE_EXHAUSTED.
    public var panes = 64
    /// Most stored sessions of an account, counted when one is opened; saving more is refused with RESOURCE_EXHAUSTED.
    public var perAccount = SharedLimits.sessions
    /// Most ephemeral sessions of an account, one for each content shown; a view that would open another ends with
    /// RESOURCE_EXHAUSTED.
    public var ephemeral = 100
    /// Shortest interval between two saves of a session's scroll and reading positions.
    public var placesMilliseconds: Int64 = 1_000
    /// Most sessions whose positions are saved in one go; the others follow at the next interval.
    public var placesAtOnce = 64
    /// Most sessions without views that stay in memory until their positions can be saved; the positions of any more
    /// are dropped.
    public var unsaved = 1_000
    /// Most commands of a session that wait for the store; more are refused with RESOURCE_EXHAUSTED.
    public var waitingCommands = 64
    /// Most answers of a session remembered by request id; the oldest is forgotten first.
    public var rememberedRequests = 64
    /// Shortest interval between two saves of what an account has seen of a section.
    public var seenMilliseconds: Int64 = 1_000
  }

  /// Limits on lists and on how they are read.
  public struct Lists: Sendable {
    /// Most requests for rows that wait for the store; more are refused with RESOURCE_EXHAUSTED.
    public var waitingRequests = 1024
    /// Posts in the first page of a list: enough to fill a window.
    public var firstSlice = 400
    /// Posts in each later page: about a millisecond of the loop.
    public var laterSlice = 2000
    /// Most posts of a conversation, which is also the store's limit; further replies are left out.
    public var conversationPosts = 10_000
    /// Most rows of a search: the newest matches. Older ones are left out.
    public var searchRows = 10_000
    /// Most posts of commits that are kept while a read is under way that may lack them. A read older than a dropped
    /// commit is repeated.
    public var loggedPosts = 50_000
    /// Most lists, other than timelines, that are kept for requests for rows while no session shows them; the least
    /// recently requested one is dropped.
    public var unshown = 4
    /// Most bytes of searches that only views without a session show, over all accounts, and of one account. A search
    /// that would take more is cut: its oldest rows are left out while it is open. A view that would open another ends
    /// with RESOURCE_EXHAUSTED; an account without any always gets the first page of one.
    public var ephemeralBytes = 128 * 1024 * 1024
    public var ephemeralShare = 32 * 1024 * 1024
    /// Most timelines that stay in memory, whole, while no session shows them: the most recently used ones.
    public var keptHomes = 8
    /// Most rows of a list, the newest, that are checked in one go for a newly muted word, about a tenth of a second of
    /// the loop. Older ones leave when the list is read again.
    public var mutedRows = 20_000
    /// Most posts in a chunk of a list: an insertion moves half a chunk. Tests shrink it to 2.
    public var chunkCapacity = 128
  }

  /// Limits on caches.
  public struct Caches: Sendable {
    /// Most bytes of cached row contents, shared between views. The least recently used are evicted, which costs time
    /// but never correctness.
    public var contentBytes = 32 * 1024 * 1024
    /// Most bytes of cached encoded rows over all layout keys; the least recently used are evicted.
    public var rowBytes = 32 * 1024 * 1024
    /// Most bytes of row heights over all lists and layouts, at a byte and a half per row. A layout that finds no room
    /// keeps estimated heights.
    public var heightsBytes = 128 * 1024 * 1024
    /// Most layouts of lists whose heights are kept while no view shows them; the least recently shown is evicted.
    public var unusedHeights = 8
    /// Most bytes of text measured in one go after a layout change: about half a millisecond of the loop.
    public var measuredBytes = 320 * 1024
    /// Interval at which views receive better estimates while rows are being measured.
    public var estimateMilliseconds: Int64 = 250
    /// Most deltas between successive states of a scene that are kept for views that lag behind.
    public var sharedSteps = 4
  }

  /// Limits on frames and on when they are sent.
  public struct Frames: Sendable {
    /// The time that the sliding clock stays visible after a movement (docs/BEHAVIOUR.md, rule 32).
    public var clockMilliseconds: Int64 = 1_000
    /// Most frames in flight to a view that acknowledges.
    public var unacknowledged = 2
    /// Shortest interval between two frames of a view; replies to the view's own commands are exempt. The figure is
    /// mosh's.
    public var intervalMilliseconds: Int64 = 16
    /// Longest interval between two frames. The interval grows with half the client's round trip and with the number of
    /// views.
    public var longestIntervalMilliseconds: Int64 = 250
    /// Estimated cost of a frame to the loop. With `busyPercent` it decides the spacing of frames when there are many
    /// views.
    public var microseconds: Int64 = 5
    /// Share of the loop's time that frames may take, in percent.
    public var busyPercent: Int64 = 70
    /// Most bytes of operations in a frame; a larger one is split, unless it is a single row.
    public var bytes = 256 * 1024
    /// A resuming client is always sent a delta, and no reset, if the delta is smaller than this many bytes.
    public var smallestReset = 256
    /// A view with pending data that reads and acknowledges none of it for this long is ended with RESOURCE_EXHAUSTED.
    public var stallMilliseconds: Int64 = 60_000
    /// After this long without a frame, a view is sent the current revision if it has changed.
    public var bookmarkMilliseconds: Int64 = 15_000
    /// Shortest interval between two sweeps of all views for stalls and bookmarks.
    public var sweepMilliseconds: Int64 = 1_000
  }

  public var windows = Windows()
  public var sessions = Sessions()
  public var lists = Lists()
  public var caches = Caches()
  public var frames = Frames()

  /// Creates the default limits.
  public init() {}
}
