internal import Posts

/// The attempts to sign in that accounts have begun, so that nobody else can finish them. Pure.
struct SignInAttempts {
  /// Maximum number of an account's attempts; a further one replaces its oldest.
  static let accountLimit = 4
  /// Time for which an attempt can be finished.
  static let lifetime = Duration.seconds(600)

  private struct Attempt {
    let number: String
    let source: String
    let account: AccountID
    let keepsBookmarks: Bool
    let deadline: Duration
  }

  /// The oldest first.
  private var attempts: [Attempt] = []

  /// The program of a source has begun an attempt of an account, under a number of its own. O(n).
  ///
  /// - Parameter keepsBookmarks: true if what the account saves is to be kept by the login.
  mutating func begin(
    _ number: String, at source: String, by account: AccountID, keepsBookmarks: Bool, now: Duration
  ) {
    attempts.removeAll { $0.deadline <= now }
    // A program that was restarted counts anew.
    end(number, at: source)
    if attempts.count(where: { $0.account == account }) >= Self.accountLimit,
      let oldest = attempts.firstIndex(where: { $0.account == account })
    {
      attempts.remove(at: oldest)
    }
    attempts.append(
      Attempt(
        number: number, source: source, account: account, keepsBookmarks: keepsBookmarks,
        deadline: now + Self.lifetime))
  }

  /// Returns true if an account may finish an attempt. O(n).
  func isOpen(_ number: String, at source: String, by account: AccountID, now: Duration) -> Bool {
    attempts.contains {
      $0.number == number && $0.source == source && $0.account == account && $0.deadline > now
    }
  }

  /// Returns true if what the account saves is to be kept by the login of an attempt. O(n).
  func keepsBookmarks(_ number: String, at source: String) -> Bool {
    attempts.first { $0.number == number && $0.source == source }?.keepsBookmarks ?? false
  }

  /// An attempt has been finished. O(n).
  mutating func end(_ number: String, at source: String) {
    attempts.removeAll { $0.number == number && $0.source == source }
  }
}
