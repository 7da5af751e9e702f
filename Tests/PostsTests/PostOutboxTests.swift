import Posts
import TestSupport
import Testing

private let ann = AccountID(1)
private let bea = AccountID(2)

@Suite("What is wanted of a source for a post")
struct PostOutboxTests {
  private var fresh: PostOutbox { PostOutbox([], numbers: OutboxNumbers(prefix: "s", last: 0)) }

  @Test("two toggles that cancel each other out before anything was sent send nothing") func cancelled() {
    var outbox = fresh
    outbox.want(.favourite, true, was: false, by: ann)
    outbox.want(.favourite, false, was: true, by: ann)
    #expect(outbox.entries.isEmpty && outbox.next() == nil)
  }

  @Test("fast toggles end in the last state wanted: one is asked, one is wanted behind it") func fast() {
    var outbox = fresh
    outbox.want(.favourite, true, was: false, by: ann)
    let first = outbox.next()!
    for isOn in [false, true, false] { outbox.want(.favourite, isOn, was: !isOn, by: ann) }
    #expect(outbox.entries.count == 1 && outbox.next() == nil)
    #expect(outbox.answered(first.request, nil) == [.told(.favourite, ann, true)])
    let second = outbox.next()!
    #expect(second.asked == false && second.request != first.request && second.sequence > first.sequence)
    #expect(outbox.answered(second.request, nil) == [.told(.favourite, ann, false)])
    #expect(outbox.entries.isEmpty)
  }

  @Test("an undo before the answer, and the answer is no: nothing is left to complain of") func undoneAndRefused() {
    var outbox = fresh
    outbox.want(.repost, true, was: false, by: ann)
    let asked = outbox.next()!
    outbox.want(.repost, false, was: true, by: ann)
    #expect(outbox.answered(asked.request, "no") == [])
    #expect(outbox.entries.isEmpty)
  }

  @Test("a refusal goes back to what is true, and says why until it is tried again or forgotten") func refused() {
    var outbox = fresh
    outbox.want(.favourite, true, was: false, by: ann)
    #expect(outbox.answered(outbox.next()!.request, "not you") == [.mark(.favourite, ann, false, 0)])
    #expect(outbox.standing(of: ann).failure == "not you" && !outbox.standing(of: ann).isPending)
    #expect(outbox.standing(of: bea).failure == nil)
    #expect(outbox.retry(by: bea) == [] && outbox.discard(by: bea) == nil)
    #expect(outbox.retry(by: ann) == [.mark(.favourite, ann, true, 0)])
    #expect(outbox.standing(of: ann).isPending)
    #expect(outbox.answered(outbox.next()!.request, "still not") == [.mark(.favourite, ann, false, 0)])
    #expect(outbox.discard(by: ann) == [] && outbox.entries.isEmpty)
  }

  @Test("nothing is done to a post before its source has it; one that it refuses stays with what was wanted of it")
  func unconfirmed() {
    var outbox = fresh
    outbox.write(by: ann, audience: 0)
    outbox.want(.favourite, true, was: false, by: ann)
    let post = outbox.next()!
    #expect(post.errand == .post && outbox.next() == nil)
    #expect(outbox.answered(post.request, "rude") == [] && outbox.next() == nil)
    #expect(outbox.retry(by: ann) == [])
    let again = outbox.next()!
    #expect(again.errand == .post && again.request != post.request)
    #expect(outbox.answered(again.request, nil) == [.confirmed(audience: 0, isHidden: false)])
    #expect(outbox.next()?.errand == .favourite)
  }

