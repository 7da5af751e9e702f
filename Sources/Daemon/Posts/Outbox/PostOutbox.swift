/// All requests to a source about one post, in order. Decides which is sent next and what a reply means.
///
/// A post has at most one request in flight, and each account at most one more of each operation behind it. Rapid
/// toggles end in the last state requested, and two that cancel each other out before anything was sent send nothing.
/// Nothing counts as done or refused until the source has replied; an unanswered request is repeated under the same ID.
///
/// A value type without a clock. The owner keeps it in a store and carries out the consequences that its methods
/// return.
public struct PostOutbox: Equatable, Sendable {
  /// The requests, in the order in which they are sent.
  public private(set) var entries: [OutboxEntry]
  /// Provides positions and IDs for new requests.
  private var numbers: OutboxNumbers

  /// An effect of a change or a reply on the post here.
  public enum Consequence: Equatable, Sendable {
    /// Set an account's mark; the last value is the instant of a repost in milliseconds.
    case mark(OutboxEntry.Operation, AccountID, Bool, Int64)
    /// The source now has, or no longer has, an account's mark, and counts it accordingly.
    case told(OutboxEntry.Operation, AccountID, Bool)
    /// The source has the post: make it visible to its audience, unless it is hidden.
    case confirmed(audience: Int64, isHidden: Bool)
    /// Hide the post from everyone.
    case hidden
    /// Make the post visible again to its previous audience.
    case restored(audience: Int64)
    /// Delete the post and all requests about it.
    case removed
    /// Show this text of the post.
    case text(EditableText)
  }

  /// Creates the outbox of one post from its entries.
  public init(_ entries: [OutboxEntry], numbers: OutboxNumbers) {
    self.entries = entries.sorted { $0.sequence < $1.sequence }
    self.numbers = numbers
  }

  /// The last position assigned.
  public var lastSequence: Int64 { numbers.last }

  /// True while the source has not confirmed that it has the post.
  public var isUnconfirmed: Bool { index(.post) != nil }

  /// Returns whether an account has pending requests, and the reason of its first refused one.
  public func standing(of account: AccountID) -> (isPending: Bool, failure: SafeText?) {
    let own = entries.filter { $0.account == account }
    return (own.contains { !$0.isFailed }, own.lazy.compactMap(\.failure).first)
  }

  // MARK: Requests

  /// Gives the account's entries that have none a login.
  public mutating func setLogin(_ login: String, of account: AccountID) {
    for index in entries.indices where entries[index].account == account && entries[index].login.isEmpty {
      entries[index].login = login
    }
  }

  /// Records that an account wrote the post for `audience`.
  public mutating func write(by account: AccountID, audience: Int64) {
    add(account, .post, wanted: true, kept: audience)
  }

