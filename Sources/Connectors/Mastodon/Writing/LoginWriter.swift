internal import Dates
internal import HTTPSupport
internal import Ingest
internal import Posts

/// Carries out the wishes of a login, one at a time and in order. Responses go in; requests, answers to wishes, and
/// what the daemon has to store come out.
///
/// Marks, edits and deletions may be repeated. A post may not: not every server knows the key of a request again, and
/// one that answers an error may have made the post, or may make it yet. So the daemon stores that a post is tried
/// before it is sent. If no answer says what became of it, it is looked for, and once more when a minute has passed. If
/// it is not there then, it is sent again where the server knows the key; otherwise it is refused, since nobody can
/// tell.
struct LoginWriter {
  enum Effect: Equatable {
    case answer(String, Wish.Answer)
    /// Stores the record, and calls ``stored(_:)``.
    case store(WritingRecord)
    /// Tells the person that a post has become something else than was written.
    case warn(String)
  }

  /// What has to be known of the server.
  struct Facts {
    /// The name that begins its numbers.
    var host: String
    /// True if it knows the key of a request again.
    var keepsKeys: Bool
    /// The most files of a post; nil if it does not say.
    var mediaCount: Int?
    var clock: ServerClock
  }

  /// A wish that is being carried out.
  private struct Work {
    var wish: Wish
    /// The post that it is about, or the one that it replies to.
    var subject: OwnStatus?
    var lookup: PostLookup?
    var isStored = false
    /// The number of its files that the server still has.
    var foundFiles = 0
    /// What is to be answered when the daemon has stored it.
    var result: Wish.Answer?
  }

  private enum Step {
    case ask(WriterQuestion)
    /// Has the record stored, then goes on, or ends with a result.
    case store(Wish.Answer?)
    case finish(Wish.Answer)
  }

  /// The most wishes that wait; the daemon has fewer open.
  static let queueLimit = 64
  /// Files of a post that is older, in milliseconds, are looked for before it is sent: servers forget them within a day,
  /// and some then make the post without them.
  private static let freshTime: Int64 = 3_600_000

  private let parser: JSONParser
  private var attempts: PostAttempts
  private var queue: [Wish] = []
  private var work: Work?
  private var asked: WriterQuestion?
  private var isStoring = false
  /// The server's identifier of the login's account.
  private var account: String?
  private var limits = WritingLimits()
  private var effects: [Effect] = []

  init(record: WritingRecord, parser: JSONParser) {
    attempts = PostAttempts(record: record)
    self.parser = parser
  }

  /// What the daemon has to store.
  var record: WritingRecord { attempts.record }

  /// Returns the effects since the last call.
  mutating func takeEffects() -> [Effect] {
    defer { effects = [] }
    return effects
  }

  /// Adds a wish. One that waits or is being carried out is passed over.
  mutating func add(_ wish: Wish, at now: Instant) {
    attempts.heard(of: wish.id, at: now)
    guard work?.wish.id != wish.id, !queue.contains(where: { $0.id == wish.id }) else { return }
    guard queue.count < Self.queueLimit else { return effects.append(.answer(wish.id, .later("too much waits"))) }
    queue.append(wish)
  }

  /// Puts off all wishes but one for which an answer is awaited.
  mutating func postpone(_ reason: String) {
    if asked == nil, !isStoring { finish(.later(reason)) }
    for wish in queue { effects.append(.answer(wish.id, .later(reason))) }
    queue = []
  }

  /// Returns the next request; nil if an answer is awaited, or there is nothing to do.
  mutating func next(_ facts: Facts, at now: Instant) -> WriterQuestion? {
    guard asked == nil else { return nil }
    while !isStoring {
      guard let work = work ?? queue.first.map({ Work(wish: $0) }) else { return nil }
      if self.work == nil { queue.removeFirst() }
      for wish in queue { attempts.heard(of: wish.id, at: now) }
      self.work = work
      switch step(work, facts, at: now) {
      case .ask(let question):
        asked = question
        return question
      case .store(let result): store(result: result)
      case .finish(let answer): finish(answer)
      }
    }
    return nil
  }

