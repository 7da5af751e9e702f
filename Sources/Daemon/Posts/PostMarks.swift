/// The marks that accounts of this daemon made on a post: favourites, reposts, saves and others, with their effect on
/// its counts.
///
/// The source's own report is in ``PostBody``. Marks are packed, so that a post without marks costs nothing:
///
///     marks      = "" / difference [replies] *entry
///     difference = signed-varint signed-varint  ; to add to the source's reposts and favourites
///     replies    = %x00 varint                  ; the number of replies written here
///     entry      = varint mark [failure]        ; the account's distance to the previous one, never 0
///     mark       = OCTET [OCTET]                ; see `Mark`; bit 3 of the first announces the second
///     failure    = varint *OCTET                ; the reason and its length, only with `Mark.failed`
///
/// Entries are in ascending order of accounts. The owner's marks are those of the import until the owner changes one.
/// From then on the owner has an entry, even an empty one.
public struct PostMarks: Equatable, Sendable {
  public private(set) var bytes: [UInt8]

  /// No marks.
  public static let none = PostMarks(trusted: [])

  /// Wraps bytes made by this type earlier, as read back from the store. A damaged part reads as no marks.
  public init(trusted bytes: [UInt8]) { self.bytes = bytes }

  /// True if there are no marks.
  public var isEmpty: Bool { bytes.isEmpty }

  /// Returns the mark of `account` on a post of `owner`, for whom the import reported `imported`. O(accounts).
  public func mark(of account: AccountID, owner: AccountID, imported: PostFlags) -> Mark {
    guard !isEmpty else { return account == owner ? Mark(imported) : [] }
    return unpacked().marks.first { $0.account == account.rawValue }?.mark ?? (account == owner ? Mark(imported) : [])
  }

  /// Returns the accounts with all of `mark` on a post of `owner`, for whom the import reported `imported`, ascending.
  /// O(accounts).
  public func accounts(with mark: Mark, owner: AccountID, imported: PostFlags) -> [AccountID] {
    let marks = unpacked().marks
    var accounts = marks.filter { $0.mark.isSuperset(of: mark) }.map { AccountID($0.account) }
    if !marks.contains(where: { $0.account == owner.rawValue }), Mark(imported).isSuperset(of: mark) {
      accounts.append(owner)
    }
    return accounts.sorted { $0.rawValue < $1.rawValue }
  }

  /// Returns the reason why a source refused an action of `account`; nil if it refused none. O(accounts).
  public func failure(of account: AccountID) -> SafeText? {
    guard !isEmpty, let entry = unpacked().marks.first(where: { $0.account == account.rawValue }) else { return nil }
    return entry.mark.contains(.failed) ? SafeText(trusted: entry.failure) : nil
  }

  /// True if an account beside `owner` has favourited, reposted or saved the post. O(accounts).
  public func isUsed(besides owner: AccountID) -> Bool {
    !isEmpty
      && unpacked().marks.contains {
        $0.account != owner.rawValue && !$0.mark.isDisjoint(with: [.favourited, .reposted, .saved])
      }
  }

  /// True if an account has a part in a post of `owner`, for whom the import reported `imported`: has favourited,
  /// reposted or saved it, marked it as unread, or waits for its source. O(accounts).
  public func isUsed(withOwner owner: AccountID, imported: PostFlags) -> Bool {
    let marks: Mark = [.favourited, .reposted, .saved, .unread, .pending, .failed]
    let entries = isEmpty ? [] : unpacked().marks
    if entries.contains(where: { !$0.mark.isDisjoint(with: marks) }) { return true }
    return !Mark(imported).isDisjoint(with: marks) && !entries.contains { $0.account == owner.rawValue }
  }

  /// True unless it is certain that the same accounts have saved and favourited the post as with `other` marks, whatever
  /// the import reported. O(accounts).
  public func mayKeepOthers(than other: PostMarks) -> Bool {
    func kept(_ marks: PostMarks) -> [Int64: Mark] {
      var kept: [Int64: Mark] = [:]
      for entry in marks.unpacked().marks {
        // An entry without either may stand for what the owner took back.
        kept[entry.account] = entry.mark.intersection([.saved, .favourited])
      }
      return kept
    }
    return kept(self) != kept(other)
  }

