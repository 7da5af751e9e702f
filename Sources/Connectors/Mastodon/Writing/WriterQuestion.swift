internal import HTTPSupport
internal import Posts

/// What a request for a wish asks.
enum WriterQuestion: Equatable {
  /// The status with this address.
  case find(String)
  /// A status.
  case status(String)
  /// Whose login it is.
  case account
  /// A part of looking for a post, among the statuses of an account.
  case look(PostLookup.Question, account: String)
  /// Whether the server has a file that no post names yet.
  case file(String)
  /// Makes a post, once for each key.
  case post(Wish.Writing, parent: String?, key: String)
  /// Replaces the content of a post, which has been read.
  case edit(OwnStatus, Wish.Writing)
  case delete(String)
  /// A mark, by the word of the server's method.
  case mark(String, as: String)

  /// Returns the request to a server.
  func request(to server: MastodonServer) -> FetchRequest {
    switch self {
    case .find(let address):
      return server.get("/api/v2/search", [("q", address), ("type", "statuses"), ("resolve", "true"), ("limit", "1")])
    case .status(let id): return server.get("/api/v1/statuses/\(id)")
    case .file(let id): return server.get("/api/v1/media/\(id)")
    case .account: return server.get("/api/v1/accounts/verify_credentials")
    case .look(.page(let id), let account):
      let below = id.map { [(name: "max_id", value: $0)] } ?? []
      return server.get(
        "/api/v1/accounts/\(account)/statuses",
        [("limit", String(PostLookup.pageSize)), ("exclude_reblogs", "true")] + below)
    case .look(.source(let id), _): return server.get("/api/v1/statuses/\(id)/source")
    case .post(let writing, let parent, let key):
      var fields = Self.fields(writing)
      fields.append(("visibility", writing.serverWord ?? Self.word(writing.visibility)))
      if let parent { fields.append(("in_reply_to_id", parent)) }
      fields += writing.media.map { ("media_ids[]", $0) }
      var request = server.post("/api/v1/statuses", fields)
      request.idempotencyKey = key
      return request
    case .edit(let status, let writing):
      var whole = writing
      whole.warning = writing.warning ?? status.warning
      whole.isSensitive = writing.isSensitive ?? status.isSensitive
      whole.language = writing.language ?? (status.language.isEmpty ? nil : status.language)
      // Media that are not named are removed.
      let media = status.media.map { (name: "media_ids[]", value: $0) }
      var request = server.post("/api/v1/statuses/\(status.id)", Self.fields(whole) + media)
      request.method = .put
      return request
    case .delete(let id):
      var request = server.get("/api/v1/statuses/\(id)")
      request.method = .delete
      return request
    case .mark(let id, let word): return server.post("/api/v1/statuses/\(id)/\(word)", [])
    }
  }

  private static func fields(_ writing: Wish.Writing) -> [(name: String, value: String)] {
    var fields = [(name: "status", value: writing.text)]
    if let warning = writing.warning { fields.append(("spoiler_text", warning)) }
    if let isSensitive = writing.isSensitive { fields.append(("sensitive", isSensitive ? "true" : "false")) }
    if let language = writing.language, !language.isEmpty { fields.append(("language", language)) }
    return fields
  }

  private static func word(_ visibility: Visibility) -> String {
    switch visibility {
    case .public: "public"
    case .unlisted: "unlisted"
    case .followers: "private"
    case .direct: "direct"
    }
  }
}
