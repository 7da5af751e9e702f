internal import RPC
internal import UV

/// A connection, and the one for whom it is counted.
struct OpenConnection {
  let connection: ServerConnection
  let driver: StreamDriver
  var holder: ConnectionHolder
  /// Its number in the order of acceptance.
  let number: Int
}