  /// Records the state of an account's requests to the post's source: whether any is pending, and why one was refused.
  /// Returns true if that is a change. O(accounts).
  @discardableResult
  public mutating func noteDelivery(
    isPending: Bool, failure: SafeText?, of account: AccountID, owner: AccountID, imported: PostFlags
  ) -> Bool {
    let before = self
    var mark = mark(of: account, owner: owner, imported: imported).subtracting([.pending, .failed])
    if isPending { mark.insert(.pending) }
    if failure != nil { mark.insert(.failed) }
    set(mark, of: account, owner: owner, imported: imported)
    guard let failure, failure != self.failure(of: account) else { return self != before }
    var (difference, marks) = unpacked()
    if let place = marks.firstIndex(where: { $0.account == account.rawValue }) { marks[place].failure = failure.utf8 }
    pack(difference, marks)
    return true
  }

  /// True if the source has accepted marks that are not in the counts that it last reported.
  public var isAheadOfCounts: Bool { !isEmpty && unpacked().marks.contains { !$0.mark.isDisjoint(with: .ahead) } }

  /// Applies new counts from the source, which include every mark it has accepted. `truth` returns whether the source
  /// has a mark.
  public mutating func noteCounts(_ truth: (AccountID, Mark) -> Bool) {
    var (difference, marks) = unpacked()
    for place in marks.indices {
      let account = AccountID(marks[place].account)
      if marks[place].mark.contains(.favouriteAhead) { difference.favourites &-= truth(account, .favourited) ? 1 : -1 }
      if marks[place].mark.contains(.repostAhead) { difference.reposts &-= truth(account, .reposted) ? 1 : -1 }
    }
    // Entries left without marks are removed, so that the import's marks apply again; already empty ones stay.
    marks.removeAll { !$0.mark.isEmpty && $0.mark.isSubset(of: .ahead) }
    for place in marks.indices { marks[place].mark.subtract(.ahead) }
    pack(difference, marks)
  }

  /// Sets the marks of `account`. With `isCounted` the source's counts have them already. Returns true if that is a
  /// change. O(accounts).
  @discardableResult
  public mutating func set(
    _ mark: Mark, of account: AccountID, owner: AccountID, imported: PostFlags, isCounted: Bool = false
  ) -> Bool {
    var (difference, marks) = unpacked()
    let before = account == owner ? Mark(imported) : []
    let place = marks.firstIndex { $0.account >= account.rawValue } ?? marks.count
    let isThere = place < marks.count && marks[place].account == account.rawValue
    let old = isThere ? marks[place].mark : before
    guard mark != old else { return false }
    if !isCounted {
      difference.reposts &+= (mark.contains(.reposted) ? 1 : 0) - (old.contains(.reposted) ? 1 : 0)
      difference.favourites &+= (mark.contains(.favourited) ? 1 : 0) - (old.contains(.favourited) ? 1 : 0)
    }
    let failure = isThere && mark.contains(.failed) ? marks[place].failure : []
    let entry = Entry(account: account.rawValue, mark: mark, failure: failure)
    marks.replaceSubrange(place..<place + (isThere ? 1 : 0), with: mark.isEmpty && before.isEmpty ? [] : [entry])
    pack(difference, marks)
    return true
  }

  /// The number of public replies written here. O(1).
  public var answers: UInt32 {
    var position = 0
    return UInt32(clamping: Difference(bytes.span, at: &position).answers)
  }

  /// Sets the number of public replies written here. Returns true if that is a change. O(accounts).
  @discardableResult
  public mutating func set(answers: UInt32) -> Bool {
    guard answers != self.answers else { return false }
    var (difference, marks) = unpacked()
    difference.answers = UInt64(answers)
    pack(difference, marks)
    return true
  }

