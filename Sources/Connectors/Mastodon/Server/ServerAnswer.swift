internal import HTTPSupport
internal import Ingest
internal import Posts

/// What a server's response means, whatever was asked.
enum ServerAnswer: Equatable {
  case done
  /// 206: the server is still building the home timeline.
  case building
  /// There is no such thing, or no such method.
  case absent
  /// 401: the token is not valid, or no longer.
  case signedOut(String)
  /// 429: too many requests.
  case limited
  /// The server will not do it, in its words.
  case refused(String)
  /// The server cannot do it now, or could not be reached.
  case later(String)

  init(_ result: Result<FetchResponse, FetchFailure>, parser: JSONParser) {
    switch result {
    case .failure(let failure): self = .later(failure.reason.shortened)
    case .success(let response): self = Self.answer(response, parser)
    }
  }

  private static func answer(_ response: FetchResponse, _ parser: JSONParser) -> ServerAnswer {
    switch response.status {
    case 206: return .building
    case 200..<300: return .done
    case 401: return .signedOut(words(of: response, parser))
    // Akkoma's answer to a token that is not valid.
    case 403 where words(of: response, parser) == "Invalid credentials.": return .signedOut("Invalid credentials.")
    case 404, 410: return .absent
    case 408, 500...: return .later(words(of: response, parser))
    case 429: return .limited
    default: return .refused(words(of: response, parser))
    }
  }

  /// Returns the server's reason, or its status and the first line of what it sent instead of JSON.
  static func words(of response: FetchResponse, _ parser: JSONParser) -> String {
    var body = response.body
    let words = try? parser.parse(&body) { value, _ in (value["error_description"] ?? value["error"])?.string }
    if let words, !words.isEmpty { return words.shortened }
    return "the server answered \(response.status)"
  }
}

extension FetchResponse {
  /// Parses the body as JSON, and returns what `read` makes of it; nil if it is not JSON.
  func parsed<Value>(by parser: JSONParser, _ read: (JSONValue) -> Value?) -> Value? {
    var body = body
    return try? parser.parse(&body) { value, _ in read(value) }
  }
}