  @Test("a post that was not sent is deleted by forgetting it; one that is on its way is deleted when it is there")
  func deleted() {
    var outbox = fresh
    outbox.write(by: ann, audience: 0)
    #expect(outbox.delete(by: ann, audience: 1) == .removed && outbox.entries.isEmpty)
    outbox.write(by: ann, audience: 0)
    let post = outbox.next()!
    #expect(outbox.delete(by: ann, audience: 1) == .hidden)
    #expect(outbox.answered(post.request, nil) == [.confirmed(audience: 0, isHidden: true)])
    let deletion = outbox.next()!
    #expect(deletion.errand == .delete && deletion.kept == 0)
    #expect(outbox.answered(deletion.request, "locked") == [.restored(audience: 0)])
    #expect(outbox.retry(by: ann) == [.hidden])
    #expect(outbox.answered(outbox.next()!.request, nil) == [.removed] && outbox.entries.isEmpty)
  }

  @Test("an answer that comes twice, or to nothing that was asked, says nothing") func strange() {
    var outbox = fresh
    outbox.want(.favourite, true, was: false, by: ann)
    let waiting = outbox.entries[0].request
    #expect(outbox.answered(waiting, nil) == [] && outbox.entries.count == 1, "it was not asked yet")
    let asked = outbox.next()!
    #expect(outbox.answered("s-99", nil) == [])
    #expect(outbox.answered(asked.request, nil) != [] && outbox.answered(asked.request, "no") == [])
  }

  @Test(
    "whatever is done and answered, late, twice, never or with no: in the end it is here as it is there",
    arguments: 1...400 as ClosedRange<UInt64>)
  func law(seed: UInt64) {
    var world = OutboxWorld(seed: seed)
    for _ in 0..<Int.random(in: 5...120, using: &world.random) { world.step() }
    world.settle()
    #expect(world.findings == [], "seed \(seed)")
  }
}

/// One post, its source, and all that can happen between them.
private struct OutboxWorld {
  private typealias Name = (errand: OutboxEntry.Errand, account: AccountID)

