/// A section that glows while it has something that its account has not seen; the numbers are the store's.
public enum SeenSection: Int64, Sendable, CaseIterable {
  case home = 1
  case mentions = 2
  case messages = 3

  /// The list that it shows.
  public func list(of account: AccountID) -> ListName {
    switch self {
    case .home: .home(account)
    case .mentions: .mentions(account)
    case .messages: .messages(account)
    }
  }
}
