import Posts
import TestSupport
import Testing

@Suite("Marks of accounts on a post, and its counts")
struct PostMarksTests {
  private let owner = AccountID(7)
  private let kinds: [Mark] = [.favourited, .reposted, .saved]

  @Test("no marks take no bytes, and the owner has the import's marks") func untouched() {
    let imported: PostFlags = [.favourited, .edited]
    #expect(PostMarks.none.bytes.isEmpty && PostMarks.none.isEmpty)
    #expect(PostMarks.none.mark(of: owner, owner: owner, imported: imported) == .favourited)
    #expect(PostMarks.none.mark(of: AccountID(8), owner: owner, imported: imported) == [])
    #expect(
      PostMarks.none.counts(beside: Counts(replies: 1, reposts: 2, favourites: 3))
        == Counts(replies: 1, reposts: 2, favourites: 3))
  }

  @Test("marks of other accounts leave the owner's imported marks unchanged") func others() {
    var marks = PostMarks.none
    let isNew = marks.set(.saved, of: AccountID(3), owner: owner, imported: [.favourited, .saved])
    #expect(isNew)
    #expect(marks.mark(of: owner, owner: owner, imported: [.favourited, .saved]) == [.favourited, .saved])
    #expect(
      marks.mark(of: owner, owner: owner, imported: .reposted) == .reposted, "the next import can change it")
    #expect(marks.counts(beside: Counts(favourites: 5)).favourites == 5, "the source counted it already")
    let isTakenBack = marks.set([], of: owner, owner: owner, imported: [.favourited, .saved])
    #expect(isTakenBack)
    #expect(
      marks.mark(of: owner, owner: owner, imported: [.favourited, .saved]) == [], "and no later import changes that")
    #expect(marks.counts(beside: Counts(favourites: 5)).favourites == 4)
    #expect(marks.counts(beside: Counts()).favourites == 0, "never below 0")
  }

  @Test(
    "replies written here are counted and do not affect marks",
    arguments: [1, 127, 128, 70_000] as [UInt32])
  func answers(number: UInt32) {
    var marks = PostMarks.none
    let isNew = marks.set(answers: number)
    #expect(isNew && marks.answers == number && marks.counts(beside: Counts(replies: 3)).replies == 3 + number)
    #expect(marks.mark(of: owner, owner: owner, imported: .favourited) == .favourited)
    marks.set([.saved, .favourited], of: AccountID(300), owner: owner, imported: [])
    #expect(
      marks.answers == number && marks.mark(of: AccountID(300), owner: owner, imported: []) == [.saved, .favourited])
    #expect(marks.counts(beside: Counts(replies: 3, favourites: 4)) == Counts(replies: 3 + number, favourites: 5))
    let isOther = marks.set(answers: number)
    #expect(!isOther)
    marks.set(answers: 0)
    #expect(marks.answers == 0 && marks.mark(of: owner, owner: owner, imported: .favourited) == .favourited)
    #expect(marks.counts(beside: Counts(replies: 3, favourites: 4)) == Counts(replies: 3, favourites: 5))
  }

  @Test("in files of earlier versions, an owner without an entry has removed the imported marks") func older() {
    var untouched = PostMarks.none
    untouched.addOwnerEntry(owner, imported: .saved)
    #expect(untouched.mark(of: owner, owner: owner, imported: []) == .saved)
    var others = PostMarks.none
    others.set(.saved, of: AccountID(3), owner: owner, imported: [])
    others.addOwnerEntry(owner, imported: .saved)
    #expect(
      others.mark(of: owner, owner: owner, imported: .saved) == []
        && others.mark(of: AccountID(3), owner: owner, imported: []) == .saved)
    let settled = others
    others.addOwnerEntry(owner, imported: .favourited)
    #expect(others == settled && PostMarks(trusted: others.bytes) == others)
  }

  @Test("random marks behave like a dictionary of marks", arguments: seeds(0..<20 as Range<UInt64>)) func law(
    seed: UInt64
  ) {
    var random = SeededGenerator(seed: seed)
    let imported = PostFlags(rawValue: UInt16.random(in: 0..<8, using: &random))
    let source = Counts(replies: 2, reposts: 9, favourites: 9)
    var marks = PostMarks.none
    var model: [AccountID: Mark] = [owner: Mark(imported)]
    for _ in 0..<200 {
      let account = AccountID([1, 7, 8, 127, 128, 300, 1 << 40].randomElement(using: &random)!)
      let mark = Mark(
        rawValue: UInt16.random(in: 0..<8, using: &random) | [0, 1 << 8, 1 << 9].randomElement(using: &random)!)
      let hasChanged = marks.set(mark, of: account, owner: owner, imported: imported)
      #expect(hasChanged == (mark != model[account] ?? []))
      model[account] = mark
      for (account, mark) in model { #expect(marks.mark(of: account, owner: owner, imported: imported) == mark) }
      let before = Mark(imported)
      func count(_ kind: Mark) -> Int { model.values.count { $0.contains(kind) } - (before.contains(kind) ? 1 : 0) }
      let counts = marks.counts(beside: source)
      #expect(
        counts == Counts(replies: 2, reposts: UInt32(9 + count(.reposted)), favourites: UInt32(9 + count(.favourited))))
      #expect(PostMarks(trusted: marks.bytes) == marks)
    }
  }

  @Test("damaged bytes are read without a crash", arguments: seeds(0..<50 as Range<UInt64>)) func damage(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var marks = PostMarks(
      trusted: (0..<Int.random(in: 1..<20, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) })
    _ = marks.counts(beside: Counts(favourites: .max))
    _ = marks.mark(of: owner, owner: owner, imported: [])
    marks.set(.saved, of: owner, owner: owner, imported: [])
  }
}
