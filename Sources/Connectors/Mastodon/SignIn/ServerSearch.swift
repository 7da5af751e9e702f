internal import HTTPSupport
internal import Ingest

/// Finds the server of an address: the host of a name may be another than that of its server, which its WebFinger
/// (RFC 7033) names, or else its host-meta (RFC 6415).
struct ServerSearch {
  /// The next thing to do.
  enum Step {
    case ask(FetchRequest)
    case found(MastodonServer)
    case failed(String)
  }

  private enum Phase {
    case facts(version: Int)
    case finger
    case hostMeta
  }

  /// The most redirects that are followed.
  private static let redirectLimit = 3

  private let address: ServerAddress
  private let parser: JSONParser
  private var server: MastodonServer
  private var phase = Phase.facts(version: 2)
  /// True once another host than the address's was named.
  private var isElsewhere = false
  private var redirects = 0

  init(_ address: ServerAddress, parser: JSONParser) {
    (self.address, self.parser) = (address, parser)
    server = MastodonServer(url: address.url)
  }

  /// The first request.
  var begin: FetchRequest { server.get("/api/v2/instance") }

  /// Takes the response to the last request.
  mutating func answered(_ result: Result<FetchResponse, FetchFailure>) -> Step {
    let response = try? result.get()
    switch phase {
    case .facts(let version):
      if response?.status == 200, response?.parsed(by: parser, { ServerFacts($0) }) != nil { return .found(server) }
      return triedFacts(version, ServerAnswer(result, parser: parser))
    case .finger:
      if let step = redirected(response) { return step }
      if let found = response?.parsed(by: parser, Self.actor) { return go(to: found) }
      phase = .hostMeta
      redirects = 0
      return .ask(server.get("/.well-known/host-meta"))
    case .hostMeta:
      if let step = redirected(response) { return step }
      guard let response, response.status == 200, let found = Self.template(response.body) else { return failed }
      return go(to: found)
    }
  }

  private mutating func triedFacts(_ version: Int, _ answer: ServerAnswer) -> Step {
    if case .later(let reason) = answer { return .failed(reason) }
    guard version == 1 else {
      phase = .facts(version: 1)
      return .ask(server.get("/api/v1/instance"))
    }
    guard !isElsewhere else { return failed }
    guard let name = address.name else {
      phase = .hostMeta
      return .ask(server.get("/.well-known/host-meta"))
    }
    phase = .finger
    return .ask(server.get("/.well-known/webfinger", [("resource", "acct:\(name)@\(server.host)")]))
  }

  private var failed: Step { .failed("\(server.host) is not a server of Mastodon's kind") }

  /// Asks where a response redirects to; nil if it does not, or may not.
  private mutating func redirected(_ response: FetchResponse?) -> Step? {
    guard let response, [301, 302, 307, 308].contains(response.status), redirects < Self.redirectLimit,
      let target = response.field("location").flatMap({ response.url.resolving($0.utf8) }),
      address.url.mayLead(to: target)
    else { return nil }
    redirects += 1
    var request = server.get("/")
    request.url = target
    return .ask(request)
  }

  /// Goes on at the server of an address, unless the search has been there.
  private mutating func go(to url: WebURL) -> Step {
    guard address.url.mayLead(to: url), url.origin != server.url.origin, let root = WebURL(url.origin + "/") else {
      return failed
    }
    server = MastodonServer(url: root)
    isElsewhere = true
    phase = .facts(version: 2)
    return .ask(begin)
  }

  /// Returns the address of the person in a WebFinger document.
  private static func actor(_ document: JSONValue) -> WebURL? {
    for link in document["links"]?.elements ?? JSONValue.Elements.none
    where link["rel"]?.string == "self" && link["type"]?.string?.contains("json") == true {
      return link["href"]?.string.flatMap { WebURL($0) }
    }
    return nil
  }

  /// Returns the address in a host-meta document's template, up to its query. The document is not read as XML: all that
  /// counts of it is one attribute.
  private static func template(_ body: [UInt8]) -> WebURL? {
    let text = String(decoding: body, as: UTF8.self)
    guard let start = text.ranges(of: "template=").first else { return nil }
    let quoted = text[start.upperBound...]
    guard let quote = quoted.first, quote == "\"" || quote == "'" else { return nil }
    return WebURL(String(quoted.dropFirst().prefix { $0 != quote && $0 != "?" && $0 != "{" }))
  }
}
