package import Messages
internal import ViewState

/// A client's command as a value, so that it can be sent again.
package enum ActionCommand {
  case compose(ComposeRequest)
  case mark(MarkRequest)
  case markRead(MarkReadRequest)
  case edit(EditRequest)
  case delete(DeleteRequest)
  case undo(UndoRequest)

  /// The method's path.
  package var path: String {
    switch self {
    case .compose: Method.compose
    case .mark: Method.mark
    case .markRead: Method.markRead
    case .edit: Method.edit
    case .delete: Method.delete
    case .undo: Method.undo
    }
  }

  /// The request's bytes.
  package var bytes: [UInt8] {
    switch self {
    case .compose(let request): request.encoded()
    case .mark(let request): request.encoded()
    case .markRead(let request): request.encoded()
    case .edit(let request): request.encoded()
    case .delete(let request): request.encoded()
    case .undo(let request): request.encoded()
    }
  }

  /// The client's request ID; empty for none.
  package var requestID: String {
    get {
      switch self {
      case .compose(let request): request.requestID
      case .mark(let request): request.requestID
      case .markRead(let request): request.requestID
      case .edit(let request): request.requestID
      case .delete(let request): request.requestID
      case .undo(let request): request.requestID
      }
    }
    set {
      switch self {
      case .compose(var request):
        request.requestID = newValue
        self = .compose(request)
      case .mark(var request):
        request.requestID = newValue
        self = .mark(request)
      case .markRead(var request):
        request.requestID = newValue
        self = .markRead(request)
      case .edit(var request):
        request.requestID = newValue
        self = .edit(request)
      case .delete(var request):
        request.requestID = newValue
        self = .delete(request)
      case .undo(var request):
        request.requestID = newValue
        self = .undo(request)
      }
    }
  }

  /// The command's kind.
  package var kind: ActionKind {
    switch self {
    case .compose(let request): request.inReplyTo.isEmpty ? .post : .reply
    // Private marks count as `save`.
    case .mark(let request): request.kind.flatMap { ActionKind(rawValue: "\($0)") } ?? .save
    case .markRead(let request): request.readMark == .read ? .read : .unread
    case .edit: .edit
    case .delete: .delete
    case .undo(let request): request.isRedo ? .redo : .undo
    }
  }
}

/// Kinds of ``ActionCommand``.
package enum ActionKind: String, CaseIterable, Sendable {
  case post, reply, favourite, repost, save, read, unread, edit, delete, undo, redo
}