  /// Records that an account wants a mark set to `isOn`; `was` is the state displayed so far, and `madeAt` the instant
  /// of a repost in milliseconds.
  public mutating func want(
    _ operation: OutboxEntry.Operation, _ isOn: Bool, was: Bool, by account: AccountID, madeAt: Int64 = 0
  ) {
    guard let index = index(operation, account) else {
      if isOn != was { add(account, operation, wanted: isOn, kept: madeAt) }
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

  /// Records that the post's author has changed its text from `former` to `wanted`. A post that has not been sent yet is
  /// sent as it is then.
  public mutating func edit(by account: AccountID, from former: EditableText, to wanted: EditableText) {
    guard let index = index(.edit) else {
      if let post = self.index(.post), entries[post].asked == nil { return }
      add(account, .edit, wanted: true, kept: 0)
      entries[entries.count - 1].texts = OutboxEntry.EditTexts(former: former, wanted: wanted)
      return
    }
    entries[index].texts?.wanted = wanted
    if entries[index].asked != nil { return }
    if entries[index].texts?.former == wanted {
      entries.remove(at: index)
    } else if entries[index].isFailed {
      renew(index)
    }
  }

  /// Returns the text that the source is sent as a new post: the one before an edit that came after it was sent first.
  public func posted(_ text: EditableText) -> EditableText {
    entries.first { $0.operation == .edit }?.texts?.former ?? text
  }

  /// True while the audience of the post is undecided, because its source was asked to take or delete it.
  public var isUndecided: Bool {
    entries.contains { ($0.operation == .post || $0.operation == .delete) && !$0.isFailed }
  }

  /// Records the text that the source says the post has. Returns the text to show instead: that of an edit which the
  /// source does not have yet.
  public mutating func noteSource(_ text: EditableText) -> EditableText? {
    guard let index = index(.edit) else { return nil }
    entries[index].texts?.former = text
    return entries[index].isFailed ? nil : entries[index].texts?.wanted
  }

  /// Records that the post's author wants it deleted; `audience` is its current audience.
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

  /// Repeats the account's refused requests; does nothing if there are none.
  public mutating func retry(by account: AccountID) -> [Consequence] {
    let failed = entries.filter { $0.account == account && $0.isFailed }
    return failed.compactMap { entry in
      renew(index(entry.operation, account)!)
      switch entry.operation {
      case .post: return nil
      case .favourite, .repost, .save: return .mark(entry.operation, account, entry.wanted, entry.kept)
      case .delete: return .hidden
      case .edit: return entry.texts.map { .text($0.wanted) }
      }
    }
  }

  /// Drops the account's refused requests; with `givingUp`, also those that wait for the source, whatever it has been
  /// sent. A post that the source does not have, and is not being asked for, is deleted; with `givingUp`, also one that
  /// it is being asked for. Returns nil if there is nothing to drop.
  public mutating func discard(by account: AccountID, givingUp: Bool = false) -> [Consequence]? {
    if let post = index(.post, account), givingUp || entries[post].asked == nil {
      entries = []
      return [.removed]
    }
    let dropped = entries.filter { $0.account == account && (givingUp || $0.isFailed) }
    guard !dropped.isEmpty else { return nil }
    entries.removeAll { $0.account == account && (givingUp || $0.isFailed) }
    return dropped.compactMap { entry in
      switch entry.operation {
      case .post: nil
      case .favourite, .repost, .save:
        entry.shown == entry.truth ? nil : .mark(entry.operation, account, entry.truth, entry.kept)
      case .delete: entry.isFailed ? nil : .restored(audience: entry.kept)
      case .edit: entry.isFailed ? nil : entry.texts.map { .text($0.former) }
      }
    }
  }

  // MARK: Replies of the source

  /// Returns the next request to send and records that it is in flight; nil while another one is, or if there is none.
  public mutating func next() -> OutboxEntry? {
    guard !entries.contains(where: { $0.asked != nil }) else { return nil }
    // Nothing else can be done to the post before it exists at the source.
    guard let index = index(.post) ?? entries.firstIndex(where: { !$0.isFailed }), !entries[index].isFailed else {
      return nil
    }
    entries[index].asked = entries[index].wanted
    let wanted = entries[index].texts?.wanted
    entries[index].texts?.sent = wanted
    return entries[index]
  }

  /// Applies the source's reply to a request. Ignores replies to requests that were answered before or never sent.
  public mutating func answered(_ request: String, _ refusal: SafeText?) -> [Consequence] {
    guard let index = entries.firstIndex(where: { $0.request == request }), let asked = entries[index].asked else {
      return []
    }
    entries[index].asked = nil
    let entry = entries[index]
    guard let refusal else { return done(entry, asked, index) }
    switch entry.operation {
    case .favourite, .repost, .save:
      // If the account has changed its mind since, the source's state is the requested one.
      guard entry.wanted != entry.truth else {
        entries.remove(at: index)
        return []
      }
      entries[index].failure = refusal
      return [.mark(entry.operation, entry.account, entry.truth, entry.kept)]
    case .post:
      if self.index(.delete) != nil {
        entries = []
        return [.removed]
      }
      entries[index].failure = refusal
      // It is sent again as it is now.
      entries.removeAll { $0.operation == .edit }
      return []
    case .delete:
      entries[index].failure = refusal
      return [.restored(audience: entry.kept)]
    case .edit:
      if let texts = entry.texts, texts.former == texts.wanted {
        entries.remove(at: index)
        return []
      }
      // A later text may be one that the source takes.
      if let texts = entry.texts, texts.sent != texts.wanted {
        renew(index)
        return []
      }
      entries[index].failure = refusal
      return entry.texts.map { [.text($0.former)] } ?? []
    }
  }

  private mutating func done(_ entry: OutboxEntry, _ asked: Bool, _ index: Int) -> [Consequence] {
    switch entry.operation {
    case .favourite, .repost, .save:
      entries[index].truth = asked
      if entry.wanted == asked { entries.remove(at: index) } else { renew(index) }
      // Bookmarks are not counted.
      return entry.operation == .save ? [] : [.told(entry.operation, entry.account, asked)]
    case .post:
      entries.remove(at: index)
      return [.confirmed(audience: entry.kept, isHidden: self.index(.delete) != nil)]
    case .delete:
      entries = []
      return [.removed]
    case .edit:
      guard let texts = entry.texts, let sent = texts.sent, sent != texts.wanted else {
        entries.remove(at: index)
        return []
      }
      entries[index].texts?.former = sent
      renew(index)
      return []
    }
  }

  // MARK: Helpers

  private func index(_ operation: OutboxEntry.Operation, _ account: AccountID? = nil) -> Int? {
    entries.firstIndex { $0.operation == operation && (account == nil || $0.account == account) }
  }

  private mutating func add(_ account: AccountID, _ operation: OutboxEntry.Operation, wanted: Bool, kept: Int64) {
    let (sequence, request) = numbers.next()
    entries.append(
      OutboxEntry(sequence: sequence, request: request, account: account, operation, wanted: wanted, kept: kept))
  }

  /// Repeats an entry under a new request ID, after all others.
  private mutating func renew(_ index: Int) {
    var entry = entries.remove(at: index)
    (entry.sequence, entry.request) = numbers.next()
    (entry.asked, entry.failure) = (nil, nil)
    entries.append(entry)
  }
}

/// Positions and request IDs for entries, unique within a store and across stores.
public struct OutboxNumbers: Equatable, Sendable {
  /// The prefix of this store's request IDs, unique to the store.
  let prefix: String
  /// The last position assigned.
  public private(set) var last: Int64

  /// Creates the numbers that follow `last`.
  public init(prefix: String, last: Int64) { (self.prefix, self.last) = (prefix, last) }

  mutating func next() -> (Int64, String) {
    last += 1
    return (last, "\(prefix)-\(last)")
  }
}
