internal import ClientCore
internal import Messages
internal import ViewState

/// Muting and blocking. Both can be taken back in the same place: an author's pane shows their posts whatever is muted.
extension App {
  /// Mutes the author of the pane that has the focus, or takes that back.
  mutating func toggleMute() {
    guard let profile = focusedPane?.status.profile, !profile.isMe else {
      return tell("Open an author's posts to mute them: a.", .warning)
    }
    let name = "@" + String(decoding: profile.author.handle, as: UTF8.self)
    let (method, words) = profile.isMuted ? (Method.unmute, "is no longer muted") : (Method.mute, "is muted")
    call(.say("\(name) \(words)."), method, AuthorRequest(author: String(profile.author.id)))
  }

  mutating func quiet(_ method: String, _ name: String, _ words: String) {
    call(.say("\(name) \(words)."), method, AuthorRequest(author: App.author(name)))
  }
}
