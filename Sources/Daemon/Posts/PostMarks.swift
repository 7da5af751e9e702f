/// What accounts of this daemon have done to a post themselves, apart from what its source told of it (``PostBody``):
/// who favourited, reposted or saved it, and by how much that changes its counts. Packed, so that a post that nobody
/// touched costs nothing.
///
/// The bytes: what is to be added to the source's numbers of reposts and favourites, as signed varints; where it was
/// answered here a 0 and how often, as a varint; then for each account that has done something, ascending, the distance
/// to the one before as a varint, which is never 0, and a byte (``Mark``), a second one where its bit 3 says so, and
/// where it says that something was refused, the reason with its length. No bytes at all where nobody has done
/// anything. Until its owner has, what the import said of them holds; from then on they are among the accounts, also
/// with nothing.
public struct PostMarks: Equatable, Sendable {
  public private(set) var bytes: [UInt8]

  /// Nobody did anything.
  public static let none = PostMarks(trusted: [])

  /// Bytes made by this type earlier, as read back from the store. What of them is damaged reads as nothing.
  public init(trusted bytes: [UInt8]) { self.bytes = bytes }

  /// Whether nobody did anything.
  public var isEmpty: Bool { bytes.isEmpty }

  /// What `account` has done to a post of `owner`, of whom the import said `imported`. O(accounts).
  public func mark(of account: AccountID, owner: AccountID, imported: PostFlags) -> Mark {
    guard !isEmpty else { return account == owner ? Mark(imported) : [] }
    return unpacked().marks.first { $0.account == account.rawValue }?.mark ?? (account == owner ? Mark(imported) : [])
  }

  /// The accounts that have done all of `mark` to a post of `owner`, of whom the import said `imported`, ascending.
  /// O(accounts).
  func accounts(with mark: Mark, owner: AccountID, imported: PostFlags) -> [AccountID] {
    let marks = unpacked().marks
    var accounts = marks.filter { $0.mark.isSuperset(of: mark) }.map { AccountID($0.account) }
    if !marks.contains(where: { $0.account == owner.rawValue }), Mark(imported).isSuperset(of: mark) {
      accounts.append(owner)
    }
    return accounts.sorted { $0.rawValue < $1.rawValue }
  }

  /// Why a source refused what `account` wanted of it; nil where it refused nothing. O(accounts).
  public func failure(of account: AccountID) -> SafeText? {
    guard !isEmpty, let entry = unpacked().marks.first(where: { $0.account == account.rawValue }) else { return nil }
    return entry.mark.contains(.failed) ? SafeText(trusted: entry.failure) : nil
  }

