/// Which rows a list holds, and for whom: the account that looks, and sees only what it may see.
public enum ListKey: Hashable, Sendable {
  /// What the account wrote and imported, and what those wrote whom it follows.
  case home(AccountID)
  /// Posts of others that name it or answer it.
  case mentions(AccountID)
  /// The lists that it made: its rows are no posts.
  case lists(AccountID)
  /// The newest post of each of its direct conversations.
  case messages(AccountID)
  /// A direct conversation.
  case direct(AccountID, CircleID)
  /// Posts of the authors of a list that it made.
  case made(AccountID, ListID)
  /// An author's posts and reposts.
  case author(AccountID, AuthorID)
  /// The account's own posts and reposts, by any of its identities.
  case own(AccountID)
  /// What a search finds, by its canonical form; nothing where that is empty.
  case search(AccountID, String)
  /// The conversation around a post.
  case conversation(AccountID, PostID)
  /// What a view shows that is not signed in.
  case launch
  /// Of another list, which is none of these, what a filter lets through.
  indirect case filtered(ListKey, ListFilter)

  /// The list without its filter.
  public var base: ListKey {
    if case .filtered(let base, _) = self { base } else { self }
  }

  /// Who looks; nobody where that is not signed in.
  public var account: AccountID {
    switch self {
    case .home(let account), .mentions(let account), .lists(let account), .messages(let account), .own(let account),
      .direct(let account, _), .made(let account, _), .author(let account, _), .search(let account, _),
      .conversation(let account, _):
      account
    case .launch: AccountID(0)
    case .filtered(let base, _): base.account
    }
  }

  /// What the store calls it, which keeps it filled and says with each commit what came into it and went; nil for what
  /// is found out when it is read.
  public var name: ListName? {
    switch self {
    case .home(let account): .home(account)
    case .mentions(let account): .mentions(account)
    case .messages(let account): .messages(account)
    case .direct(_, let circle): .direct(circle)
    case .made(let account, let list): .made(account, list)
    case .lists, .author, .own, .search, .conversation, .launch: nil
    case .filtered(let base, _): base.name
    }
  }
}
