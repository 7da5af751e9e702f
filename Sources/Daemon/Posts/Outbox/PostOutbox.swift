/// All that is wanted of a source for one post, in order: what is sent next, and what an answer means.
///
/// At most one thing of a post is asked at a time, and each account wants at most one thing more of each kind behind
/// it: fast toggles end in the last state wanted, and two that cancel each other out before anything was sent send
/// nothing. Nothing is taken as done or not done before the source has said so: what is unanswered is asked again under
/// the same name. A value without a clock; who has it keeps it in a store and carries out what its methods return.
public struct PostOutbox: Equatable, Sendable {
  /// What is wanted, in the order in which it is asked for.
  public private(set) var entries: [OutboxEntry]
  /// Gives what is newly asked its place and its name.
  private var numbers: OutboxNumbers

  /// What follows for the post here.
  public enum Consequence: Equatable, Sendable {
    /// An account's mark is to be as it says; a repost was made at the instant that is last.
    case mark(OutboxEntry.Errand, AccountID, Bool, Int64)
    /// The source has an account's mark, or has it no more, and counts it so.
    case told(OutboxEntry.Errand, AccountID, Bool)
    /// The source has the post: who may see it, see it, unless it is hidden.
    case confirmed(audience: Int64, isHidden: Bool)
    /// It is to be seen by nobody.
    case hidden
    /// It is to be seen again, by those who might before.
    case restored(audience: Int64)
    /// It is to go, with all that is wanted of it.
    case removed
  }

  /// What is wanted of one post, in order.
  public init(_ entries: [OutboxEntry], numbers: OutboxNumbers) {
    self.entries = entries.sorted { $0.sequence < $1.sequence }
    self.numbers = numbers
  }

  /// The last place that was given.
  public var lastSequence: Int64 { numbers.last }

  /// Whether the source has not said yet that it has the post.
  public var isUnconfirmed: Bool { index(.post) != nil }

  /// What an account sees of how its wishes stand: whether any waits, and why the first was refused that was.
  public func standing(of account: AccountID) -> (isPending: Bool, failure: SafeText?) {
    let own = entries.filter { $0.account == account }
    return (own.contains { !$0.isFailed }, own.lazy.compactMap(\.failure).first)
  }

  // MARK: Wishes

  /// Notes that an account has written the post, for `audience`.
  public mutating func write(by account: AccountID, audience: Int64) {
    add(account, .post, wanted: true, kept: audience)
  }

  /// Notes that an account wants a mark to be so, which `was` shown so or otherwise; a repost was or is made at
  /// `madeAt`, in milliseconds.
  public mutating func want(
    _ errand: OutboxEntry.Errand, _ isOn: Bool, was: Bool, by account: AccountID, madeAt: Int64 = 0
  ) {
    guard let index = index(errand, account) else {
      if isOn != was { add(account, errand, wanted: isOn, kept: madeAt) }
      return
    }
    if entries[index].asked != nil {
      entries[index].wanted = isOn
    } else if entries[index].truth == isOn {
      entries.remove(at: index)
    } else if entries[index].isFailed {
      entries[index].wanted = isOn
      renew(index)
    }
  }

  /// Notes that the post's author wants it deleted; `audience` may see it now.
  public mutating func delete(by account: AccountID, audience: Int64) -> Consequence {
    if let post = index(.post), entries[post].asked == nil {
      entries = []
      return .removed
    }
    let final = index(.post).map { entries[$0].kept } ?? audience
    if let index = index(.delete) {
      if entries[index].isFailed { renew(index) }
    } else {
      add(account, .delete, wanted: true, kept: final)
    }
    return .hidden
  }

  /// Has what was refused of an account's wishes asked for anew. Nothing happens where nothing was.
  public mutating func retry(by account: AccountID) -> [Consequence] {
    let failed = entries.filter { $0.account == account && $0.isFailed }
    return failed.compactMap { entry in
      renew(index(entry.errand, account)!)
      switch entry.errand {
      case .post: return nil
      case .favourite, .repost: return .mark(entry.errand, account, entry.wanted, entry.kept)
      case .delete: return .hidden
      }
    }
  }

