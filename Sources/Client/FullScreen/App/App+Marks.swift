internal import Messages
internal import ViewState

/// Something that can be done to a post and taken back.
struct Marked: Hashable {
  enum Kind: Hashable {
    case mark(MarkKind)
    /// That it is unread.
    case unread
  }
  var post: UInt64
  var kind: Kind
}

/// How a mark was last wanted.
struct WantedMark: Equatable {
  var isOn: Bool
  /// Calls without an answer.
  var calls: Int
  /// When it shows: nothing earlier says how it is.
  var revision: UInt64
}

/// Favourites, reposts and what is saved (behaviour.md, rule 44): each key turns what was last wanted, whether or not
/// that shows yet, and the daemon does one after the other, so that fast keys end in what was wanted last.
extension App {
  mutating func toggle(_ kind: MarkKind) {
    guard let row = currentRow else { return }
    let fields = row.content.fields
    guard fields.postID != 0 else { return tellNoPost(row) }
    forgetShownMarks()
    let marked = Marked(post: fields.postID, kind: .mark(kind))
    let isOn = !(marks[marked]?.isOn ?? fields.flags.contains(RowFlags(kind)))
    want(marked, isOn)
    var request = MarkRequest(kind, post: String(fields.postID), isUndo: !isOn)
    request.requestID = requestID()
    call(.mark(marked), Method.mark, request)
  }

  /// Forgets how marks were wanted that show, or are not so: their rows tell.
  mutating func forgetShownMarks() { marks = marks.filter { isStillToShow($0.value) } }

  /// Whether the rows may not say yet what is wanted.
  func isStillToShow(_ mark: WantedMark) -> Bool { mark.calls > 0 || mark.revision > snapshot.revision }

  /// Notes how a mark is wanted that a call is about.
  mutating func want(_ marked: Marked, _ isOn: Bool) {
    marks[marked] = WantedMark(isOn: isOn, calls: (marks[marked]?.calls ?? 0) + 1, revision: 0)
  }

  /// Has the source of the selected post asked again for what it refused.
  mutating func retry() {
    guard let fields = currentRow?.content.fields, fields.postID != 0 else { return }
    var request = RetryRequest(post: String(fields.postID))
    request.requestID = requestID()
    call(.say("Asked again."), Method.retry, request)
  }

  /// Asks whether what was refused is to be forgotten: a post that was refused goes with it.
  mutating func askToDiscard() {
    guard let fields = currentRow?.content.fields, fields.postID != 0 else { return }
    guard fields.delivery != .none else { return tell("Nothing that you did to this post has failed.", .warning) }
    let text = String(decoding: fields.text, as: UTF8.self)
    ask(.discard(fields.postID), Confirmation(question: "Forget what failed?", detail: text, verb: "forget"))
  }

  mutating func discard(_ post: UInt64) {
    var request = DiscardRequest(post: String(post))
    request.requestID = requestID()
    call(.say("Forgotten."), Method.discard, request)
  }

  /// Takes back what the account did last, wherever that was, or does it again.
  mutating func undo(isRedo: Bool) {
    var request = UndoRequest(isRedo: isRedo)
    request.requestID = requestID()
    // How a mark was last wanted may be otherwise now: the rows tell.
    marks = [:]
    call(.undo(isRedo: isRedo), Method.undo, request)
  }

  mutating func markAnswered(_ marked: Marked, _ result: Result<[UInt8], CallEnd>) {
    let answer = if case .success(let bytes) = result { try? MarkResponse(decoding: bytes) } else { MarkResponse?.none }
    markAnswered(marked, shownAt: answer?.revision)
  }

  /// Notes that a call about a mark has ended, and when it shows; nil where it failed.
  mutating func markAnswered(_ marked: Marked, shownAt revision: UInt64?) {
    guard marks[marked] != nil else { return }
    marks[marked]!.calls -= 1
    if let revision {
      marks[marked]!.revision = revision
    } else if marks[marked]!.calls == 0 {
      // What failed is not so, whatever was wanted: the row tells.
      marks[marked] = nil
    }
  }
}

extension RowFlags {
  /// The flag of a row that says it.
  fileprivate init(_ kind: MarkKind) {
    self =
      switch kind {
      case .favourite: .favourited
      case .repost: .reposted
      case .save: .saved
      }
  }
}
