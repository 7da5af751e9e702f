internal import Engine
internal import Posts

/// Callbacks about views, reading positions and opened conversations.
struct ReadingEvents {
  /// Called with the places of the session `main` of an account when they are saved.
  var onPlaces: (AccountID, [UInt8]) -> Void = { _, _ in }
  /// Called when a view of an account is opened (true) or closed.
  var onLooking: (AccountID, Bool) -> Void = { _, _ in }
  /// Called when a pane with a conversation may have been opened in a session, by its ID.
  var onPush: (SessionKey, UInt64) -> Void = { _, _ in }

  /// A view was opened or closed; without an account its client is not signed in.
  func viewChanged(_ account: AccountID?, isOpened: Bool) { if let account { onLooking(account, isOpened) } }

  /// The places of a session are being saved.
  func placesSaved(_ key: SessionKey, _ bytes: [UInt8]) {
    guard let account = key.account, key == .main(of: account) else { return }
    onPlaces(account, bytes)
  }

  /// A command has been carried out on a pane.
  func commandDone(_ action: StackCommand.Action, _ key: SessionKey, pane: UInt64) {
    switch action {
    case .push(.conversation, _, _), .replace(_, .conversation, _): onPush(key, pane)
    default: break
    }
  }
}
