/// The keys that are valid where one is, and those of them that have some letters in their names or in what they do.
public struct Help: Equatable, Sendable {
  public let context: KeyContext
  public let bindings: [Keymap.Binding]
  /// What is looked for.
  public var filter = LineField()
  /// The first line shown.
  public var scroll = 0

  /// The keys of a context.
  public init(_ keymap: Keymap, context: KeyContext) {
    self.context = context
    bindings = keymap.bindings(in: context)
  }

  /// Those that have what is looked for.
  public var matching: [Keymap.Binding] { bindings }
}