  /// Notes how what `account` wants of the post's source stands: whether it waits, and why it was refused if it was.
  /// O(accounts).
  @discardableResult
  public mutating func note(
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

  /// Whether the source has taken marks that are not in the counts which it last told.
  public var isAheadOfCounts: Bool { !isEmpty && unpacked().marks.contains { !$0.mark.isDisjoint(with: .ahead) } }

  /// Takes in that the source has told its counts anew, with all that it has been told in them. `truth` says whether it
  /// has a mark.
  public mutating func noteCounts(_ truth: (AccountID, Mark) -> Bool) {
    var (difference, marks) = unpacked()
    for place in marks.indices {
      let account = AccountID(marks[place].account)
      if marks[place].mark.contains(.favouriteAhead) { difference.favourites &-= truth(account, .favourited) ? 1 : -1 }
      if marks[place].mark.contains(.repostAhead) { difference.reposts &-= truth(account, .reposted) ? 1 : -1 }
    }
    // What is left with nothing is as the import says.
    marks.removeAll { !$0.mark.isEmpty && $0.mark.isSubset(of: .ahead) }
    for place in marks.indices { marks[place].mark.subtract(.ahead) }
    pack(difference, marks)
  }

  /// Notes what `account` has done. Returns whether that is something else than before. O(accounts).
  @discardableResult
  public mutating func set(_ mark: Mark, of account: AccountID, owner: AccountID, imported: PostFlags) -> Bool {
    var (difference, marks) = unpacked()
    let before = account == owner ? Mark(imported) : []
    let place = marks.firstIndex { $0.account >= account.rawValue } ?? marks.count
    let isThere = place < marks.count && marks[place].account == account.rawValue
    let old = isThere ? marks[place].mark : before
    guard mark != old else { return false }
    difference.reposts &+= (mark.contains(.reposted) ? 1 : 0) - (old.contains(.reposted) ? 1 : 0)
    difference.favourites &+= (mark.contains(.favourited) ? 1 : 0) - (old.contains(.favourited) ? 1 : 0)
    let failure = isThere && mark.contains(.failed) ? marks[place].failure : []
    let entry = Entry(account: account.rawValue, mark: mark, failure: failure)
    marks.replaceSubrange(place..<place + (isThere ? 1 : 0), with: mark.isEmpty && before.isEmpty ? [] : [entry])
    pack(difference, marks)
    return true
  }

  /// How many answers that everybody may see were written here. O(1).
  public var answers: UInt32 {
    var position = 0
    return UInt32(clamping: Difference(bytes.span, at: &position).answers)
  }

  /// Notes how many there are. Returns whether that is another number than before. O(accounts).
  @discardableResult
  public mutating func set(answers: UInt32) -> Bool {
    guard answers != self.answers else { return false }
    var (difference, marks) = unpacked()
    difference.answers = UInt64(answers)
    pack(difference, marks)
    return true
  }

  /// Has the owner stand among the accounts, where the import said something: with that if nothing else is here,
  /// otherwise with nothing. So files of earlier versions meant it.
  public mutating func settle(owner: AccountID, imported: PostFlags) {
    guard !Mark(imported).isEmpty else { return }
    var (difference, marks) = unpacked()
    let place = marks.firstIndex { $0.account >= owner.rawValue } ?? marks.count
    if place < marks.count, marks[place].account == owner.rawValue { return }
    marks.insert(Entry(account: owner.rawValue, mark: isEmpty ? Mark(imported) : []), at: place)
    pack(difference, marks)
  }

  /// What the source counted, and what happened here since; never below 0. O(1).
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

  /// What is to be added to the numbers that the source told.
  private struct Difference {
    var reposts: Int64
    var favourites: Int64
    /// Answers that were written here.
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

  /// What one account has done.
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

/// What an account has done to a post; the lowest bits are those of ``PostFlags``, the others those that no import has.
public struct Mark: OptionSet, Sendable, Hashable {
  public let rawValue: UInt16
  public init(rawValue: UInt16) { self.rawValue = rawValue }
  /// It likes it.
  public static let favourited = Mark(.favourited)
  /// It has passed it on.
  public static let reposted = Mark(.reposted)
  /// It keeps it for itself; not counted, and told to nobody.
  public static let saved = Mark(.saved)
  /// Something that it did waits for the source to say that it is so.
  public static let pending = Mark(rawValue: 1 << 6)
  /// The source refused something that it did; ``PostMarks/failure(of:)`` says why.
  public static let failed = Mark(rawValue: 1 << 7)
  /// The source has taken, or given back, the favourite since it last told its counts.
  public static let favouriteAhead = Mark(rawValue: 1 << 4)
  /// The same of the repost.
  public static let repostAhead = Mark(rawValue: 1 << 5)
  /// Both of these.
  static let ahead: Mark = [.favouriteAhead, .repostAhead]
  /// It says that it has read it, wherever its reading has come to.
  public static let read = Mark(rawValue: 1 << 8)
  /// It says that it has not read it, or wants to read it again.
  public static let unread = Mark(rawValue: 1 << 9)

  /// What an import said of the account that did it.
  public init(_ flags: PostFlags) {
    rawValue = flags.intersection(.ofAccount).rawValue
  }

  /// As an import says it.
  public var flags: PostFlags { PostFlags(rawValue: rawValue).intersection(.ofAccount) }

  /// What it says of whether the post is read.
  public var reading: ReadMark {
    get { contains(.read) ? .read : contains(.unread) ? .unread : .none }
    set {
      subtract([.read, .unread])
      formUnion(newValue == .none ? [] : newValue == .read ? .read : .unread)
    }
  }
}

// MARK: - As bytes

extension Mark {
  /// The bit of the first byte that says that there is a second one.
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

/// What an account says of whether it has read a post.
public enum ReadMark: UInt8, Sendable, CaseIterable {
  /// Nothing: how far it has read the list tells.
  case none = 0
  case read = 1
  case unread = 2
}

extension StoredPost {
  /// What `account` has done to what is shown. O(1) where nobody here has done anything.
  public func mark(of account: AccountID) -> Mark {
    marks.isEmpty && account != owner ? [] : marks.mark(of: account, owner: owner, imported: body.flags)
  }

  /// The accounts that have done all of `mark` to what is shown, ascending. O(accounts).
  public func accounts(with mark: Mark) -> [AccountID] {
    marks.accounts(with: mark, owner: owner, imported: body.flags)
  }

  /// Notes that the source now has a mark of `account`, or has it no more.
  public mutating func noteTold(_ one: Mark, of account: AccountID) {
    let bit: Mark = one == .favourited ? .favouriteAhead : .repostAhead
    marks.set(mark(of: account).symmetricDifference(bit), of: account, owner: owner, imported: body.flags)
  }

  /// Notes what `account` says of whether it has read it. Returns whether it said something else before. O(accounts).
  public mutating func set(_ reading: ReadMark, of account: AccountID) -> Bool {
    var mark = mark(of: account)
    mark.reading = reading
    return marks.set(mark, of: account, owner: owner, imported: body.flags)
  }

  /// Has `account` do one thing to it, or take that back. Returns whether it was otherwise before. O(accounts).
  public mutating func set(_ one: Mark, _ isOn: Bool, of account: AccountID) -> Bool {
    let mark = isOn ? mark(of: account).union(one) : mark(of: account).subtracting(one)
    return marks.set(mark, of: account, owner: owner, imported: body.flags)
  }
}
