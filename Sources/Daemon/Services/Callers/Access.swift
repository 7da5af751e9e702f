internal import Messages

/// Who may call a method.
public struct Access: Sendable, Hashable {
  /// What the caller's token has to allow; nil for nothing in particular.
  let scope: Scope?
  /// Whether somebody may call it who shows no token.
  let isOpen: Bool

  private init(_ scope: Scope?, isOpen: Bool = false) {
    self.scope = scope
    self.isOpen = isOpen
  }

  /// Whoever shows who they are.
  public static let signedIn = Access(nil)
  /// Who may look.
  public static let view = Access(.view)
  /// Who may look, and who is signed out and will be shown that.
  public static let viewOrSignedOut = Access(.view, isOpen: true)
  /// Who may change what others may see.
  public static let post = Access(.post)
  /// Who looks after the daemon.
  public static let admin = Access(.admin)
}
