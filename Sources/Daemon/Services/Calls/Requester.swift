internal import Posts
internal import RPC

/// A unary call whose work waits for its turn.
struct Requester {
  let call: ServerCall
  let account: AccountID
  /// Size of the request.
  let bytes: Int

  /// The queue in which the work waits.
  var origin: Origin { Origin(account: account, connection: call.connectionIdentity) }
}
