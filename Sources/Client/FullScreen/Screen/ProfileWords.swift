internal import ClientCore
internal import ViewState

/// The words about an author in a profile.
enum ProfileWords {
  /// Returns the name, and as many facts as fit: counts first, then who follows whom, the handle last. The name is the
  /// last to be cut. Above a body with the same facts there is only the handle.
  static func title(of profile: ProfileSummary, hasHead: Bool, width: Int, _ glyphs: Glyphs) -> [UInt8] {
    let author = profile.author
    let handle = Array("@".utf8) + author.handle
    let hasName = !author.displayName.isEmpty && author.displayName != author.handle
    var words = (hasName ? author.displayName : handle) + author.origin
    var room = width - ClippedText.upperBound(of: HarmlessText.filtered(words))
    let facts = hasHead ? [] : (counts(of: profile) + [state(of: profile)]).map { Array($0.utf8) }
    for fact in facts + (hasName ? [handle] : []) {
      let more = Array(" \(glyphs.dot) ".utf8) + fact
      room -= ClippedText.upperBound(of: HarmlessText.filtered(more))
      guard room >= 0 else { break }
      words += more
    }
    return words
  }

  /// Returns the lines of the body: the counts; who follows whom, or the keys for what one kept; the author's line about
  /// themselves if there is one.
  static func head(of profile: ProfileSummary, _ keymap: Keymap, _ glyphs: Glyphs) -> [[UInt8]] {
    let separator = " \(glyphs.dot) "
    var state = Array("\(state(of: profile)).".utf8)
    func add(_ action: Action, _ words: String) {
      guard let key = keymap.keys(for: action, in: .panes).first else { return }
      state += Array("\(separator)\(key) \(words)".utf8)
    }
    if profile.isMe {
      add(.saved, "saved posts")
      add(.favourites, "favourites")
    } else if !profile.isFollowed, !profile.isMuted, !profile.isBlocked,
      let key = keymap.keys(for: .palette, in: .panes).first
    {
      let verb = Array("\(separator)\(key)\(Action.follow.rawValue) @".utf8)
      state += verb + profile.author.handle
    }
    let facts = [Array(counts(of: profile).joined(separator: separator).utf8), state]
    return profile.about.isEmpty ? facts : facts + [profile.about]
  }

  private static func counts(of profile: ProfileSummary) -> [String] {
    [
      NumberText.count(profile.posts, "post", "posts"), NumberText.count(profile.followers, "follower", "followers"),
      "follows \(NumberText.grouped(profile.following))",
    ]
  }

  /// Returns who follows whom, and whether the author is muted or blocked.
  private static func state(of profile: ProfileSummary) -> String {
    guard !profile.isMe else { return "This is you" }
    let follows =
      switch (profile.isFollowed, profile.followsMe) {
      case (true, true): "You follow each other"
      case (true, false): "You follow this author"
      case (false, true): "Follows you"
      case (false, false): "You do not follow this author"
      }
    return follows + (profile.isBlocked ? ", blocked" : profile.isMuted ? ", muted" : "")
  }
}
