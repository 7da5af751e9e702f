internal import Dates
internal import HTTPSupport
internal import Ingest
internal import Posts

/// Files for new posts on their way to the server, one after another: parts from the daemon and responses go in;
/// requests, and what the daemon is to know, come out.
///
/// A file is sent once: if there is no answer the person is told, and may send it again. What no post names the server
/// forgets.
struct MediaUploads {
  /// What a file is.
  struct File: Equatable {
    /// The MIME type.
    var type: String
    var description: String
    var byteCount: Int
  }

  enum Question: Equatable {
    /// Sends a file, by the version of the method.
    case send(version: Int, want: String)
    /// Whether the server has made a file ready.
    case look(String, want: String)
  }

  enum Outcome: Equatable {
    /// The daemon may send so many more parts.
    case more(want: String, parts: Int)
    case done(want: String, Media)
    case failed(want: String, reason: String)
  }

  private enum Phase: Equatable {
    /// Not looked at yet.
    case waiting
    case receiving
    /// To be sent, by the version of the method.
    case received(version: Int)
    case asked
    /// The server makes it ready, and is asked again at a time.
    case processing(String, next: Instant)
  }

  private struct Upload {
    var want: String
    var file: File
    let boundary: String
    /// The file and its description, while they are to be sent.
    var form: MultipartForm?
    var phase = Phase.waiting
    /// True if nobody waits for it any more: it ends with the answer that it awaits.
    var isUnwanted = false
    var receivedBytes = 0
    /// Parts that the daemon may still send.
    var credit = 0
    /// The time until the server is asked again, in milliseconds, and when it was first asked to make the file ready.
    var pause: Int64 = 1_000
    var began: Instant?
  }

  /// The most files that wait; the daemon has fewer open.
  static let limit = 64
  /// The parts that the daemon may send before it is asked for more.
  static let credit = 16
  /// The longest pause between two questions about a file, and the time that a server has to make it ready, in
  /// milliseconds.
  private static let longestPause: Int64 = 15_000
  private static let patience: Int64 = 5 * 60_000

  /// The first is under way.
  private var uploads: [Upload] = []
  private var limits = WritingLimits()
  private var outcomes: [Outcome] = []

  init() {}

  /// The time at which ``next(_:at:host:)`` has a question; nil if that does not depend on time.
  var deadline: Instant? { if case .processing(_, let next)? = uploads.first?.phase { next } else { nil } }

  /// Returns the outcomes since the last call.
  mutating func takeOutcomes() -> [Outcome] {
    defer { outcomes = [] }
    return outcomes
  }

  /// Adds a file, whose form has a boundary that nobody can guess.
  mutating func add(_ want: String, _ file: File, boundary: String) {
    guard uploads.count < Self.limit else {
      return outcomes.append(.failed(want: want, reason: "too much is asked for already"))
    }
    uploads.append(Upload(want: want, file: file, boundary: boundary))
  }

  private static func form(of file: File, boundary: String) -> MultipartForm {
    var form = MultipartForm(boundary: boundary)
    if !file.description.isEmpty { form.add("description", file.description) }
    form.beginFile(
      "file", called: "file.\(suffix(of: file.type))", type: file.type, byteCount: file.byteCount)
    return form
  }

  /// Takes the next bytes of a file.
  mutating func append(_ part: [UInt8], to want: String) {
    // In place: a copy would be one of all bytes before.
    guard uploads.first?.want == want, uploads[0].phase == .receiving else { return }
    let receivedBytes = uploads[0].receivedBytes + part.count
    guard !part.isEmpty, receivedBytes <= uploads[0].file.byteCount else {
      return fail("the file does not have the announced length")
    }
    uploads[0].form?.append(part)
    uploads[0].receivedBytes = receivedBytes
    uploads[0].credit -= 1
    if receivedBytes == uploads[0].file.byteCount {
      uploads[0].form?.end()
      uploads[0].phase = .received(version: 2)
    } else if uploads[0].credit <= Self.credit / 2 {
      uploads[0].credit += Self.credit / 2
      outcomes.append(.more(want: want, parts: Self.credit / 2))
    }
  }

  /// Nobody waits for a file any more, if it is one of these. Returns true if it has an outcome all the same, once the
  /// server has answered: until then it has memory and a connection.
  mutating func drop(_ want: String) -> Bool {
    guard let first = uploads.first, first.want == want, first.phase == .asked else {
      uploads.removeAll { $0.want == want }
      return false
    }
    uploads[0].isUnwanted = true
    return true
  }

