internal import Posts

/// A named pane stack of an account, and what is going on with it.
struct Session {
  /// What a command answered.
  struct Answer {
    var requestID: String
    var paneID: UInt64
    var revision: UInt64
  }
  /// A command that waits, with the conversation it opens where that has been found.
  struct Waiting {
    var token: RequestToken
    var command: StackCommand
    var subject: PostID?
  }
  /// A command whose stack is being saved.
  struct Saving {
    var token: RequestToken
    var requestID: String
    var stack: PaneStack
    var paneID: UInt64
  }

  let key: SessionKey
  /// What views show: always a stack that is stored.
  var stack = PaneStack()
  /// Revision of its last change.
  var changedRevision: UInt64 = 0
  /// False until the store has said whether it knows the session.
  var isLoaded = false
  /// Commands in the order in which they came; each begins when the one before is stored or refused.
  var waiting: [Waiting] = []
  var saving: Saving?
  /// What views of it show, by slot.
  var scenes: [Int] = []
  /// Answers by request id, oldest first.
  var answers: [Answer] = []
}
