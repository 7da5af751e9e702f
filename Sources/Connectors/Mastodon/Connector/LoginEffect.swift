internal import ConnectorSupport
internal import HTTPSupport
internal import Posts

extension Login {
  /// What a login wants its owner to do.
  enum Effect {
    /// Makes a request. `epoch` comes back with its response.
    case ask(LoginQuestion, epoch: Int, FetchRequest)
    case openStream(FetchRequest)
    /// Opens a connection for a WebSocket.
    case openSocket(FetchRequest)
    /// Sends bytes by the connection.
    case sendBytes([UInt8])
    case closeStream
    /// Sends items, each an object in JSON, with the cursors that stand for them.
    case send([[UInt8]], cursors: [String: String])
    /// Asks the daemon which of these statuses are here.
    case doubt([String])
    /// Has the cursors stored, and calls ``Login/recorded(_:)``.
    case store([String: String])
    case answer(String, Wish.Answer)
    /// Answers a want once everything that was sent before is stored.
    case answerWant(String, refusal: String?)
    /// The daemon may send so many more parts of a file.
    case takeParts(String, Int)
    /// Answers a want: the server has the file.
    case uploaded(String, Media)
    case tell(ConnectorStatus)
    /// Says something in the log, and for a day in the status.
    case warn(String)
    /// Writes a line to the daemon's log, behind the login's name.
    case log(String)

    init(_ effect: LoginReport.Effect) {
      switch effect {
      case .tell(let status): self = .tell(status)
      case .log(let words): self = .log(words)
      }
    }

    init(_ effect: SideRequests.Effect) {
      switch effect {
      case .send(let items, let cursors): self = .send(items, cursors: cursors)
      case .takeParts(let want, let parts): self = .takeParts(want, parts)
      case .uploaded(let want, let media): self = .uploaded(want, media)
      case .answerWant(let want, let refusal): self = .answerWant(want, refusal: refusal)
      }
    }

    init(_ effect: LoginWriter.Effect) {
      switch effect {
      case .answer(let wish, let answer): self = .answer(wish, answer)
      case .store(let record): self = .store(["writing": record.text])
      case .warn(let words): self = .warn(words)
      }
    }
  }
}
