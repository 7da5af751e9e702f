internal import HTTPSupport

/// Makes requests to a server of Mastodon's API, with the token of a login or without.
struct MastodonServer: Equatable {
  /// The most bytes of an answer: 8 MiB.
  static let answerBytes = 8 << 20

  /// The server's address, of which the origin counts.
  let url: WebURL
  /// The token of a login; nil for none. It is sent to this server, and to where it has its streams.
  var token: String?

  /// The server's name, with its port if that is not the usual one.
  var host: String { url.hostAndPort }

  /// Returns a request for what is at a path.
  func get(_ path: String, _ query: [(name: String, value: String)] = []) -> FetchRequest {
    request(query.isEmpty ? path : "\(path)?\(FormFields.encode(query))")
  }

  /// Returns a request that sends a form.
  func post(_ path: String, _ fields: [(name: String, value: String)]) -> FetchRequest {
    var request = request(path)
    request.form = FormFields.encode(fields)
    return request
  }

  /// Returns a request for the events of the login's stream.
  var events: FetchRequest {
    var request = request("/api/v1/streaming/user")
    request.accept = "text/event-stream"
    return request
  }

  /// Returns the same server with its streams at another address, unless that is less secure or leads from the Internet
  /// into a private network.
  func streaming(at streams: WebURL?) -> MastodonServer {
    guard let streams, url.mayLead(to: streams) else { return self }
    return MastodonServer(url: streams, token: token)
  }

  private func request(_ path: String) -> FetchRequest {
    guard let target = url.resolving(Array(path.utf8)) else { fatalError("a path is too long") }
    var request = FetchRequest(target, allowsPrivateAddresses: url.isPrivate, byteLimit: Self.answerBytes)
    request.accept = "application/json"
    request.authorization = token.map { "Bearer \($0)" }
    return request
  }
}