  /// The daemon has stored the record, or refuses it.
  mutating func stored(_ isStored: Bool) {
    guard isStoring else { return }
    isStoring = false
    guard isStored else {
      // What was to be sent has not been.
      if work?.result == nil { attempts.undo() }
      return finish(.later("the daemon cannot store what is posted"))
    }
    work?.isStored = true
    if let result = work?.result { finish(result) }
  }

  /// Has the record stored; the wish is answered then, if there is a result.
  private mutating func store(result: Wish.Answer?) {
    work?.result = result
    isStoring = true
    effects.append(.store(record))
  }

  private mutating func finish(_ answer: Wish.Answer) {
    guard let wish = work?.wish.id else { return }
    work = nil
    effects.append(.answer(wish, answer))
  }

  // MARK: - Asking

  private mutating func step(_ work: Work, _ facts: Facts, at now: Instant) -> Step {
    let wish = work.wish
    switch wish.action {
    case .post(let writing): return post(writing, work, facts, at: now)
    case .edit(let writing):
      guard let status = work.subject else { return .ask(reading(wish.post, facts)) }
      guard !status.hasPoll else { return .finish(.refused("a post with a poll cannot be edited here")) }
      return .ask(.edit(status, writing))
    case .favourite: return mark("favourite", work, facts)
    case .unfavourite: return mark("unfavourite", work, facts)
    case .repost: return mark("reblog", work, facts)
    case .save: return mark("bookmark", work, facts)
    case .unsave: return mark("unbookmark", work, facts)
    case .unrepost: return limited(mark("unreblog", work, facts), at: now)
    case .delete:
      guard let id = number(work, facts) else { return .ask(.find(wish.post.id)) }
      return limited(.ask(.delete(id)), at: now)
    }
  }

  private func mark(_ word: String, _ work: Work, _ facts: Facts) -> Step {
    number(work, facts).map { .ask(.mark($0, as: word)) } ?? .ask(.find(work.wish.post.id))
  }

  private func number(_ work: Work, _ facts: Facts) -> String? {
    work.subject?.id ?? work.wish.post.number(at: facts.host)
  }

  private func reading(_ name: Wish.PostName, _ facts: Facts) -> WriterQuestion {
    name.number(at: facts.host).map { .status($0) } ?? .find(name.id)
  }

  /// Returns a step that deletes something, if the server will not mind.
  private mutating func limited(_ step: Step, at now: Instant) -> Step {
    if case .ask(.find) = step { return step }
    return limits.count(.deletion, at: now).map { .finish(.later($0)) } ?? step
  }

  // MARK: - Posting

  private mutating func post(_ writing: Wish.Writing, _ work: Work, _ facts: Facts, at now: Instant) -> Step {
    if let status = record.status(of: work.wish.id) { return .ask(.status(status)) }
    if let most = facts.mediaCount, writing.media.count > most {
      let reason = "\(facts.host) takes posts with up to \(most) files, and this one has \(writing.media.count)"
      return .finish(.refused(reason))
    }
    if let parent = writing.parent, work.subject == nil { return .ask(reading(parent, facts)) }
    let writing = writing.narrowed(to: work.subject)
    if work.isStored { return .ask(.post(writing, parent: work.subject?.id, key: work.wish.id)) }
    switch attempts.permission(for: work.wish, at: now) {
    case .granted:
      let isOld = now.milliseconds - writing.since.milliseconds > Self.freshTime
      if isOld, work.foundFiles < writing.media.count { return .ask(.file(writing.media[work.foundFiles])) }
      return begin(work, at: now)
    case .later: return .finish(.later(Self.unknown))
    case .afterAnother: return .finish(.later("an earlier post is looked for first"))
    case .afterLooking: return look(for: writing, work, facts, at: now)
    }
  }

