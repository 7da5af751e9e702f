import Posts
import Testing

@testable import Store

extension ModelWorld {
  /// Blocks or unblocks an author.
  mutating func block() throws {
    let (account, author) = (account(), author())
    let isOn = Int.random(in: 0..<3, using: &random) > 0
    let outcome = try commit(.mute(MuteChange(account: account, subject: .blocked(author), isOn: isOn)))
    guard !isOn || !model.identities[account]!.contains(author) else {
      #expect(outcome == .refused(.quietAboutOneself))
      return
    }
    guard case .muted(let muted) = outcome else { throw Unexpected(outcome) }
    #expect(muted.hasChanged == (model.blocked[account, default: []].contains(author) != isOn))
    guard muted.hasChanged else { return }
    guard isOn else {
      model.blocked[account]?.remove(author)
      return
    }
    model.blocked[account, default: []].insert(author)
    let (accounts, authors) = people(as: author)
    #expect(muted.hasUnfollowed == !model.follows[account]!.isDisjoint(with: authors))
    model.follows[account]!.subtract(authors)
    for other in accounts { model.follows[other]!.subtract(model.identities[account]!) }
  }

  /// Returns the refusal of a new follow across a block; nil if there is none.
  func refusal(of author: AuthorID, followedBy account: AccountID) -> Refusal? {
    let (accounts, authors) = people(as: author)
    if !model.blocked[account, default: []].isDisjoint(with: authors) { return .blocked }
    let isBlocked = accounts.contains { !model.blocked[$0, default: []].isDisjoint(with: model.identities[account]!) }
    return isBlocked ? .notToBeFollowed : nil
  }

  /// Returns the accounts that have claimed an author, and all their authors.
  private func people(as author: AuthorID) -> (accounts: [AccountID], authors: Set<AuthorID>) {
    let accounts = model.accounts.filter { model.identities[$0]!.contains(author) }
    return (accounts, accounts.reduce([author]) { $0.union(model.identities[$1]!) })
  }
}
