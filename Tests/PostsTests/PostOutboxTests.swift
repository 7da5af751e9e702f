import Posts
import TestSupport
import Testing

private let ann = AccountID(1)
private let bea = AccountID(2)

@Suite("The outbox of a post")
struct PostOutboxTests {
  private var fresh: PostOutbox { PostOutbox([], numbers: OutboxNumbers(prefix: "s", last: 0)) }

  @Test("two toggles that cancel each other out before anything was sent send nothing") func cancelled() {
    var outbox = fresh
    outbox.want(.favourite, true, was: false, by: ann)
    outbox.want(.favourite, false, was: true, by: ann)
    #expect(outbox.entries.isEmpty && outbox.next() == nil)
  }

  @Test("rapid toggles end in the last state: one request in flight, one behind it") func fast() {
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

  @Test("an undone action that is then refused leaves no failure") func undoneAndRefused() {
    var outbox = fresh
    outbox.want(.repost, true, was: false, by: ann)
    let asked = outbox.next()!
    outbox.want(.repost, false, was: true, by: ann)
    #expect(outbox.answered(asked.request, "no") == [])
    #expect(outbox.entries.isEmpty)
  }

  @Test("a refusal restores the source's state and has a reason until it is retried or discarded") func refused() {
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

  @Test("what waits for the source can be given up, sent or not; its late reply changes nothing") func givenUp() {
    var outbox = fresh
    outbox.want(.favourite, true, was: false, by: ann)
    outbox.want(.repost, true, was: false, by: bea)
    let asked = outbox.next()!
    #expect(outbox.discard(by: ann) == nil, "it has not failed")
    #expect(outbox.discard(by: ann, givingUp: true) == [.mark(.favourite, ann, false, 0)])
    #expect(outbox.entries.map(\.account) == [bea] && outbox.answered(asked.request, nil) == [])
    #expect(outbox.next()?.account == bea, "nothing is in flight")
    #expect(outbox.discard(by: ann, givingUp: true) == nil)
    _ = outbox.discard(by: bea, givingUp: true)
    #expect(outbox.delete(by: ann, audience: 3) == .hidden && outbox.next() != nil)
    #expect(outbox.discard(by: ann, givingUp: true) == [.restored(audience: 3)] && outbox.entries.isEmpty)
    outbox.write(by: ann, audience: 0)
    outbox.want(.favourite, true, was: false, by: ann)
    #expect(outbox.next()?.operation == .post && outbox.discard(by: bea, givingUp: true) == nil)
    #expect(outbox.discard(by: ann, givingUp: true) == [.removed] && outbox.entries.isEmpty)
  }

  @Test("other requests wait until the source has the post, also if it refuses the post at first")
  func unconfirmed() {
    var outbox = fresh
    outbox.write(by: ann, audience: 0)
    outbox.want(.favourite, true, was: false, by: ann)
    let post = outbox.next()!
    #expect(post.operation == .post && outbox.next() == nil)
    #expect(outbox.answered(post.request, "rude") == [] && outbox.next() == nil)
    #expect(outbox.retry(by: ann) == [])
    let again = outbox.next()!
    #expect(again.operation == .post && again.request != post.request)
    #expect(outbox.answered(again.request, nil) == [.confirmed(audience: 0, isHidden: false)])
    #expect(outbox.next()?.operation == .favourite)
  }

  @Test("an unsent post is deleted at once; one in flight is deleted when the source has it")
  func deleted() {
    var outbox = fresh
    outbox.write(by: ann, audience: 0)
    #expect(outbox.delete(by: ann, audience: 1) == .removed && outbox.entries.isEmpty)
    outbox.write(by: ann, audience: 0)
    let post = outbox.next()!
    #expect(outbox.delete(by: ann, audience: 1) == .hidden)
    #expect(outbox.answered(post.request, nil) == [.confirmed(audience: 0, isHidden: true)])
    let deletion = outbox.next()!
    #expect(deletion.operation == .delete && deletion.kept == 0)
    #expect(outbox.answered(deletion.request, "locked") == [.restored(audience: 0)])
    #expect(outbox.retry(by: ann) == [.hidden])
    #expect(outbox.answered(outbox.next()!.request, nil) == [.removed] && outbox.entries.isEmpty)
  }

  private func text(_ text: SafeText) -> EditableText { EditableText(of: PostBody(text: text)) }

  @Test("an edit ends in the last text; one that leads back before it was sent sends nothing") func edits() {
    var outbox = fresh
    outbox.edit(by: ann, from: text("0"), to: text("1"))
    outbox.edit(by: ann, from: text("1"), to: text("0"))
    #expect(outbox.entries.isEmpty)
    outbox.edit(by: ann, from: text("0"), to: text("1"))
    let first = outbox.next()!
    #expect(first.texts?.sent == text("1"))
    outbox.edit(by: ann, from: text("1"), to: text("2"))
    #expect(outbox.next() == nil && outbox.noteSource(text("1")) == text("2"), "the source's word waits")
    #expect(outbox.answered(first.request, nil) == [])
    let second = outbox.next()!
    #expect(second.texts?.sent == text("2") && second.texts?.former == text("1") && second.request != first.request)
    #expect(outbox.answered(second.request, nil) == [] && outbox.entries.isEmpty)
  }

  @Test("a refused edit shows the source's text; it can be tried again, given up and discarded") func refusedEdit() {
    var outbox = fresh
    outbox.edit(by: ann, from: text("0"), to: text("1"))
    #expect(outbox.answered(outbox.next()!.request, "too late") == [.text(text("0"))])
    #expect(outbox.noteSource(text("0.1")) == nil, "the source's word is shown")
    #expect(outbox.retry(by: ann) == [.text(text("1"))])
    let asked = outbox.next()!
    outbox.edit(by: ann, from: text("1"), to: text("2"))
    #expect(outbox.answered(asked.request, "no") == [], "a later text may be taken")
    #expect(outbox.discard(by: ann, givingUp: true) == [.text(text("0.1"))] && outbox.entries.isEmpty)
    outbox.edit(by: ann, from: text("0"), to: text("1"))
    _ = outbox.answered(outbox.next()!.request, "no")
    #expect(outbox.discard(by: ann) == [] && outbox.entries.isEmpty)
  }

  @Test("a refused post is sent again as it was edited meanwhile, and a refused edit back to the source's text is over")
  func editsAndRefusals() {
    var outbox = fresh
    outbox.write(by: ann, audience: 0)
    let post = outbox.next()!
    outbox.edit(by: ann, from: text("too long"), to: text("short"))
    #expect(outbox.answered(post.request, "too long") == [])
    outbox.edit(by: ann, from: text("short"), to: text("shorter"))
    _ = outbox.retry(by: ann)
    #expect(outbox.next()?.operation == .post && outbox.posted(text("shorter")) == text("shorter"))

    outbox = fresh
    outbox.edit(by: ann, from: text("0"), to: text("1"))
    let edit = outbox.next()!
    outbox.edit(by: ann, from: text("1"), to: text("0"))
    #expect(outbox.answered(edit.request, "no") == [] && outbox.entries.isEmpty)
  }

  @Test("a post that was not sent yet is sent as it was edited") func editBeforeSending() {
    var outbox = fresh
    outbox.write(by: ann, audience: 0)
    outbox.edit(by: ann, from: text("0"), to: text("1"))
    #expect(outbox.entries.map(\.operation) == [.post])
    let post = outbox.next()!
    outbox.edit(by: ann, from: text("1"), to: text("2"))
    #expect(outbox.posted(text("2")) == text("1"), "a command that is sent again is the same")
    #expect(outbox.answered(post.request, nil) == [.confirmed(audience: 0, isHidden: false)])
    #expect(outbox.next()?.texts?.sent == text("2"))
  }

  @Test("a repeated reply, or one to an unknown request, is ignored") func strange() {
    var outbox = fresh
    outbox.want(.favourite, true, was: false, by: ann)
    let waiting = outbox.entries[0].request
    #expect(outbox.answered(waiting, nil) == [] && outbox.entries.count == 1, "not sent yet")
    let asked = outbox.next()!
    #expect(outbox.answered("s-99", nil) == [])
    #expect(outbox.answered(asked.request, nil) != [] && outbox.answered(asked.request, "no") == [])
  }

  @Test(
    "with replies late, repeated, lost or refusing, the post ends in the same state here and at the source",
    arguments: seeds(1...400 as ClosedRange<UInt64>))
  func law(seed: UInt64) {
    var world = OutboxWorld(seed: seed)
    for _ in 0..<Int.random(in: 5...120, using: &world.random) { world.step() }
    world.finish()
    #expect(world.findings == [], "seed \(seed)")
  }
}

/// A post, its source, and all events between them.
private struct OutboxWorld {
  private typealias Name = (operation: OutboxEntry.Operation, account: AccountID)

  var random: SeededGenerator
  private(set) var findings: [String] = []
  private var outbox: PostOutbox
  // Here.
  private var marks = PostMarks.none
  private var isHere = true
  private var isHidden = false
  private var text = EditableText(of: PostBody(text: "0"))
  private var edits = 0
  private let counts: Counts
  // At the source.
  private var answers: [String: SafeText?] = [:]
  private var there: [AccountID: Set<OutboxEntry.Operation>] = [:]
  private var isThere: Bool
  private var textThere = EditableText(of: PostBody(text: "0"))
  private var refusals = 0.3
  /// Replies of the source in transit.
  private var inTransit: [String] = []

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    counts = Counts(reposts: .random(in: 0...2, using: &random), favourites: .random(in: 0...2, using: &random))
    outbox = PostOutbox([], numbers: OutboxNumbers(prefix: "s", last: 0))
    isThere = Bool.random(using: &random)
    if !isThere { outbox.write(by: ann, audience: 0) }
  }

  private func mark(_ account: AccountID) -> Mark { marks.mark(of: account, owner: ann, imported: []) }

  private mutating func setMark(_ operation: OutboxEntry.Operation, _ account: AccountID, _ isOn: Bool) {
    let one = operation.mark!
    marks.set(isOn ? mark(account).union(one) : mark(account).subtracting(one), of: account, owner: ann, imported: [])
  }

  private mutating func apply(_ consequences: [PostOutbox.Consequence]) {
    for consequence in consequences {
      switch consequence {
      case .mark(let operation, let account, let isOn, _): setMark(operation, account, isOn)
      case .told: break
      case .confirmed(let audience, let hidden):
        if audience != 0 || hidden != isHidden { findings.append("confirmed with another audience or visibility") }
      case .hidden: isHidden = true
      case .restored: isHidden = false
      case .removed: isHere = false
      case .text(let shown): text = shown
      }
    }
  }

  mutating func step() {
    switch Int.random(in: 0..<18, using: &random) {
    case 0..<6 where isHere && !isHidden:
      // Other accounts see the post once the source has it.
      let account = outbox.isUnconfirmed ? ann : [ann, bea].randomElement(using: &random)!
      let operation = [OutboxEntry.Operation.favourite, .repost, .save].randomElement(using: &random)!
      let was = mark(account).contains(operation.mark!)
      outbox.want(operation, !was, was: was, by: account)
      setMark(operation, account, !was)
    case 6 where isHere && !isHidden && Int.random(in: 0..<4, using: &random) == 0:
      apply([outbox.delete(by: ann, audience: 0)])
    case 7 where isHere: apply(outbox.retry(by: [ann, bea].randomElement(using: &random)!))
    case 8 where isHere && !isHidden: apply(outbox.discard(by: [ann, bea].randomElement(using: &random)!) ?? [])
    case 16 where isHere && !isHidden:
      edits += 1
      let wanted = EditableText(of: PostBody(text: SafeText("\(edits % 5)")))
      outbox.edit(by: ann, from: text, to: wanted)
      text = wanted
    case 17 where isHere && isThere:
      // The source reports the post.
      text = outbox.noteSource(textThere) ?? (outbox.isUnconfirmed ? text : textThere)
    case 9: inTransit = []  // A crash: stored state remains, replies in transit are lost.
    case 10, 11: sendRequest(again: true)
    case 12, 13: receiveReply()
    default: sendRequest(again: false)
    }
    check()
  }

  /// Sends the next request to the source, or repeats the one in flight.
  private mutating func sendRequest(again: Bool) {
    guard let entry = again ? outbox.entries.first(where: { $0.asked != nil }) : outbox.next() else { return }
    if answers[entry.request] == nil { answers[entry.request] = .some(perform(entry)) }
    for _ in 0..<Int.random(in: 0...2, using: &random) { inTransit.append(entry.request) }
  }

  /// Performs a request that the source receives for the first time; returns the reason for refusing it, or nil.
  private mutating func perform(_ entry: OutboxEntry) -> SafeText? {
    if Double.random(in: 0..<1, using: &random) < refusals { return "no" }
    if entry.operation != .post && !isThere {
      findings.append("\(entry.operation) of a post that is not at the source")
    }
    switch entry.operation {
    case .post:
      if isThere { findings.append("posted twice") }
      (isThere, textThere) = (true, outbox.posted(text))
    case .delete: isThere = false
    case .edit: textThere = entry.texts!.sent!
    case .favourite, .repost, .save:
      let had = there[entry.account, default: []].contains(entry.operation)
      if had == entry.asked! { findings.append("asked for the state it already has") }
      if entry.asked! {
        there[entry.account, default: []].insert(entry.operation)
      } else {
        there[entry.account]?.remove(entry.operation)
      }
    }
    return nil
  }

  private mutating func receiveReply() {
    guard let place = inTransit.indices.randomElement(using: &random) else { return }
    let request = inTransit.remove(at: place)
    apply(outbox.answered(request, answers[request]!))
  }

  private mutating func check() {
    if outbox.entries.count(where: { $0.asked != nil }) > 1 { findings.append("two requests are in flight") }
    for entry in outbox.entries {
      guard let one = entry.operation.mark else { continue }
      if mark(entry.account).contains(one) != entry.shown {
        findings.append("displayed state differs from the entry")
      }
      if entry.wanted == entry.truth && entry.asked == nil { findings.append("an entry without a request remains") }
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

  /// Lets the source answer everything, with no more activity here.
  mutating func finish() {
    if Bool.random(using: &random) { refusals = 0 }
    for _ in 0..<400 {
      sendRequest(again: Bool.random(using: &random))
      receiveReply()
      check()
    }
    if outbox.entries.contains(where: { !$0.isFailed && !outbox.isUnconfirmed }) {
      findings.append("a request still waits")
    }
    guard isHere else {
      if isThere { findings.append("deleted here but not at the source") }
      return
    }
    if isThere == outbox.isUnconfirmed { findings.append("here but not confirmed correctly") }
    if isHidden { findings.append("hidden but not being deleted") }
    guard isThere else { return }
    if text != textThere { findings.append("the text differs at the source") }
    for account in [ann, bea] {
      let has = there[account, default: []]
      if mark(account).contains(.favourited) != has.contains(.favourite) {
        findings.append("a favourite differs at the source")
      }
      if mark(account).contains(.reposted) != has.contains(.repost) {
        findings.append("a repost differs at the source")
      }
      if mark(account).contains(.saved) != has.contains(.save) { findings.append("a bookmark differs at the source") }
    }
  }
}
