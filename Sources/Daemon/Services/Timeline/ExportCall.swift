internal import Engine
internal import Messages
internal import Posts
internal import RPC
internal import Store

/// One running export. The next page is read when the one before has gone out, so that a slow reader costs one page of
/// memory.
final class ExportCall {
  private let driver: EngineDriver
  private let account: AccountID
  private let publicOnly: Bool
  private var next: OrderKey?
  private var isLast = false
  private var isReading = false
  private var ready: ExportResponse?
  private var failure: EngineError?

  init(driver: EngineDriver, account: AccountID, publicOnly: Bool) {
    self.driver = driver
    self.account = account
    self.publicOnly = publicOnly
  }

  /// Starts the export on `call`, which retains it.
  func start(_ call: ServerCall) {
    guard call.isOpen else { return }
    read(call)
    call.onReadyToSend = { call in self.nextMessage(call) }
  }

  private func nextMessage(_ call: ServerCall) -> Pull {
    if let failure { return .finish(Status(failure), trailers: Metadata()) }
    if let response = ready {
      ready = nil
      if !isLast { read(call) }
      if response.count > 0 { return .message(response.encoded()) }
    }
    return isLast && !isReading ? .finish(.ok, trailers: Metadata()) : .wait
  }

  private func read(_ call: ServerCall) {
    guard !isReading else { return }
    isReading = true
    driver.readStore(.export(after: next, account, publicOnly: publicOnly)) { [weak call] outcome in
      self.isReading = false
      self.storePage(outcome)
      call?.wake()
    }
  }

  private func storePage(_ outcome: ReadOutcome) {
    guard case .exported(let result) = outcome else { return }
    switch result {
    case .failure(let error): failure = error
    case .success(let page):
      next = page.next
      isLast = page.next == nil
      ready = ExportResponse(lines: page.lines, count: page.count)
    }
  }
}
