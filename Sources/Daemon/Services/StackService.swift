internal import Engine
internal import Messages
internal import RPC
internal import Store

/// `stack.v1.StackService`: commands on pane stacks.
final class StackService: Service {
  static let name = "stack.v1.StackService"

  private let driver: EngineDriver
  private let accounts: Accounts

  init(driver: EngineDriver, accounts: Accounts) {
    self.driver = driver
    self.accounts = accounts
  }

  var methods: [String: ServiceMethod] {
    [
      Method.push: .command(PushRequest.self, .view, accounts) { [unowned self] request, caller, answer in
        push(request, caller.account, answer)
      },
      Method.pop: .command(SessionRequest.self, .view, accounts) { [unowned self] request, caller, answer in
        command(.pop, request.command, caller.account, answer)
      },
    ]
  }

  private func push(_ request: PushRequest, _ account: Account, _ answer: @escaping (Result<PaneResponse, EngineError>) -> Void) {
    guard case .conversation(let post) = request.subject else {
      return answer(.failure(EngineError(.invalidArgument, "only conversations can be opened from a pane", field: "subject")))
    }
    command(.push(.conversation(post), from: request.fromPane), request.command, account, answer)
  }

  private func command(
    _ action: StackCommand.Action, _ command: SessionCommand, _ account: Account,
    _ answer: @escaping (Result<PaneResponse, EngineError>) -> Void
  ) {
    driver.command(
      StackCommand(action: action, requestID: command.requestID, ifRevision: command.ifRevision),
      SessionKey(account: account.id, name: command.session)
    ) { result in
      answer(result.map { PaneResponse(paneID: $0.pane, revision: $0.revision) })
    }
  }
}
