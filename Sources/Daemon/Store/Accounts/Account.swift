public import Posts

/// Somebody who may connect to this daemon.
public struct Account: Equatable, Sendable {
  /// The store's number of it; never given twice.
  public var id: AccountID
  /// The Unix user whose account it is; nil for one that connects by token only.
  public var uid: UInt32?
  /// Unique among the accounts of a store; the native id of the account's own author.
  public var name: String
  /// How long its posts may be (``WeightedLength``), where it has said so.
  public var postLimit: Int?

  public init(id: AccountID, uid: UInt32?, name: String, postLimit: Int? = nil) {
    self.id = id
    self.uid = uid
    self.name = name
    self.postLimit = postLimit
  }
}
