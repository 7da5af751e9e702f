internal import Engine
internal import Messages
internal import Posts
internal import RPC
internal import Store
internal import ViewState

/// One running UploadMedia call: passes the parts of a file on to the program of its source, as that asks for them.
///
/// The client is held back while more than ``allowance`` bytes have not been passed on, and the program gets a part
/// only when it has taken the one before.
final class UploadCall {
  /// Maximum number of received bytes that the program has not been sent.
  private static let allowance = 256 << 10
  /// Maximum number of parts that the program may ask for before it gets any.
  private static let creditLimit = 1024
  /// Time within which a client must send more of a file for which the program waits.
  private static let stallTime = Duration.seconds(60)

  private let call: ServerCall
  private let account: AccountID
  private let driver: EngineDriver
  private let findRunner: (String) -> UpstreamRunner?
  /// The file; nil before the header.
  private var file: UpstreamUpload?
  private var receivedBytes = 0
  /// Bytes that the program has not been sent.
  private var held: [UInt8] = []
  private var sentBytes = 0
  /// The login whose server gets the file.
  private var login = ""
  /// The program that is asked, and the number of the want.
  private var asked: (runner: UpstreamRunner, number: Int)?
  /// Number of parts that the program still takes.
  private var credit = 0
  /// True while the program has not taken the last part.
  private var isProgramBusy = false

  init(
    _ call: ServerCall, of account: AccountID, driver: EngineDriver, runner: @escaping (String) -> UpstreamRunner?
  ) {
    (self.call, self.account, self.driver, findRunner) = (call, account, driver, runner)
  }

  /// Starts the upload. The call retains it until it ends.
  func start() {
    call.receiveByHand(allowance: Self.allowance)
    call.onMessage = { _, bytes in self.receive(bytes) }
    call.onHalfClose = { _ in self.closed() }
  }

  private func receive(_ bytes: [UInt8]) {
    let request: UploadMediaRequest
    do throws(DecodingFailure) {
      request = try UploadMediaRequest(decoding: bytes)
    } catch {
      return fail(EngineError(.invalidArgument, error.reason))
    }
    switch request {
    case .header(let header):
      guard file == nil else { return fail(EngineError(.invalidArgument, "an upload has one header")) }
      call.consume(bytes.count)
      begin(header)
    case .chunk(let part):
      call.consume(bytes.count - part.count)
      append(part)
    }
  }

  private func begin(_ header: UploadMediaHeader) {
    let file: UpstreamUpload
    do throws(EngineError) {
      file = try PostMedia.file(header)
    } catch {
      return fail(error)
    }
    self.file = file
    let requester = Requester(call: call, account: account, bytes: 0)
    let (source, parent, account) = (header.source, header.inReplyTo, account)
    driver.ask(for: requester) { store throws(EngineError) in
      try StoreLookup.attempt { () throws(StoreError) in
        try store.uploadDestination(source: source, parent: parent, for: account)
      }
    } _: { (result: Result<UploadDestination, EngineError>) in
      do throws(EngineError) {
        try self.ask(for: file, at: result.get())
      } catch {
        self.fail(error)
      }
    }
  }

  private func ask(for file: UpstreamUpload, at destination: UploadDestination) throws(EngineError) {
    guard call.isOpen else { return }
    switch destination {
    case .here: throw EngineError(Refusal.mediaHere)
    case .unknown: throw EngineError(.notFound, "there is no such post or source")
    case .noLogin(let source): throw EngineError(.failedPrecondition, "you have no login at \(source)")
    case .login(let login, let source):
      guard let runner = findRunner(source) else {
        throw EngineError(.failedPrecondition, "\(source) has no program on this daemon")
      }
      self.login = login
      let number = try runner.upload(file, login: login, of: account) { [weak self] parts in
        self?.programTakes(parts)
      } _: { [weak self] result in
        self?.answered(result)
      }
      asked = (runner, number)
      call.onInterrupted = { _, _ in self.withdraw() }
    }
  }

  private func append(_ part: [UInt8]) {
    guard let file else { return fail(EngineError(.invalidArgument, "an upload begins with a header")) }
    receivedBytes += part.count
    guard (1...UpstreamUpload.partBytes).contains(part.count) else {
      return fail(
        EngineError(
          .invalidArgument, "a chunk has 1 to \(UpstreamUpload.partBytes) bytes", field: "chunk",
          limit: UpstreamUpload.partBytes))
    }
    guard receivedBytes <= file.byteCount else {
      return fail(EngineError(.invalidArgument, "the file has more bytes than its header says", field: "bytes"))
    }
    held += part
    passOn()
  }

  private func closed() {
    guard let file else { return fail(EngineError(.invalidArgument, "an upload begins with a header")) }
    guard receivedBytes == file.byteCount else {
      return fail(EngineError(.invalidArgument, "the file has fewer bytes than its header says", field: "bytes"))
    }
  }

  private func programTakes(_ parts: Int) {
    credit = min(credit + min(max(parts, 0), Self.creditLimit), Self.creditLimit)
    passOn()
  }

  /// Sends the program what it takes, in whole parts whatever the client's chunks are.
  private func passOn() {
    while let file, let asked, credit > 0, !isProgramBusy {
      let count = min(UpstreamUpload.partBytes, file.byteCount - sentBytes)
      guard count > 0 else { return }
      guard held.count >= count else {
        return call.expectMessage(
          within: Self.stallTime,
          or: Status(
            .deadlineExceeded, "nothing more of the file has arrived for \(Self.stallTime.components.seconds) s"))
      }
      credit -= 1
      sentBytes += count
      isProgramBusy = true
      asked.runner.sendPart(of: asked.number, Array(held.prefix(count)))
      held.removeFirst(count)
      call.consume(count)
      asked.runner.whenTaken { [weak self] in
        self?.isProgramBusy = false
        self?.passOn()
      }
    }
  }

  private func answered(_ result: Result<UpstreamReply, EngineError>) {
    asked = nil
    switch result {
    case .failure(let error): fail(error)
    case .success(let reply):
      guard let file, var media = reply.media, sentBytes == file.byteCount else {
        return fail(
          EngineError(.unavailable, "the source's program sent an incomplete answer; try again, or update the program"))
      }
      media.altText = file.description
      call.finish(message: UploadMediaResponse(UploadedMedia(media, login: login)).encoded())
    }
  }

  private func fail(_ error: EngineError) {
    withdraw()
    call.finish(Status(error))
  }

  private func withdraw() {
    held = []
    guard let asked else { return }
    self.asked = nil
    asked.runner.withdraw(asked.number)
  }
}

extension UploadedMedia {
  fileprivate init(_ media: Media, login: String) {
    self.init(
      id: media.uploadID.string,
      media: RowMedia(
        kind: RowMedia.Kind(rawValue: media.kind.rawValue) ?? .unknown, url: media.url.utf8,
        altText: media.altText.utf8),
      login: login)
  }
}
