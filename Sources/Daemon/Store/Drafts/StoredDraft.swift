public import Dates
public import Posts

/// An unfinished text of an account, kept until it is posted or discarded.
public struct StoredDraft: Equatable, Sendable {
  /// The purpose of a draft.
  public enum Subject: Equatable, Sendable {
    /// A new post.
    case post
    /// A reply to a post.
    case answer(to: PostID)
    /// A new text for an existing post.
    case edit(of: PostID)
  }

  /// The store's ID for the draft; never reused.
  public var id: Int64
  public var subject: Subject
  public var text: SafeText
  /// Time of the last save.
  public var updatedAt: Instant
  /// Who is to see the post; nil if no client has said.
  public var visibility: Visibility?
  /// A line to be shown in place of the text; empty for none.
  public var contentWarning: SafeText
  /// BCP 47 tag of the text's language; empty if unknown.
  public var language: SafeText

  public init(
    id: Int64, subject: Subject, text: SafeText, updatedAt: Instant, visibility: Visibility? = nil,
    contentWarning: SafeText = .empty, language: SafeText = .empty
  ) {
    self.id = id
    self.subject = subject
    self.text = text
    self.updatedAt = updatedAt
    self.visibility = visibility
    (self.contentWarning, self.language) = (contentWarning, language)
  }
}

/// A state of a draft to be saved.
public struct SavedDraft: Equatable, Sendable {
  /// The account that owns the draft.
  public var account: AccountID
  /// The draft to update; nil for a new one.
  public var draft: Int64?
  public var subject: StoredDraft.Subject
  /// A text without a visible character deletes the draft.
  public var text: SafeText
  public var at: Instant
  /// Who is to see the post; nil for none yet.
  public var visibility: Visibility?
  /// A line to be shown in place of the text; empty for none.
  public var contentWarning: SafeText
  /// BCP 47 tag of the text's language; empty if unknown.
  public var language: SafeText
  /// The client's name for a new draft. A client that missed the response, and so the draft's ID, updates the draft
  /// under this name. Empty for none.
  public var requestID: String

  public init(
    account: AccountID, draft: Int64? = nil, subject: StoredDraft.Subject, text: SafeText, at: Instant,
    visibility: Visibility? = nil, contentWarning: SafeText = .empty, language: SafeText = .empty,
    requestID: String = ""
  ) {
    self.account = account
    self.draft = draft
    self.subject = subject
    self.text = text
    self.at = at
    self.visibility = visibility
    (self.contentWarning, self.language) = (contentWarning, language)
    self.requestID = requestID
  }
}

extension StoredDraft.Subject {
  /// The post that is replied to or edited; nil for a new post.
  public var post: PostID? {
    switch self {
    case .post: nil
    case .answer(let post), .edit(let post): post
    }
  }
}
