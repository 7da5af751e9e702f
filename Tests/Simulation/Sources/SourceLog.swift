import Posts
import TestSupport

/// What happened to a login or a feed at its source, in order. It survives everything.
struct SourceLog {
  /// Something that happened.
  enum Event {
    /// A post appeared or was edited, to this version.
    case post(Int, version: Int)
    case gone(Int)
    /// A post left the account's timeline there or, with `isEverywhere`, all its lists.
    case left(Int, isEverywhere: Bool)
    /// Posts of a stretch of time cannot be read, or can be again.
    case gap(Int)
    case complete(Int)
    /// The author has another name, with this number.
    case name(Int)
  }

  /// A post, whatever its version.
  struct Post {
    var createdAt: Int
    /// True if it is in the account's timeline there, rather than context of another post.
    var isHome: Bool
    /// True if it is in the account's mentions there.
    var isMention = false
    /// True if it is for followers, and so for the login's account alone.
    var isPrivate: Bool
    var parent: Int?
    var versions = 1
    var isGone = false
  }

  /// A state of a post in the store.
  enum State: Hashable {
    case absent
    case version(Int)
  }

  /// The name of the login or feed.
  let name: String
  let isFeed: Bool
  private(set) var events: [Event] = []
  private(set) var posts: [Post] = []
  private(set) var gaps: [(number: Int, isOpen: Bool)] = []
  private(set) var names = 0

  init(_ name: String, isFeed: Bool) { (self.name, self.isFeed) = (name, isFeed) }

  // MARK: Growth

  /// Lets something happen.
  mutating func grow(using random: inout SeededGenerator) {
    let alive = posts.indices.filter { !posts[$0].isGone }
    switch (Int.random(in: 0..<13, using: &random), alive.randomElement(using: &random)) {
    case (0...2, let id?):
      posts[id].versions += 1
      events.append(.post(id, version: posts[id].versions))
    case (3, let id?):
      posts[id].isGone = true
      events.append(.gone(id))
    case (4, _):
      names += 1
      events.append(.name(names))
    case (5, _) where !isFeed:
      if let open = gaps.firstIndex(where: \.isOpen), Bool.random(using: &random) {
        gaps[open].isOpen = false
        events.append(.complete(gaps[open].number))
      } else {
        gaps.append((gaps.count, true))
        events.append(.gap(gaps.count - 1))
      }
    case (6, let id?) where !isFeed:
      if posts[id].isHome {
        let isEverywhere = Bool.random(using: &random)
        posts[id].isHome = false
        if isEverywhere { posts[id].isMention = false }
        events.append(.left(id, isEverywhere: isEverywhere))
      } else {
        posts[id].isHome = true
        posts[id].versions += 1
        events.append(.post(id, version: posts[id].versions))
      }
    default: addPost(answering: alive.randomElement(using: &random), using: &random)
    }
  }

  private mutating func addPost(answering post: Int?, using random: inout SeededGenerator) {
    var new = Post(
      createdAt: 1_699_990_000_000 + Int.random(in: 0...9_000_000, using: &random), isHome: true, isPrivate: false)
    if !isFeed {
      new.isHome = Int.random(in: 0..<5, using: &random) > 0
      new.isMention = Int.random(in: 0..<6, using: &random) == 0
      new.isPrivate = Int.random(in: 0..<5, using: &random) == 0
    }
    if Int.random(in: 0..<3, using: &random) == 0, let post, posts[post].isPrivate == new.isPrivate {
      new.parent = post
    }
    events.append(.post(posts.count, version: 1))
    posts.append(new)
  }

  /// The post that the newest event is about; nil if it is about none.
  var newestPost: Int? {
    switch events.last {
    case .post(let post, _), .gone(let post), .left(let post, _): post
    default: nil
    }
  }

  // MARK: Names and texts

  /// Returns the source's ID of a post; that of a feed's post need only be unique in the feed.
  func id(of post: Int) -> String { "n\(post)" }

  /// Returns the ID under which a post is stored.
  func storedID(of post: Int) -> String { isFeed ? "\(name)/\(id(of: post))" : id(of: post) }

  /// Returns a version's text. Some are hostile.
  func text(of post: Int, version: Int) -> String {
    let text = "\(name) says \(post), version \(version)"
    return switch post % 5 {
    case 3: "\(text) \u{1B}[31m\u{202E}\u{0}end"
    case 4: "\(text)\n\(String(repeating: "words and words ", count: 40))"
    default: text
    }
  }

  /// The source's ID of the author.
  var author: String { isFeed ? name : "\(name)-author" }

  /// Returns a name of the author; 0 for the first one.
  func authorName(_ number: Int) -> String { "\(name) \(number)" }

  /// The end of a gap, which lies before all posts, in milliseconds since 1970.
  static func gapEnd(_ number: Int) -> Int { 1_699_000_000_000 + number * 3_600_000 }

  /// True if the source no longer has the posts of a gap.
  static func isLost(_ number: Int) -> Bool { number % 3 == 0 }

  /// The duration of a gap in milliseconds.
  static let gapLength = 60_000

  // MARK: States

  /// Returns the states in which a post may be when everything before `cursor` has been brought, and perhaps more.
  func states(of post: Int, at cursor: Int) -> Set<State> {
    var states: Set<State> = [.absent]
    for (index, event) in events.enumerated() {
      let state: State? =
        switch event {
        case .post(post, let version): .version(version)
        case .gone(post): .absent
        default: nil
        }
      guard let state else { continue }
      if index < cursor { states = [state] } else { states.insert(state) }
    }
    return states
  }
}
