/// The content of a list, and the account that views it and sees only what it is allowed to see.
public enum ListKey: Hashable, Sendable {
  /// The account's own and imported posts, and those of the authors it follows.
  case home(AccountID)
  /// Posts by others that mention the account or reply to it.
  case mentions(AccountID)
  /// The lists that the account made. The rows are not posts.
  case lists(AccountID)
  /// The newest post of each of the account's direct conversations.
  case messages(AccountID)
  /// A direct conversation.
  case direct(AccountID, AudienceGroupID)
  /// Posts of the authors in a list that the account made.
  case made(AccountID, ListID)
  /// An author's posts and reposts.
  case author(AccountID, AuthorID)
  /// The account's own posts and reposts, by any of its identities.
  case own(AccountID)
  /// The results of a search in canonical form; empty if the search is empty.
  case search(AccountID, String)
  /// The conversation around a post.
  case conversation(AccountID, PostID)
  /// The content of a view without a signed-in account.
  case launch
  /// Another list, itself unfiltered, limited by a filter.
  indirect case filtered(ListKey, ListFilter)

  /// The list without its filter.
  public var base: ListKey {
    if case .filtered(let base, _) = self { base } else { self }
  }

  /// The viewing account; nil if the view is not signed in.
  public var account: AccountID? {
    switch self {
    case .home(let account), .mentions(let account), .lists(let account), .messages(let account), .own(let account),
      .direct(let account, _), .made(let account, _), .author(let account, _), .search(let account, _),
      .conversation(let account, _):
      account
    case .launch: nil
    case .filtered(let base, _): base.account
    }
  }

  /// The store's name for the list. The store keeps it filled and reports additions and removals with each commit. Nil
  /// for a list that is computed when it is read.
  public var name: ListName? {
    switch self {
    case .home(let account): .home(account)
    case .mentions(let account): .mentions(account)
    case .messages(let account): .messages(account)
    case .direct(_, let group): .direct(group)
    case .made(let account, let list): .made(account, list)
    case .lists, .author, .own, .search, .conversation, .launch: nil
    case .filtered(let base, _): base.name
    }
  }
}