  /// Adds an entry for the owner if the import reported marks: with these if no other marks exist, otherwise empty.
  /// Files of earlier versions are to be read like this.
  public mutating func addOwnerEntry(_ owner: AccountID, imported: PostFlags) {
    guard !Mark(imported).isEmpty else { return }
    var (difference, marks) = unpacked()
    let place = marks.firstIndex { $0.account >= owner.rawValue } ?? marks.count
    if place < marks.count, marks[place].account == owner.rawValue { return }
    marks.insert(Entry(account: owner.rawValue, mark: isEmpty ? Mark(imported) : []), at: place)
    pack(difference, marks)
  }

  /// Returns the source's counts adjusted by the actions here since; never below 0. O(1).
  public func counts(beside counts: Counts) -> Counts {
    var position = 0
    let difference = Difference(bytes.span, at: &position)
    func sum(_ counted: UInt32, _ more: Int64) -> UInt32 {
      UInt32(clamping: Int64(counted).addingReportingOverflow(more).partialValue)
    }
    return Counts(
      replies: sum(counts.replies, Int64(UInt32(clamping: difference.answers))),
      reposts: sum(counts.reposts, difference.reposts),
      favourites: sum(counts.favourites, difference.favourites))
  }

  /// The numbers to add to the source's counts.
  private struct Difference {
    var reposts: Int64
    var favourites: Int64
    /// Replies written here.
    var answers: UInt64 = 0

    init(_ bytes: Swift.Span<UInt8>, at position: inout Int) {
      reposts = Varint.readSigned(bytes, at: &position)
      favourites = Varint.readSigned(bytes, at: &position)
      if position < bytes.count, bytes[position] == 0 {
        position += 1
        answers = Varint.read(bytes, at: &position)
      }
    }
  }

  /// The marks of one account.
  private struct Entry {
    var account: Int64
    var mark: Mark
    var failure: [UInt8] = []
  }

  private func unpacked() -> (Difference, marks: [Entry]) {
    var position = 0
    let difference = Difference(bytes.span, at: &position)
    var marks: [Entry] = []
    var account: Int64 = 0
    while position < bytes.count {
      account &+= Int64(truncatingIfNeeded: Varint.read(bytes.span, at: &position))
      guard position < bytes.count else { break }
      var entry = Entry(account: account, mark: Mark(bytes.span, at: &position))
      if entry.mark.contains(.failed) {
        let length = Int(
          truncatingIfNeeded: min(Varint.read(bytes.span, at: &position), UInt64(bytes.count - position)))
        entry.failure = Array(bytes[position..<position + length])
        position += length
      }
      marks.append(entry)
    }
    return (difference, marks)
  }

  private mutating func pack(_ difference: Difference, _ marks: [Entry]) {
    bytes = []
    for number in [difference.reposts, difference.favourites] { Varint.append(signed: number, to: &bytes) }
    if difference.answers > 0 {
      bytes.append(0)
      Varint.append(difference.answers, to: &bytes)
    }
    var last: Int64 = 0
    for mark in marks {
      Varint.append(UInt64(bitPattern: mark.account &- last), to: &bytes)
      mark.mark.append(to: &bytes)
      if mark.mark.contains(.failed) {
        Varint.append(UInt64(mark.failure.count), to: &bytes)
        bytes += mark.failure
      }
      last = mark.account
    }
  }
}

