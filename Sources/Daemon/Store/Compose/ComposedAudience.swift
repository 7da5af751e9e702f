internal import Posts

/// Decides who may see a local post. The readers of a reply are always readers of its parent.
final class ComposedAudience {
  private let accounts: AccountReader
  private let identities: IdentityLookup
  private let sources: Sources
  private let groups: AudienceGroups

  init(_ connection: Connection, identities: IdentityLookup, sources: Sources, groups: AudienceGroups) {
    accounts = AccountReader(connection)
    (self.identities, self.sources, self.groups) = (identities, sources, groups)
  }

  /// Returns the audience of a new post with this visibility.
  func audience(
    of composition: Composition, _ visibility: Visibility, by account: Account, replyingTo parent: ReplyParent?
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
      case .group(let group):
        if asksForFew {
          return try audience(naming: composition.recipients, by: account, replyingTo: parent, for: group)
        }
        guard let leader = try groups.leader(of: group) else { return .group(group) }
        // A former follower may reply to its own retained post; the reply goes to the group that retains it.
        let followers = try groups.followers(of: leader)
        return .group(try groups.members(of: followers).contains(account.id) ? followers : group)
      case .everyone, .nobody: break
      }
    }
    switch visibility {
    case .public, .unlisted: return .everyone
    case .followers: return .group(try groups.followers(of: account))
    case .direct: return try audience(of: try recipients(composition.recipients, in: nil), by: account)
    }
  }

  /// Returns the audience of a direct reply to a post in a group. In a direct conversation it is the conversation,
  /// regardless of mentions; among an account's followers it is the mentioned accounts and the parent's author.
  private func audience(
    naming names: [String], by account: Account, replyingTo parent: ReplyParent, for group: AudienceGroupID
  ) throws -> Audience {
    var people = try recipients(names, in: try groups.members(of: group))
    if try groups.leader(of: group) == nil { return .group(group) }
    if parent.owner != account.id { people.insert(parent.owner) }
    return try audience(of: people, by: account)
  }

  /// Returns the audience of a direct conversation between `people` and the writer.
  private func audience(of people: Set<AccountID>, by account: Account) throws -> Audience {
    if people.isEmpty { throw Refusal.namesNobody }
    let people = people.union([account.id])
    guard people.count <= StoreLimits.people else {
      throw Refusal.tooMany("people in a conversation", limit: StoreLimits.people)
    }
    return .group(try groups.conversation(of: people))
  }

  /// Returns the accounts with these names, matched exactly or, failing that, ignoring case. Refuses an account that is
  /// not in `group`.
  private func recipients(_ names: [String], in group: Set<AccountID>?) throws -> Set<AccountID> {
    var people: Set<AccountID> = []
    for name in names {
      let meant = try accounts(meantBy: name)
      guard meant.count == 1 else { throw Refusal.noSuchRecipient(name) }
      if let group, !group.contains(meant[0]) { throw Refusal.answersFewer(name) }
      people.insert(meant[0])
    }
    return people
  }

  private func accounts(meantBy name: String) throws(StoreError) -> [AccountID] {
    if let account = try accounts.account(named: name) { return [account.id] }
    return try identities.all().accounts(named: SafeText(line: name), in: sources.local())
  }
}
