public import Dates
public import Posts

/// A text that an account has begun, kept until it is a post or is thrown away.
public struct Draft: Equatable, Sendable {
  /// What is to become of it.
  public enum Subject: Equatable, Sendable {
    /// A post of its own.
    case post
    /// An answer to a post.
    case answer(to: PostID)
    /// Another text for a post.
    case edit(of: PostID)
  }

  /// The store's number of it; never given twice.
  public var id: Int64
  public var subject: Subject
  public var text: SafeText
  /// When it was last saved.
  public var updatedAt: Instant

  /// Puts the parts together.
  public init(id: Int64, subject: Subject, text: SafeText, updatedAt: Instant) {
    self.id = id
    self.subject = subject
    self.text = text
    self.updatedAt = updatedAt
  }
}

/// A state of a draft to be kept.
public struct SavedDraft: Equatable, Sendable {
  /// Whose it is.
  public var account: AccountID
  /// The draft that it is a state of; nil for one that is new.
  public var draft: Int64?
  public var subject: Draft.Subject
  /// Where nothing of it is seen, the draft is thrown away.
  public var text: SafeText
  public var at: Instant
  /// The client's name for a new draft: whoever lost the answer, and with it the number, goes on under this. Empty for
  /// none.
  public var requestID: String

  /// Puts the parts together.
  public init(
    account: AccountID, draft: Int64? = nil, subject: Draft.Subject, text: SafeText, at: Instant, requestID: String = ""
  ) {
    self.account = account
    self.draft = draft
    self.subject = subject
    self.text = text
    self.at = at
    self.requestID = requestID
  }
}

extension Draft.Subject {
  /// The post that it is about.
  public var post: PostID? {
    switch self {
    case .post: nil
    case .answer(let post), .edit(let post): post
    }
  }
}
