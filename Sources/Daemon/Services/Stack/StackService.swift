internal import Engine
internal import Messages
internal import RPC
internal import Store

/// `stack.v1.StackService`: commands on sessions and their pane stacks.
final class StackService: Service {
  static let name = "stack.v1.StackService"

  private let driver: EngineDriver

  init(driver: EngineDriver) {
    self.driver = driver
  }

  var methods: [String: ServiceMethod] {
    [
      Method.push: pane(PushRequest.self, naming: "subject.search") {
        ($0.command, .push($0.content, from: $0.fromPane, width: $0.width))
      },
      Method.replace: pane(ReplaceRequest.self, at: "push.command", naming: "push.subject.search") { request in
        let push = request.push
        return (push.command, .replace(push.fromPane, with: push.content, width: push.width))
      },
      Method.pop: pane(SessionRequest.self) { ($0.command, .pop) },
      Method.popTo: pane(PopToRequest.self) { ($0.command, .popTo($0.paneID)) },
      Method.dropAll: pane(SessionRequest.self) { ($0.command, .dropAll) },
      Method.open: pane(OpenRequest.self, naming: "query") { ($0.command, .open($0.section, query: $0.query)) },
      Method.back: pane(SessionRequest.self) { ($0.command, .back) },
      Method.forward: pane(SessionRequest.self) { ($0.command, .forward) },
      Method.select: pane(SelectRequest.self) { ($0.command, .select(pane: $0.paneID, row: $0.rowID)) },
      Method.resizePane: pane(ResizePaneRequest.self) { ($0.command, .resize(pane: $0.paneID, width: $0.width)) },
      Method.collapse: pane(CollapseRequest.self) { request in
        (request.command, .collapse(pane: request.paneID, post: request.rowID, isCollapsed: request.isCollapsed))
      },
      Method.fold: pane(FoldRequest.self) { request in
        (request.command, .fold(pane: request.paneID, row: request.rowID, isFolded: request.isFolded))
      },
      Method.setFilter: pane(SetFilterRequest.self, naming: "filter") {
        ($0.command, .limit(pane: $0.paneID, to: $0.filter))
      },
      Method.setReadingPosition: command(SetReadingPositionRequest.self) { request in
        (request.command, .read(request.section, row: request.rowID, line: request.line))
      } _: {
        RevisionResponse(revision: $0.revision)
      },
      Method.renameSession: command(RenameSessionRequest.self) {
        ($0.command, .rename($0.name))
      } _: {
        RevisionResponse(revision: $0.revision)
      },
      Method.deleteSession: command(SessionRequest.self) {
        ($0.command, .delete)
      } _: {
        RevisionResponse(revision: $0.revision)
      },
      Method.listSessions: .queued(PageRequest.self, .view) {
        [driver] request, _, requester, answer in
        driver.listSessions(for: requester) { result in
          answer(
            result.flatMap { sessions in
              Result { () throws(EngineError) in try ListSessionsResponse(request, of: sessions) }
            })
        }
      },
    ]
  }

  /// A command whose response is the pane it was about.
  private func pane<Request: WireMessage>(
    _ type: Request.Type, at path: String = "command", naming field: String? = nil,
    _ action: @escaping (Request) -> (SessionCommand, StackCommand.Action)
  ) -> ServiceMethod {
    command(type, at: path, naming: field, action) { PaneResponse(paneID: $0.pane, revision: $0.revision) }
  }

  /// A command. `path` is where its request has the session; `field` is where it has a search, the only part that can
  /// then be invalid.
  private func command<Request: WireMessage, Response: WireMessage>(
    _ type: Request.Type, at path: String = "command", naming field: String? = nil,
    _ action: @escaping (Request) -> (SessionCommand, StackCommand.Action),
    _ response: @escaping ((pane: UInt64, revision: UInt64)) -> Response
  ) -> ServiceMethod {
    .queued(type, .panes) {
      [driver]
      (
        request: Request, caller: Caller, requester: Requester,
        answer: @escaping (Result<Response, EngineError>) -> Void
      ) in
      let (command, action) = action(request)
      do throws(EngineError) {
        try SessionKey.check(command.session, field: "\(path).session")
      } catch {
        return answer(.failure(error))
      }
      driver.command(
        StackCommand(action: action, requestID: command.requestID, ifRevision: command.ifRevision),
        SessionKey(account: caller.account.id, name: command.session), for: requester
      ) { result in
        if case .success(let done) = result {
          driver.reading.commandDone(
            action, SessionKey(account: caller.account.id, name: command.session), pane: done.pane)
        }
        let mapped = result.map(response)
        answer(field.map { field in mapped.mapError { $0.about(field) } } ?? mapped)
      }
    }
  }
}

extension PushRequest {
  /// The pane's content in the engine's terms.
  fileprivate var content: StackCommand.Subject {
    switch subject {
    case .conversation(let post): .conversation(post)
    case .author(let author): .author(author)
    case .list(let list): .list(list)
    case .direct(let group): .direct(group)
    case .search(let query): .search(query)
    case .section, .post: preconditionFailure("requests with such a subject are rejected when decoded")
    }
  }
}

extension ListSessionsResponse {
  /// A page of an account's sessions.
  fileprivate init(_ request: PageRequest, of sessions: [SessionListing]) throws(EngineError) {
    self.init()
    (self.sessions, nextPageToken) = try Pager.page(request, of: sessions, for: Method.listSessions) {
      PageKey(text: $0.name)
    } _: { session in
      var summary = SessionSummary()
      summary.name = session.name
      summary.panes = session.panes
      summary.views = session.views.count
      summary.viewIDs = session.views.prefix(SessionSummary.viewLimit).map(\.rawValue)
      summary.revision = session.revision
      return summary
    }
  }
}
