internal import HTTPSupport

/// What a request of a login asks.
enum LoginQuestion: Equatable {
  /// The server's document about itself, by the version of the method.
  case facts(version: Int)
  case page(LoginTimelines.Question)
  /// What is asked beside the timelines.
  case side(SideRequests.Question)
  /// What a wish needs.
  case wish(WriterQuestion)

  /// True if its answer counts, also if the connection has failed since.
  var outlivesConnections: Bool {
    switch self {
    case .wish, .side(.upload): true
    case .facts, .page, .side: false
    }
  }

  /// Returns the request to a server, of which these facts are known.
  func request(to server: MastodonServer, _ facts: ServerFacts?) -> FetchRequest {
    switch self {
    case .facts(let version): server.get("/api/v\(version)/instance")
    case .page(.home(let page)): server.get("/api/v1/timelines/home", Self.query(page))
    case .page(.mentions(let page)):
      server.get("/api/v1/notifications", Self.query(page) + Self.mentions("types[]", facts))
    case .page(.notices(let page)):
      server.get("/api/v1/notifications", Self.query(page) + Self.mentions("exclude_types[]", facts))
    case .side(let question): question.request(to: server)
    case .wish(let question): question.request(to: server)
    }
  }

  /// Names the kinds of notifications that mention or quote the login in a parameter.
  private static func mentions(_ name: String, _ facts: ServerFacts?) -> [(name: String, value: String)] {
    (facts?.notifiesOfQuotes == true ? ["mention", "quote"] : ["mention"]).map { (name, $0) }
  }

  private static func query(_ page: TimelineReader.Question) -> [(name: String, value: String)] {
    switch page {
    case .newest: [("limit", String(TimelineReader.pageSize))]
    case .above(let id): [("limit", String(TimelineReader.pageSize)), ("min_id", id)]
    case .below(let id, let limit): [("limit", String(limit)), ("max_id", id)]
    }
  }
}