  /// Forgets what was refused of an account's wishes. A post that the source has not, and that it is not being asked
  /// for, goes. Nil where there is nothing to forget.
  public mutating func discard(by account: AccountID) -> [Consequence]? {
    if let post = index(.post, account), entries[post].asked == nil {
      entries = []
      return [.removed]
    }
    guard entries.contains(where: { $0.account == account && $0.isFailed }) else { return nil }
    entries.removeAll { $0.account == account && $0.isFailed }
    return []
  }

  // MARK: The source

  /// What is to be sent next, which is noted; nil while something is being asked, or where there is nothing.
  public mutating func next() -> OutboxEntry? {
    guard !entries.contains(where: { $0.asked != nil }) else { return nil }
    // Before it is there nothing else can be done to it.
    guard let index = index(.post) ?? entries.firstIndex(where: { !$0.isFailed }), !entries[index].isFailed else {
      return nil
    }
    entries[index].asked = entries[index].wanted
    return entries[index]
  }

  /// Takes the source's answer to what is asked under a name. What was answered before, or never asked, says nothing.
  public mutating func answered(_ request: String, _ refusal: SafeText?) -> [Consequence] {
    guard let index = entries.firstIndex(where: { $0.request == request }), let asked = entries[index].asked else {
      return []
    }
    entries[index].asked = nil
    let entry = entries[index]
    guard let refusal else { return done(entry, asked, index) }
    switch entry.errand {
    case .favourite, .repost:
      // Who has changed their mind meanwhile has what they want.
      guard entry.wanted != entry.truth else {
        entries.remove(at: index)
        return []
      }
      entries[index].failure = refusal
      return [.mark(entry.errand, entry.account, entry.truth, entry.kept)]
    case .post:
      if self.index(.delete) != nil {
        entries = []
        return [.removed]
      }
      entries[index].failure = refusal
      return []
    case .delete:
      entries[index].failure = refusal
      return [.restored(audience: entry.kept)]
    }
  }

  private mutating func done(_ entry: OutboxEntry, _ asked: Bool, _ index: Int) -> [Consequence] {
    switch entry.errand {
    case .favourite, .repost:
      entries[index].truth = asked
      if entry.wanted == asked { entries.remove(at: index) } else { renew(index) }
      return [.told(entry.errand, entry.account, asked)]
    case .post:
      entries.remove(at: index)
      return [.confirmed(audience: entry.kept, isHidden: self.index(.delete) != nil)]
    case .delete:
      entries = []
      return [.removed]
    }
  }

  // MARK: Parts

  private func index(_ errand: OutboxEntry.Errand, _ account: AccountID? = nil) -> Int? {
    entries.firstIndex { $0.errand == errand && (account == nil || $0.account == account) }
  }

  private mutating func add(_ account: AccountID, _ errand: OutboxEntry.Errand, wanted: Bool, kept: Int64) {
    let (sequence, request) = numbers.next()
    entries.append(
      OutboxEntry(sequence: sequence, request: request, account: account, errand, wanted: wanted, kept: kept))
  }

  /// Has an entry asked for under another name, after all others.
  private mutating func renew(_ index: Int) {
    var entry = entries.remove(at: index)
    (entry.sequence, entry.request) = numbers.next()
    (entry.asked, entry.failure) = (nil, nil)
    entries.append(entry)
  }
}

/// The places and names that are given to what is asked: no two of a store, or of two stores, are the same.
public struct OutboxNumbers: Equatable, Sendable {
  /// What no other store's names begin with.
  let prefix: String
  /// The last one given.
  public private(set) var last: Int64

  /// Those that come after `last`.
  public init(prefix: String, last: Int64) { (self.prefix, self.last) = (prefix, last) }

  mutating func next() -> (Int64, String) {
    last += 1
    return (last, "\(prefix)-\(last)")
  }
}