  private static let unknown = "it is not known yet whether the server has this post"
  private static let uncertain =
    "it is not known whether the server has this post; look there before you try again"

  private mutating func look(for writing: Wish.Writing, _ work: Work, _ facts: Facts, at now: Instant) -> Step {
    guard let account else { return .ask(.account) }
    let lookup =
      work.lookup
      ?? PostLookup(
        writing, parent: work.subject?.id, since: facts.clock.time(at: writing.since),
        taken: Set(record.posted.map(\.status)))
    self.work?.lookup = lookup
    if let question = lookup.question { return .ask(.look(question, account: account)) }
    if case .found(let status) = lookup.outcome {
      attempts.made(status.id, by: work.wish.id)
      return .store(.done(id: status.uri, page: status.page))
    }
    let verdict = attempts.missing(
      work.wish.id, isAbsent: lookup.outcome == .absent, keepsKeys: facts.keepsKeys, at: now)
    switch verdict {
    case .send: return begin(work, at: now)
    case .wait: return .finish(.later(Self.unknown))
    case .giveUp: return .finish(.refused(Self.uncertain))
    }
  }

  private mutating func begin(_ work: Work, at now: Instant) -> Step {
    if let reason = limits.count(.post, at: now) { return .finish(.later(reason)) }
    attempts.begin(work.wish.id, at: now)
    return .store(nil)
  }

  // MARK: - Answers

  /// Takes the response to a request.
  mutating func answered(
    _ question: WriterQuestion, _ result: Result<FetchResponse, FetchFailure>, host: String, at now: Instant
  ) {
    guard asked == question, let work else { return }
    asked = nil
    attempts.heard(of: work.wish.id, at: now)
    let answer = ServerAnswer(result, parser: parser)
    if case .post = question {
      attempts.isInDoubt(at: now)
      return posted(answer, question, result, host)
    }
    switch answer {
    case .done:
      guard let finding = finding(question, result, host) else {
        return finish(.later("the server's answer cannot be read"))
      }
      take(finding, work)
    case .limited: finish(.later("the server asks to wait"))
    case .building: finish(.later("the server is busy"))
    case .later(let reason): finish(.later(reason))
    case .signedOut(let words): finish(.later("the server says: \(words)"))
    case .absent: absent(question, work)
    case .refused(let words): refused(words, question, work, at: now)
    }
  }

  /// The server refuses a request. If a post may have been made before, that does not mean that it is not there.
  private mutating func refused(_ words: String, _ question: WriterQuestion, _ work: Work, at now: Instant) {
    let wish = work.wish.id
    switch (question, work.wish.action) {
    case (.look(.source, _), _): self.work?.lookup?.answer(source: nil)
    // Not every server can be asked.
    case (.file, _): self.work?.foundFiles += 1
    case (_, .post) where record.status(of: wish) != nil: finish(.later("the server says: \(words)"))
    case (.look, .post), (.account, .post): doubt()
    case (_, .post) where record.attempt?.wish == wish: doubt()
    default: finish(.refused(words))
    }
    func doubt() {
      let verdict = attempts.missing(wish, isAbsent: false, keepsKeys: false, at: now)
      finish(verdict == .wait ? .later(Self.unknown) : .refused(Self.uncertain))
    }
  }

  private mutating func absent(_ question: WriterQuestion, _ work: Work) {
    switch question {
    case .look(.source, _): self.work?.lookup?.answer(source: nil)
    case .file: finish(.refused("the server does not have the files of this post any more; write it again"))
    case .edit: finish(.refused("the server cannot change posts"))
    case .account, .look(.page, _): finish(.later("the server does not say whose login this is"))
    case .find, .status, .post, .delete, .mark: gone(work)
    }
  }

