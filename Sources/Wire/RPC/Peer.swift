/// The identity of a server's client, and how it is known.
public enum Peer: Sendable, Hashable {
  /// A process on this machine, identified by the kernel (`SO_PEERCRED`).
  case localUser(userID: UInt32, processID: Int32)
  /// The holder of the token with this number.
  case tokenHolder(UInt64)
  /// Not identified yet.
  case unknown
}
