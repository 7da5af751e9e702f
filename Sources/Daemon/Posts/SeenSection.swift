/// A section that is highlighted while it has posts that its account has not seen. Raw values are the store's.
public enum SeenSection: Int64, Sendable, CaseIterable {
  case home = 1
  case mentions = 2
  case messages = 3

  /// Returns the list that the section shows.
  public func list(of account: AccountID) -> ListName {
    switch self {
    case .home: .home(account)
    case .mentions: .mentions(account)
    case .messages: .messages(account)
    }
  }
}
