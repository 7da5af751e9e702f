public import Posts

/// Something that an account does to find a post again, as a search finds it: `is:saved`, `is:favourited`.
///
/// A post has a facet for each account that has it so, with the account's number. A query has one without a number,
/// until it is bound to the account that searches (``SearchQuery/bound(to:)``); so no account finds what others saved.
enum KeptState: String, CaseIterable {
  case saved
  case favourited

  private var mark: Mark { self == .saved ? .saved : .favourited }

  /// The name of the facet in a query.
  private var facetName: [UInt8] { Array(rawValue.utf8) }

  /// The token of the facet in a query.
  var token: [UInt8] { [Facet.has] + facetName }

  /// Returns the name of the facet of an account.
  private func name(for account: AccountID) -> [UInt8] { facetName + Array(String(account.rawValue).utf8) }

  /// Returns the state whose facet a query's token is.
  init?(token: [UInt8]) {
    guard token.first == Facet.has, let state = Self.allCases.first(where: { $0.token == token }) else { return nil }
    self = state
  }

  /// Returns the token of the facet of an account.
  func token(for account: AccountID) -> [UInt8] { [Facet.has] + name(for: account) }

  /// Returns the names of the facets of a post, in order. O(accounts), O(1) without marks.
  static func facets(_ marks: PostMarks, owner: AccountID, imported: PostFlags) -> [[UInt8]] {
    if marks.isEmpty, imported.isDisjoint(with: [.saved, .favourited]) { return [] }
    return allCases.flatMap { state in
      marks.accounts(with: state.mark, owner: owner, imported: imported).map { state.name(for: $0) }
    }
  }
}

extension SearchText {
  /// Adds the facets of the accounts that have saved or favourited a post of `owner`; `imported` is what its import
  /// reported.
  public mutating func add(marks: PostMarks, owner: AccountID, imported: PostFlags) {
    for name in KeptState.facets(marks, owner: owner, imported: imported) { add(facet: Facet.has, name.span) }
  }
}

extension SearchQuery {
  /// True if what it finds depends on the account that searches, beyond what that account may see.
  public var isPersonal: Bool { (required + excluded).contains { $0.keptState != nil } }

  /// Returns the query of an account: `is:saved` is what this account saved. The canonical spelling is the same.
  public func bound(to account: AccountID) -> SearchQuery {
    guard isPersonal else { return self }
    var query = self
    query.required = required.map { $0.bound(to: account) }
    query.excluded = excluded.map { $0.bound(to: account) }
    return query
  }
}

extension SearchTerm {
  /// The state of a post that the term requires; nil for words and other facets.
  var keptState: KeptState? { KeptState(token: tokens[0]) }

  fileprivate func bound(to account: AccountID) -> SearchTerm {
    keptState.map { SearchTerm(token: $0.token(for: account)) } ?? self
  }
}