/// The actions of an account on a post. Only the bits of ``PostFlags/ofAccount`` can come from an import.
public struct Mark: OptionSet, Sendable, Hashable {
  public let rawValue: UInt16
  public init(rawValue: UInt16) { self.rawValue = rawValue }
  /// Favourited by the account.
  public static let favourited = Mark(.favourited)
  /// Reposted by the account.
  public static let reposted = Mark(.reposted)
  /// Saved by the account; neither counted nor shown to others.
  public static let saved = Mark(.saved)
  /// An action of the account awaits confirmation by the source.
  public static let pending = Mark(rawValue: 1 << 6)
  /// The source refused an action of the account; ``PostMarks/failure(of:)`` has the reason.
  public static let failed = Mark(rawValue: 1 << 7)
  /// The source has added or removed the favourite since it last reported its counts.
  public static let favouriteAhead = Mark(rawValue: 1 << 4)
  /// The source has added or removed the repost since it last reported its counts.
  public static let repostAhead = Mark(rawValue: 1 << 5)
  /// The two marks that the source's counts lack.
  static let ahead: Mark = [.favouriteAhead, .repostAhead]
  /// Marked as read, regardless of the account's position in the list.
  public static let read = Mark(.read)
  /// Marked as unread, for instance to read it again.
  public static let unread = Mark(.unread)

  /// Creates the marks of the importing account from an import's flags.
  public init(_ flags: PostFlags) {
    rawValue = flags.intersection(.ofAccount).rawValue
  }

  /// The marks as an import's flags.
  public var flags: PostFlags { PostFlags(rawValue: rawValue).intersection(.ofAccount) }

  /// The explicit read mark.
  public var reading: ReadMark {
    get { contains(.read) ? .read : contains(.unread) ? .unread : .none }
    set {
      subtract([.read, .unread])
      formUnion(newValue == .none ? [] : newValue == .read ? .read : .unread)
    }
  }
}

// MARK: - Encoding

extension Mark {
  /// The bit of the first byte that announces a second one.
  private static let hasSecond: UInt8 = 1 << 3

  fileprivate init(_ bytes: Swift.Span<UInt8>, at position: inout Int) {
    let first = bytes[position]
    position += 1
    let hasSecond = first & Self.hasSecond != 0 && position < bytes.count
    self.init(rawValue: (hasSecond ? UInt16(bytes[position]) << 8 : 0) | UInt16(first & ~Self.hasSecond))
    if hasSecond { position += 1 }
  }

  fileprivate func append(to bytes: inout [UInt8]) {
    let second = UInt8(truncatingIfNeeded: rawValue >> 8)
    bytes.append(UInt8(truncatingIfNeeded: rawValue) & ~Self.hasSecond | (second == 0 ? 0 : Self.hasSecond))
    if second != 0 { bytes.append(second) }
  }
}

/// An account's explicit statement about having read a post.
public enum ReadMark: UInt8, Sendable, CaseIterable {
  /// No statement; the account's position in the list decides.
  case none = 0
  case read = 1
  case unread = 2
}

extension StoredPost {
  /// Returns the marks of `account` on the displayed post. O(1) if no account has marks.
  public func mark(of account: AccountID) -> Mark {
    marks.isEmpty && account != owner ? [] : marks.mark(of: account, owner: owner, imported: body.flags)
  }

  /// Returns the accounts with all of `mark` on the displayed post, ascending. O(accounts).
  public func accounts(with mark: Mark) -> [AccountID] {
    marks.accounts(with: mark, owner: owner, imported: body.flags)
  }

  /// Records that the source has added or removed a mark of `account`.
  public mutating func noteTold(_ one: Mark, of account: AccountID) {
    let bit: Mark = one == .favourited ? .favouriteAhead : .repostAhead
    marks.set(mark(of: account).symmetricDifference(bit), of: account, owner: owner, imported: body.flags)
  }

  /// Sets the read mark of `account`. Returns true if that is a change. O(accounts).
  public mutating func set(_ reading: ReadMark, of account: AccountID) -> Bool {
    var mark = mark(of: account)
    mark.reading = reading
    return marks.set(mark, of: account, owner: owner, imported: body.flags)
  }

  /// Sets or clears one mark of `account`. With `isCounted` the source's counts have it already. Returns true if that is
  /// a change. O(accounts).
  public mutating func set(_ one: Mark, _ isOn: Bool, of account: AccountID, isCounted: Bool = false) -> Bool {
    let mark = isOn ? mark(of: account).union(one) : mark(of: account).subtracting(one)
    return marks.set(mark, of: account, owner: owner, imported: body.flags, isCounted: isCounted)
  }
}
