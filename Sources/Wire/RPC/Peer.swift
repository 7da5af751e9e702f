/// Who is at the other end of a server's connection, and how that is known.
public enum Peer: Sendable, Hashable {
  /// A process on this machine, vouched for by the kernel (`SO_PEERCRED`).
  case localUser(userID: UInt32, processID: Int32)
  /// Somebody who showed a token, which is called by this number.
  case tokenHolder(UInt64)
  /// Nobody has said yet.
  case unknown
}