  /// The post that a wish is about is not there.
  private mutating func gone(_ work: Work) {
    switch work.wish.action {
    case .delete, .unfavourite, .unrepost, .unsave: finish(.done())
    case .post where record.attempt?.wish == work.wish.id:
      attempts.end()
      finish(.refused(Self.uncertain))
    case .post(let writing) where writing.parent != nil && record.status(of: work.wish.id) == nil:
      finish(.refused("the server does not have the post that this replies to"))
    // It was there, and is deleted.
    case .post: finish(.done())
    case .edit, .favourite, .repost, .save: finish(.refused("the server does not have this post"))
    }
  }

  /// Takes the response to a request that makes a post. If it does not say whether there is one, it is looked for.
  private mutating func posted(
    _ answer: ServerAnswer, _ question: WriterQuestion, _ result: Result<FetchResponse, FetchFailure>, _ host: String
  ) {
    guard let wish = work?.wish.id, case .post(let writing, let parent, _) = question else { return }
    work?.isStored = false
    work?.lookup = nil
    switch answer {
    case .done:
      guard case .status(let status) = finding(question, result, host) else { return }
      // An equal post was found by the other wish before.
      guard !record.posted.contains(where: { $0.status == status.id && $0.wish != wish }) else {
        return refuse("the server takes this post for an earlier one with the same text")
      }
      attempts.made(status.id, by: wish)
      if status.media.count < writing.media.count {
        effects.append(.warn("the server has made a post without its files: \(status.page)"))
      }
      store(result: .done(id: status.uri, page: status.page))
    case .later(let reason):
      guard case .failure(let failure) = result, !failure.wasSent else { return }
      undo(.later(reason))
    case .building: return
    case .limited: undo(.later("the server asks to wait"))
    case .signedOut(let words): undo(.later("the server says: \(words)"))
    case .refused(let words): refuse(words)
    case .absent where writing.media.isEmpty: refuse("the server does not have the post that this replies to")
    case .absent where parent == nil: refuse("the server does not have the files of this post")
    case .absent: refuse("the server does not have the post that this replies to, or the files of this post")
    }
  }

  private mutating func undo(_ result: Wish.Answer) {
    attempts.undo()
    store(result: result)
  }

  private mutating func refuse(_ reason: String) {
    attempts.end()
    store(result: .refused(reason))
  }

  private func finding(
    _ question: WriterQuestion, _ result: Result<FetchResponse, FetchFailure>, _ host: String
  ) -> WriterFinding? {
    (try? result.get()).flatMap { WriterFinding(question, $0, host: host, parser: parser) }
  }

  /// Takes what a response says.
  private mutating func take(_ finding: WriterFinding, _ work: Work) {
    switch finding {
    case .account(let id): account = id
    case .statuses(let statuses):
      if work.lookup != nil {
        self.work?.lookup?.answer(statuses)
      } else if let status = statuses.first {
        self.work?.subject = status
      } else {
        gone(work)
      }
    case .source(let text, let warning): self.work?.lookup?.answer(source: (text, warning))
    case .status(let status):
      if work.wish.action == .repost || record.status(of: work.wish.id) != nil {
        finish(.done(id: status.uri, page: status.page))
      } else {
        self.work?.subject = status
      }
    case .file: self.work?.foundFiles += 1
    case .done: finish(.done())
    }
  }
}

extension Wish.Writing {
  /// Returns the same for no more people than see the post that it replies to. A server's own word is used for both.
  fileprivate func narrowed(to parent: OwnStatus?) -> Wish.Writing {
    guard let parent, parent.visibility.narrowed.rawValue > visibility.rawValue else { return self }
    var writing = self
    (writing.visibility, writing.serverWord) = (parent.visibility.narrowed, parent.visibility.word)
    return writing
  }
}

extension LoginWriter.Facts {
  init(_ facts: ServerFacts, host: String, clock: ServerClock) {
    self.init(host: host, keepsKeys: facts.keepsKeys, mediaCount: facts.media.count, clock: clock)
  }
}
