internal import Posts

/// Decides who may see a post that is written here: nobody who may not see what it answers.
struct ComposedAudience {
  private let accounts: AccountReader
  private let identities: IdentityLookup
  private let sources: Sources
  private let circles: Circles

  init(_ connection: Connection, identities: IdentityLookup, sources: Sources, circles: Circles) {
    accounts = AccountReader(connection)
    (self.identities, self.sources, self.circles) = (identities, sources, circles)
  }

  /// Who may see a new post of this visibility.
  func audience(
    of composition: Composition, _ visibility: Visibility, by account: Account, answering parent: ReplyParent?
  ) throws -> Audience {
    let asksForFew = composition.body.visibility == .direct
    if let parent {
      switch parent.audience {
      case .only:
        if asksForFew {
          for name in composition.recipients where try accounts(meantBy: name).contains(where: { $0 != account.id }) {
            throw Refusal.answersPrivate(name)
          }
        }
        return .only(account.id)
      case .circle(let circle):
        if asksForFew {
          return try audience(naming: composition.recipients, by: account, answering: parent, for: circle)
        }
        guard let leader = try circles.leader(of: circle) else { return .circle(circle) }
        // Somebody who follows no longer may answer what is kept of their own, in the circle where it is kept.
        let followers = try circles.followers(of: leader)
        return .circle(try circles.members(of: followers).contains(account.id) ? followers : circle)
      case .everyone, .nobody: break
      }
    }
    switch visibility {
    case .public, .unlisted: return .everyone
    case .followers: return .circle(try circles.followers(of: account))
    case .direct: return try audience(of: try recipients(composition.recipients, in: nil), by: account)
    }
  }

  /// Who may see an answer that is to be for few, to what is for a circle: those of a direct conversation, whoever of
  /// them it names; of an account's followers, those whom it names and whom it answers.
  private func audience(
    naming names: [String], by account: Account, answering parent: ReplyParent, for circle: CircleID
  ) throws -> Audience {
    var people = try recipients(names, in: try circles.members(of: circle))
    if try circles.leader(of: circle) == nil { return .circle(circle) }
    if parent.owner != account.id { people.insert(parent.owner) }
    return try audience(of: people, by: account)
  }

  /// The people of a direct conversation, with whoever writes to them.
  private func audience(of people: Set<AccountID>, by account: Account) throws -> Audience {
    if people.isEmpty { throw Refusal.namesNobody }
    let people = people.union([account.id])
    guard people.count <= StoreLimits.people else { throw Refusal.tooMany("people", limit: StoreLimits.people) }
    return .circle(try circles.conversation(of: people))
  }

  /// The accounts of these names; where none has it to the letter, in whatever case. Somebody who is not in `circle` is
  /// refused.
  private func recipients(_ names: [String], in circle: Set<AccountID>?) throws -> Set<AccountID> {
    var people: Set<AccountID> = []
    for name in names {
      let meant = try accounts(meantBy: name)
      guard meant.count == 1 else { throw Refusal.noSuchRecipient(name) }
      if let circle, !circle.contains(meant[0]) { throw Refusal.answersFewer(name) }
      people.insert(meant[0])
    }
    return people
  }

  private func accounts(meantBy name: String) throws(StoreError) -> [AccountID] {
    if let account = try accounts.account(named: name) { return [account.id] }
    return try identities.all().accounts(named: SafeText(line: name), in: sources.local())
  }
}
