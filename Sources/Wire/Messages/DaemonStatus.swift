public import ViewState

/// The daemon's identity and state; the schema's GetStatusResponse.
public struct DaemonStatus: Equatable, DeclaredMessage {
  public var daemonVersion = ""
  public var processID: UInt32 = 0
  public var startedAtMilliseconds: Int64 = 0
  public var epoch: UInt64 = 0
  public var revision: UInt64 = 0
  /// Posts in the caller's timeline.
  public var postCount: UInt64 = 0
  public var viewCount = 0
  public var connectionCount = 0
  /// The caller's account name.
  public var account = ""
  public var storePath = ""
  /// False while posts are still being read from the store.
  public var isLoaded = false

  /// Nil if the daemon does not say.
  public var follows: FollowPolicy?

  public init() {}

  static let schema = MessageSchema("GetStatusResponse")

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.text(1, &daemonVersion)
    fields.number(2, &processID)
    fields.signed(3, &startedAtMilliseconds)
    fields.number(4, &epoch)
    fields.number(5, &revision)
    fields.number(6, &postCount)
    fields.count(7, &viewCount)
    fields.count(8, &connectionCount)
    try fields.text(9, &account)
    try fields.text(10, &storePath)
    fields.flag(11, &isLoaded)
    fields.knownChoice(12, &follows)
  }
}
