internal import Messages

/// The callers that may call a method.
public struct MethodAccess: Sendable, Hashable {
  /// The scope that the caller must have; nil if any caller will do.
  let scope: Scope?
  /// True if callers without a token may call it.
  let isOpen: Bool

  private init(_ scope: Scope?, isOpen: Bool = false) {
    self.scope = scope
    self.isOpen = isOpen
  }

  /// Any authenticated caller.
  public static let signedIn = MethodAccess(nil)
  /// Callers with scope `view`.
  public static let view = MethodAccess(.view)
  /// Callers with scope `view`, and signed-out callers, which are shown that they are signed out.
  public static let viewOrSignedOut = MethodAccess(.view, isOpen: true)
  /// Callers with scope `panes`, who may change sessions.
  public static let panes = MethodAccess(.panes)
  /// Callers with scope `post`, who may change what others see.
  public static let post = MethodAccess(.post)
  /// Administrators.
  public static let admin = MethodAccess(.admin)
}
