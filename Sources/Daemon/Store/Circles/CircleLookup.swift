internal import Posts

/// Who is in which circle, remembered by the writer from one transaction to the next: asked for each post.
final class CircleLookup {
  /// A circle that is remembered.
  private struct Known {
    var members: Set<AccountID>
    /// Its list, where it is that of a direct conversation.
    var list: Int64?
  }

  private let reader: CircleReader
  private var known: [CircleID: Known] = [:]

  /// Circles that are remembered: with more than fit, all are forgotten and met again.
  private static let limit = 10_000

  init(_ connection: Connection) { reader = CircleReader(connection) }

  /// Who is in a circle.
  func members(of circle: CircleID) throws(StoreError) -> Set<AccountID> { try look(circle).members }

  /// The list of a direct conversation; nil for the circle of an account's followers.
  func place(of circle: CircleID) throws(StoreError) -> Place? {
    try look(circle).list.map { Place(list: $0, name: .direct(circle), account: nil, reason: []) }
  }

  /// An audience that can be asked about accounts.
  func readers(of audience: Audience) throws(StoreError) -> Readers {
    guard case .circle(let circle) = audience else { return Readers(audience: audience) }
    return Readers(audience: audience, members: [circle: try members(of: circle)])
  }

  /// Has a circle read again.
  func forget(_ circle: CircleID) { known[circle] = nil }

  private func look(_ circle: CircleID) throws(StoreError) -> Known {
    if let found = known[circle] { return found }
    let found = Known(members: try reader.members(of: circle), list: try reader.conversation(of: circle))
    if known.count >= Self.limit { known.removeAll() }
    known[circle] = found
    return found
  }
}
