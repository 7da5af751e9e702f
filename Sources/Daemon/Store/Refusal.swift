public import Posts

/// Why a write was not done, through no fault of the disk.
public enum Refusal: Error, Equatable, Sendable {
  /// There is none, or the account may not see it: no difference is made, so that nothing is given away.
  case noSuchPost(PostID)
  /// No account has this number.
  case noSuchAccount(AccountID)
  /// Nothing of theirs has been imported, or it is another account's own author.
  case noSuchAuthor(source: String, nativeID: String)
  /// The account has no session of this name.
  case noSuchSession(String)
  /// Longer than ``StoreLimits`` allows; which, and how many bytes it may have.
  case tooLong(String, limit: Int)
  /// Names of accounts and sessions may not be empty.
  case emptyName
}

extension Refusal: CustomStringConvertible {
  /// One line for the user.
  public var description: String {
    switch self {
    case .noSuchPost(let id): "there is no post \(id.rawValue)"
    case .noSuchAccount(let id): "there is no account \(id.rawValue)"
    case .noSuchAuthor(let source, let nativeID):
      "there is no author \(source):\(nativeID): import something of theirs first"
    case .noSuchSession(let name): "there is no session \(name)"
    case .tooLong(let what, let limit): "\(what) is longer than \(limit) bytes"
    case .emptyName: "a name may not be empty"
    }
  }
}
