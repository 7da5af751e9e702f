/// A post on its way, or in the editor.
struct Draft: Equatable {
  /// The subject of what is written.
  enum Subject: Hashable {
    case post
    case answer(to: UInt64)
    case edit(of: UInt64)
  }

  /// The daemon's copy of it.
  struct Copy: Equatable {
    /// Its name before its number is known.
    var key: String
    /// 0 until the daemon has told it.
    var id: UInt64 = 0
    /// The text that it has; where it has none, the one that is not worth keeping.
    var text: String
    /// The text on its way there.
    var saving: String?
    /// One that it did not take: not tried again.
    var refused: String?
    /// When the next may be sent.
    var next: Int64 = 0
  }

  /// A text that was left, and what the daemon keeps of it.
  struct Left: Equatable {
    var text: String
    var copy: Copy
  }

  /// The name of the post, so that sending twice makes one.
  var requestID: String
  /// The text that was last sent under that name.
  var sent: String?
  var subject: Subject
  /// The text of the editor before anything was written.
  var beginning = ""
  /// The daemon's copy of it.
  var copy: Copy
  /// The number of the draft that was sent with it, to go with it.
  var sentDraft: UInt64 = 0
}
