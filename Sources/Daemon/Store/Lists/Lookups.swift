internal import Posts

/// What the writer remembers of tables that change seldom and are asked for each post: who follows whom, who is who,
/// who is in which circle. What changes is forgotten, and all of it when a transaction is taken back.
struct Lookups {
  /// The lists into which an author's posts go for the author's sake, each once.
  private(set) var places: [AuthorID: [Place]] = [:]
  private var placeCount = 0
  /// Every account's own lists.
  var ownLists: [AccountID: OwnLists]?
  var identities: Identities?
  /// Who is in a circle.
  private(set) var members: Members = [:]
  /// The list of a direct conversation; nil inside for the circle of an account's followers.
  private(set) var conversations: [CircleID: Int64?] = [:]

  /// Places that are remembered: with more authors than fit, all are forgotten and met again.
  private static let placeLimit = 100_000
  /// Circles that are remembered, in the same way.
  private static let circleLimit = 10_000

  /// Remembers where an author's posts go.
  mutating func remember(_ places: [Place], of author: AuthorID) {
    placeCount += places.count + 1
    if placeCount > Self.placeLimit {
      self.places.removeAll()
      placeCount = places.count + 1
    }
    self.places[author] = places
  }

  /// Remembers a circle: who is in it and, of a direct conversation, its list.
  mutating func remember(_ circle: CircleID, members: Set<AccountID>, list: Int64?) {
    if self.members.count >= Self.circleLimit {
      self.members.removeAll()
      conversations.removeAll()
    }
    self.members[circle] = members
    conversations[circle] = .some(list)
  }

  /// Forgets where an author's posts go.
  mutating func forget(_ author: AuthorID) {
    if let places = places.removeValue(forKey: author) { placeCount -= places.count + 1 }
  }

  /// Forgets where all authors' posts go.
  mutating func forgetPlaces() {
    places.removeAll()
    placeCount = 0
  }

  /// Forgets a circle.
  mutating func forget(_ circle: CircleID) {
    members[circle] = nil
    conversations[circle] = nil
  }
}
