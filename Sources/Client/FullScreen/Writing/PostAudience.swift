internal import Messages
internal import ViewState

/// Who may see a post that is being written.
public enum PostAudience: Sendable {
  case everyone
  /// Everyone, but not in public lists; only of a draft that was saved so.
  case unlisted
  case followers
  /// The people that it names.
  case direct
  /// Those who may see the post that it replies to.
  case parent

  /// The audience of a reply, unless the user chooses another.
  static func replying(to visibility: UInt32) -> PostAudience { isNarrow(visibility) ? .parent : .everyone }

  /// The audience after this one. A reply never reaches more people than the post it replies to, and a reply to a direct
  /// post always the same.
  func next(replyingTo visibility: UInt32?) -> PostAudience {
    switch self {
    case .everyone, .unlisted: .followers
    case .followers: .direct
    case .parent: visibility == Self.directVisibility ? .parent : .direct
    case .direct: visibility.map(Self.isNarrow) == true ? .parent : .everyone
    }
  }

  private static let directVisibility: UInt32 = 4

  /// True for posts that not everyone can see, by their visibility.
  static func isNarrow(_ visibility: UInt32) -> Bool { visibility > 2 }

  /// True for a direct post, by its visibility.
  static func isDirect(_ visibility: UInt32) -> Bool { visibility == directVisibility }

  /// The audience of a draft that was saved with a visibility; nil for one that a client of an earlier version saved.
  init?(_ visibility: ComposeVisibility?) {
    switch visibility {
    case nil: return nil
    case .everybody: self = .everyone
    case .unlisted: self = .unlisted
    case .followers: self = .followers
    case .direct: self = .direct
    }
  }

  /// Says who may see a post, which replies to `parent` or to none.
  func words(_ parent: RowContent.Fields?) -> String {
    switch self {
    case .everyone: "Everyone can see this."
    case .unlisted: "Everyone can see this; it is unlisted."
    case .followers: "Only your followers can see this."
    case .direct: "Only you and the people it names with @ can see this."
    case .parent where parent?.visibility == Self.directVisibility:
      "Only the people of this conversation can see this."
    case .parent: "Only those who can see the post it replies to can see this."
    }
  }

  /// The visibility to send. The daemon narrows that of a reply.
  var visibility: ComposeVisibility {
    switch self {
    case .everyone, .parent: .everybody
    case .unlisted: .unlisted
    case .followers: .followers
    case .direct: .direct
    }
  }
}

/// What is written of a post, and who may see it.
struct WrittenPost: Equatable {
  var text: String
  var audience: PostAudience
  /// A line that is shown in place of the text; empty for none.
  var warning = ""
  /// The tag of its language; empty if unknown.
  var language = ""
  /// The path of its file; empty for none. Drafts do not keep it.
  var file = ""
  /// The description of the file; "-" for none.
  var description = ""
}