  var random: SeededGenerator
  private(set) var findings: [String] = []
  private var outbox: PostOutbox
  // Here.
  private var marks = PostMarks.none
  private var isHere = true
  private var isHidden = false
  private let counts: Counts
  // There.
  private var answers: [String: SafeText?] = [:]
  private var there: [AccountID: Set<OutboxEntry.Errand>] = [:]
  private var isThere: Bool
  private var refusals = 0.3
  /// On their way from there to here.
  private var underWay: [String] = []

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    counts = Counts(reposts: .random(in: 0...2, using: &random), favourites: .random(in: 0...2, using: &random))
    outbox = PostOutbox([], numbers: OutboxNumbers(prefix: "s", last: 0))
    isThere = Bool.random(using: &random)
    if !isThere { outbox.write(by: ann, audience: 0) }
  }

  private func mark(_ account: AccountID) -> Mark { marks.mark(of: account, owner: ann, imported: []) }

  private mutating func show(_ errand: OutboxEntry.Errand, _ account: AccountID, _ isOn: Bool) {
    let one: Mark = errand == .repost ? .reposted : .favourited
    marks.set(isOn ? mark(account).union(one) : mark(account).subtracting(one), of: account, owner: ann, imported: [])
  }

  private mutating func follow(_ consequences: [PostOutbox.Consequence]) {
    for consequence in consequences {
      switch consequence {
      case .mark(let errand, let account, let isOn, _): show(errand, account, isOn)
      case .told: break
      case .confirmed(let audience, let hidden):
        if audience != 0 || hidden != isHidden { findings.append("confirmed for others, or hidden otherwise") }
      case .hidden: isHidden = true
      case .restored: isHidden = false
      case .removed: isHere = false
      }
    }
  }

  mutating func step() {
    switch Int.random(in: 0..<16, using: &random) {
    case 0..<6 where isHere && !isHidden:
      // Others see it when the source has it.
      let account = outbox.isUnconfirmed ? ann : [ann, bea].randomElement(using: &random)!
      let errand: OutboxEntry.Errand = Bool.random(using: &random) ? .favourite : .repost
      let was = mark(account).contains(errand == .repost ? .reposted : .favourited)
      outbox.want(errand, !was, was: was, by: account)
      show(errand, account, !was)
    case 6 where isHere && !isHidden && Int.random(in: 0..<4, using: &random) == 0:
      follow([outbox.delete(by: ann, audience: 0)])
    case 7 where isHere: follow(outbox.retry(by: [ann, bea].randomElement(using: &random)!))
    case 8 where isHere && !isHidden: follow(outbox.discard(by: [ann, bea].randomElement(using: &random)!) ?? [])
    case 9: underWay = []  // A crash: what is kept is kept, what was on its way is lost.
    case 10, 11: ask(again: true)
    case 12, 13: hear()
    default: ask(again: false)
    }
    check()
  }

  /// Tells the source what is next, or again what it is asked.
  private mutating func ask(again: Bool) {
    guard let entry = again ? outbox.entries.first(where: { $0.asked != nil }) : outbox.next() else { return }
    if answers[entry.request] == nil { answers[entry.request] = .some(perform(entry)) }
    for _ in 0..<Int.random(in: 0...2, using: &random) { underWay.append(entry.request) }
  }

  /// What the source does when it hears of something for the first time: why not, or nil.
  private mutating func perform(_ entry: OutboxEntry) -> SafeText? {
    if Double.random(in: 0..<1, using: &random) < refusals { return "no" }
    if entry.errand != .post && !isThere { findings.append("\(entry.errand) of a post that is not there") }
    switch entry.errand {
    case .post:
      if isThere { findings.append("posted twice") }
      isThere = true
    case .delete: isThere = false
    case .favourite, .repost:
      let had = there[entry.account, default: []].contains(entry.errand)
      if had == entry.asked! { findings.append("told what is so") }
      if entry.asked! {
        there[entry.account, default: []].insert(entry.errand)
      } else {
        there[entry.account]?.remove(entry.errand)
      }
    }
    return nil
  }

  private mutating func hear() {
    guard let place = underWay.indices.randomElement(using: &random) else { return }
    let request = underWay.remove(at: place)
    follow(outbox.answered(request, answers[request]!))
  }

  private mutating func check() {
    if outbox.entries.count(where: { $0.asked != nil }) > 1 { findings.append("two things are asked") }
    for entry in outbox.entries where entry.errand == .favourite || entry.errand == .repost {
      if mark(entry.account).contains(entry.errand == .repost ? .reposted : .favourited) != entry.shown {
        findings.append("shown otherwise")
      }
      if entry.wanted == entry.truth && entry.asked == nil { findings.append("nothing is wanted, and it stays") }
    }
    let shown = [ann, bea].map { mark($0) }
    let now = marks.counts(beside: counts)
    if now.favourites != counts.favourites + UInt32(shown.count { $0.contains(.favourited) }) {
      findings.append("favourites drift")
    }
    if now.reposts != counts.reposts + UInt32(shown.count { $0.contains(.reposted) }) {
      findings.append("reposts drift")
    }
  }

  /// Nobody does anything any more, and the source answers.
  mutating func settle() {
    if Bool.random(using: &random) { refusals = 0 }
    for _ in 0..<400 {
      ask(again: Bool.random(using: &random))
      hear()
      check()
    }
    if outbox.entries.contains(where: { !$0.isFailed && !outbox.isUnconfirmed }) {
      findings.append("something still waits")
    }
    guard isHere else {
      if isThere { findings.append("it is gone here, and there it is not") }
      return
    }
    if isThere == outbox.isUnconfirmed { findings.append("it is here, and there otherwise") }
    if isHidden { findings.append("it is hidden, and is not being deleted") }
    guard isThere else { return }
    for account in [ann, bea] {
      let has = there[account, default: []]
      if mark(account).contains(.favourited) != has.contains(.favourite) {
        findings.append("a favourite is otherwise there")
      }
      if mark(account).contains(.reposted) != has.contains(.repost) { findings.append("a repost is otherwise there") }
    }
  }
}
