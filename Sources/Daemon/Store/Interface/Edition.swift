public import Posts

/// Another text for a post that was written here.
public struct Edition: Equatable, Sendable {
  /// Who wrote it, and wants it to say something else.
  public var account: AccountID
  /// The post; a repost stands for its original.
  public var post: PostID
  /// What it says from now on.
  public var text: SafeText
  /// What is marked in `text`.
  public var spans: [Span]
  /// The client's name for this command: the same one again is done once. Empty for none.
  public var requestID: String
  /// The draft of the account that it was, and that goes with it; nil for none.
  public var draft: Int64?

  /// Puts the parts together.
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
