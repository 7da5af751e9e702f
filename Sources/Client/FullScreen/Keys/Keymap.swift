public import Terminal

/// Which key does what, in each context.
public struct Keymap: Equatable, Sendable {
  private var actions: [KeyContext: [Key: Action]] = [:]

  /// The keys of docs/KEYS.md.
  public static let standard = Keymap()

  init() {}

  /// The standard keys, changed by a file as docs/KEYS.md describes it. Throws all that is wrong with it.
  public init(parsing text: [UInt8], over base: Keymap = .standard) throws(KeymapErrors) {
    self = base
  }

  /// What a key does; nil for nothing. O(1).
  public func action(for key: Key, in context: KeyContext) -> Action? { actions[context]?[key] }

  /// The keys of an action, as people write them ("ctrl-l"), in the order in which they are told.
  public func keys(for action: Action, in context: KeyContext) -> [String] { [] }

  /// All that is bound, in the order of ``Action``.
  public func bindings(in context: KeyContext) -> [Binding] { [] }

  /// An action with its keys.
  public struct Binding: Equatable, Sendable {
    /// As people write them.
    public var keys: [String]
    public var action: Action
    /// What it does, in a few words.
    public var summary: String
  }
}

/// All that is wrong with a file of keys, by lines.
public struct KeymapErrors: Error, Equatable, Sendable {
  /// At least one, in the order of their lines.
  public let errors: [KeymapError]
}

/// One thing that is wrong with a file of keys.
public struct KeymapError: Error, Equatable, Sendable {
  /// From 1.
  public let line: Int
  /// What, in words for people, with the nearest word that would be right.
  public let message: String
}
