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
      Method.push: .command(PushRequest.self, accounts) { [unowned self] request, account, answer in
        let action = StackCommand.Action.push(.conversation(request.conversation), from: request.fromPane)
        command(action, request.command, account, answer)
      },
      Method.pop: .command(PopRequest.self, accounts) { [unowned self] request, account, answer in
        command(.pop, request.command, account, answer)
      },
    ]
  }

  private func command(
    _ action: StackCommand.Action, _ command: SessionCommand, _ account: Account,
    _ answer: @escaping (Result<PaneResponse, EngineError>) -> Void
  ) {
    for (field, text) in [("session", command.session), ("request_id", command.requestID)] where text.utf8.count > 64 {
      return answer(
        .failure(EngineError(.invalidArgument, "\(field) has at most 64 bytes", field: "command.\(field)", limit: 64)))
    }
    driver.command(
      StackCommand(action: action, requestID: command.requestID, ifRevision: command.ifRevision),
      SessionKey(account: account.id, name: command.session)
    ) { result in
      answer(result.map { PaneResponse(paneID: $0.pane, revision: $0.revision) })
    }
  }
}
