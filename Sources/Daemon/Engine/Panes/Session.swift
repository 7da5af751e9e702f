internal import Posts
internal import ViewState

/// A named pane stack of an account, and what is going on with it.
struct Session {
  /// What a command answered.
  struct Answer {
    var requestID: String
    var paneID: UInt64
    var revision: UInt64
  }
  /// A command that waits, with what it names where that has been found.
  struct Waiting {
    var token: RequestToken
    var command: StackCommand
    /// What it opens.
    var content: PaneContent?
    /// Where the row stands that it tells has been read.
    var row: OrderKey?
    /// Whether the store has that row in the section that it is said of.
    var isRowInSection = false
  }
  /// What is being stored.
  struct Saving {
    enum Change {
      case stack(PaneStack)
      case reading(Section, RowAnchor)
      case name(String)
      case end
    }
    var change: Change
    /// Who waits for it; nil for panes that closed by themselves.
    var command: Waiting?
    var paneID: UInt64
  }

  var key: SessionKey
  /// What views show: a stack that is stored, apart from panes that have closed by themselves since.
  var stack = PaneStack()
  /// Revision of its last change.
  var changedRevision: UInt64 = 0
  /// From this revision on the numbers of its panes have meant what they mean now: nobody has deleted it, or given its
  /// name away.
  var begunAt: UInt64 = 0
  /// The revision of the last change of what one of its panes is limited to, or a later one.
  var filteredAt: UInt64 = 0
  /// False until the store has said whether it knows the session.
  var isLoaded = false
  /// Whether the store has it.
  var isStored = false
  /// Whether the account may have one session more.
  var mayBeStored = true
  /// Commands in the order in which they came; each begins when the one before is stored or refused.
  var waiting: [Waiting] = []
  var saving: Saving?
  /// Panes have closed by themselves, which is yet to be stored.
  var hasClosedPanes = false
  /// What views of it show, by slot.
  var scenes: [SceneSlot] = []
  /// Answers by request id, oldest first.
  var answers: [Answer] = []
  /// Some of them are not stored with the stack, because they did not change it.
  var hasUnstoredAnswers = false

  /// Where it was last looked at, as of the last time that this was asked for (``StackEngine/notePlaces(of:)``).
  var places = Places()
  /// What the store has of that, or is being given.
  var savedPlaces = Places()
  /// The view that was used last, if it is open: where it looks is where the session is looked at.
  var lastUsed: ViewSlot?
  var isSavingPlaces = false

  init(key: SessionKey) { self.key = key }
}
