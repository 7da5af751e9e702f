public import Posts

/// A new text for a local post.
public struct Edition: Equatable, Sendable {
  /// The author's account.
  public var account: AccountID
  /// The post to edit; a repost stands for its original.
  public var post: PostID
  /// The new text.
  public var text: SafeText
  /// Spans of `text`.
  public var spans: [Span]
  /// The client's name for this command, which makes retries idempotent. Empty for none.
  public var requestID: String
  /// The account's draft of this text, deleted with the edit; nil for none.
  public var draft: Int64?

  public init(
    account: AccountID, post: PostID, text: SafeText, spans: [Span], requestID: String = "", draft: Int64? = nil
  ) {
    self.account = account
    self.post = post
    self.text = text
    self.spans = spans
    self.requestID = requestID
    self.draft = draft
  }
}
