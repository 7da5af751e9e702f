internal import Messages

/// A post in the editor or being sent.
struct Draft: Equatable {
  /// The subject of a text.
  enum Subject: Hashable {
    case post
    /// A direct post that replies to none.
    case direct
    case answer(to: UInt64)
    case edit(of: UInt64)
  }

  /// The daemon's copy of a draft.
  struct Copy: Equatable {
    /// The key of the draft until its number is known.
    var key: String
    /// The draft's number; 0 until the daemon has reported it.
    var id: UInt64 = 0
    /// The daemon's text; if it has none, the text that is not worth saving.
    var post: WrittenPost
    /// The text being saved.
    var saving: WrittenPost?
    /// A text that the daemon refused, which is not sent again.
    var refused: WrittenPost?
    /// The time from which the next text may be sent.
    var next: Int64 = 0
  }

  /// An unfinished text, and the daemon's copy of it.
  struct Unfinished: Equatable {
    var post: WrittenPost
    /// Who may see it; nil for those who may see the post it replies to, or else everyone.
    var audience: PostAudience?
    var copy: Copy
  }

  /// The request id of the post, so that sending it twice makes one post.
  var requestID: String
  /// The text last sent with that request id.
  var sent: WrittenPost?
  /// The file of that text, once the source has it.
  var media: UploadedMedia?
  /// The number of the last call that sent the text or its file; 0 for none.
  var call: UInt64 = 0
  var subject: Subject
  /// The text of the editor before anything was typed.
  var beginning = ""
  /// True if the user gave that text, so that no unfinished one may take its place.
  var isGiven = false
  /// The daemon's copy of the draft.
  var copy: Copy
  /// The number of the draft sent with the post, which the daemon deletes with it.
  var sentDraft: UInt64 = 0
}

extension Draft.Subject {
  /// The subject of a draft that the daemon keeps.
  init(_ summary: DraftSummary) {
    self =
      switch summary.kind {
      case .answer: .answer(to: summary.postID)
      case .edit: .edit(of: summary.postID)
      case nil: summary.visibility == .direct ? .direct : .post
      }
  }
}

extension Draft.Unfinished {
  /// The text of a draft that the daemon keeps.
  init(_ summary: DraftSummary) {
    let isForReaders = summary.kind == .answer && summary.visibility == .everybody
    let audience = isForReaders ? nil : PostAudience(summary.visibility)
    let saved = WrittenPost(
      text: summary.text, audience: audience ?? .everyone, warning: summary.contentWarning, language: summary.language)
    self.init(
      post: saved, audience: audience,
      copy: Draft.Copy(key: "draft-\(summary.draftID)", id: summary.draftID, post: saved))
  }
}
