internal import CProtobufC
internal import WireProto

/// What the daemon is and how it does; the schema's GetStatusResponse.
public struct DaemonStatus: Equatable, WireMessage {
  public var daemonVersion = ""
  public var processID: UInt32 = 0
  public var startedAtMilliseconds: Int64 = 0
  public var epoch: UInt64 = 0
  public var revision: UInt64 = 0
  /// Posts in the asking account's timeline.
  public var postCount: UInt64 = 0
  public var viewCount = 0
  public var connectionCount = 0
  /// The asking account's name.
  public var account = ""
  public var storePath = ""
  /// False while posts are still being read from the store.
  public var isLoaded = false

  /// Nothing known yet.
  public init() {}

  public init(decoding bytes: [UInt8]) throws(DecodingFailure) {
    self = unsafe try decode(bytes, "GetStatusResponse", stack__v1__get_status_response__unpack) {
      message throws(DecodingFailure) in
      var status = DaemonStatus()
      status.daemonVersion = unsafe text(message.daemon_version)
      status.processID = unsafe message.process_id
      status.startedAtMilliseconds = unsafe message.started_at_ms
      status.epoch = unsafe message.epoch
      status.revision = unsafe message.revision
      status.postCount = unsafe message.post_count
      status.viewCount = unsafe Int(message.view_count)
      status.connectionCount = unsafe Int(message.connection_count)
      status.account = unsafe text(message.account)
      status.storePath = unsafe text(message.store_path)
      status.isLoaded = unsafe message.loaded != 0
      return status
    }
  }

  public func encoded() -> [UInt8] {
    let arena = CArena()
    let message = unsafe arena.make(stack__v1__get_status_response__init)
    unsafe message.pointee.daemon_version = arena.string(daemonVersion)
    unsafe message.pointee.process_id = processID
    unsafe message.pointee.started_at_ms = startedAtMilliseconds
    unsafe message.pointee.epoch = epoch
    unsafe message.pointee.revision = revision
    unsafe message.pointee.post_count = postCount
    unsafe message.pointee.view_count = UInt32(clamping: viewCount)
    unsafe message.pointee.connection_count = UInt32(clamping: connectionCount)
    unsafe message.pointee.account = arena.string(account)
    unsafe message.pointee.store_path = arena.string(storePath)
    unsafe message.pointee.loaded = isLoaded ? 1 : 0
    return unsafe arena.encode(message)
  }
}