  /// The server cannot be asked at present or, if `isForGood`, any more: ends all but the one whose answer is awaited
  /// and, unless `isForGood`, the one that the server makes ready.
  mutating func interrupt(_ reason: String, isForGood: Bool) {
    var kept: [Upload] = []
    for upload in uploads {
      switch upload.phase {
      case .asked: kept.append(upload)
      case .processing where !isForGood: kept.append(upload)
      default: outcomes.append(.failed(want: upload.want, reason: reason))
      }
    }
    uploads = kept
  }

  /// Ends all.
  mutating func fail(all reason: String) { while !uploads.isEmpty { fail(reason) } }

  /// Returns what to ask next of the server `host`, which takes files within its limits.
  mutating func next(_ known: MediaLimits, at now: Instant, host: String) -> Question? {
    while let upload = uploads.first, upload.phase == .waiting {
      if let reason = known.refusal(of: upload.file, at: host) ?? limits.count(.upload, at: now) {
        fail(reason)
      } else {
        uploads[0].phase = .receiving
        uploads[0].form = Self.form(of: upload.file, boundary: upload.boundary)
        uploads[0].credit = Self.credit
        outcomes.append(.more(want: upload.want, parts: Self.credit))
      }
    }
    guard let upload = uploads.first else { return nil }
    switch upload.phase {
    case .received(let version):
      uploads[0].phase = .asked
      return .send(version: version, want: upload.want)
    case .processing(let id, let next) where next <= now:
      uploads[0].phase = .asked
      return .look(id, want: upload.want)
    default: return nil
    }
  }

  /// Returns what the request of a question sends; nil for nothing.
  func form(for question: Question) -> MultipartForm? {
    if case .send = question { uploads.first?.form } else { nil }
  }

  /// Takes an answer.
  mutating func answered(
    _ question: Question, _ answer: ServerAnswer, _ response: FetchResponse?, at now: Instant, parser: JSONParser
  ) {
    guard let upload = uploads.first, upload.want == question.want, upload.phase == .asked else { return }
    if upload.isUnwanted { return fail("nobody waits for the file") }
    switch (question, answer) {
    case (_, .done), (_, .building):
      guard let (media, isReady) = response?.parsed(by: parser, Self.media) else {
        return fail("the server's answer cannot be read")
      }
      if isReady, answer == .done { finish(media) } else { look(again: media.uploadID.string, at: now) }
    // Servers of older versions, and some others, have only the first method.
    case (.send(version: 2, _), .absent): uploads[0].phase = .received(version: 1)
    case (.look(let id, _), .later), (.look(let id, _), .limited): look(again: id, at: now)
    case (_, .absent): fail("the server does not take files, or has lost this one")
    case (_, .refused(let words)), (_, .signedOut(let words)): fail("the server says: \(words)")
    case (_, .later(let reason)): fail(reason)
    case (_, .limited): fail("the server asks to wait")
    }
  }

  private mutating func look(again id: String, at now: Instant) {
    let began = uploads[0].began ?? now
    guard now.milliseconds - began.milliseconds < Self.patience else {
      return fail("the server has not made the file ready within five minutes")
    }
    uploads[0].form = nil
    uploads[0].began = began
    uploads[0].phase = .processing(id, next: now.adding(milliseconds: uploads[0].pause))
    uploads[0].pause = min(uploads[0].pause * 2, Self.longestPause)
  }

  private mutating func finish(_ media: Media) { outcomes.append(.done(want: uploads.removeFirst().want, media)) }

  private mutating func fail(_ reason: String) {
    outcomes.append(.failed(want: uploads.removeFirst().want, reason: reason))
  }

  /// Reads a file as the server has it. It is ready when it has an address: Mastodon answers 202 before that, and Akkoma
  /// always.
  private static func media(_ value: JSONValue) -> (Media, isReady: Bool)? {
    guard let id = value["id"]?.id, !id.isEmpty else { return nil }
    var media = MastodonStatus.media(value)
    media.uploadID = SafeText(line: id)
    return (media, value["url"]?.string != nil)
  }

  /// Returns the end of a file's name: some servers compare it with what the file contains.
  private static func suffix(of type: String) -> String {
    let name = String(type.split(separator: "/").last ?? "")
    return ["jpeg": "jpg", "quicktime": "mov", "mpeg": "mp3", "x-matroska": "mkv"][name]
      ?? String(name.prefix { $0.isLetter || $0.isNumber })
  }
}

extension MediaUploads.Question {
  /// The want that it is for.
  var want: String {
    switch self {
    case .send(_, let want), .look(_, let want): want
    }
  }

  /// Returns the request to a server; one that sends a file lacks it (``MediaUploads/form(for:)``).
  func request(to server: MastodonServer) -> FetchRequest {
    switch self {
    case .send(let version, _): server.get("/api/v\(version)/media")
    case .look(let id, _): server.get("/api/v1/media/\(id)")
    }
  }
}
