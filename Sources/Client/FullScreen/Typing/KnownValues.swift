/// Values that complete a word of the command line, by what the word stands for.
public struct KnownValues: Equatable, Sendable {
  /// What a word of a command stands for. The raw value is its placeholder.
  public enum Kind: String, CaseIterable, Sendable {
    case author = "AUTHOR"
    case feed = "FEED"
    case file = "FILE"
    case list = "LIST"
    case session = "SESSION"
    case tag = "TAG"
    case theme = "THEME"
  }

  private var values: [Kind: [String]] = [:]

  /// The number of values of a kind that are kept.
  static let limit = 2_000

  /// No values.
  public init() {}

  /// Sets the values of a kind, each once.
  mutating func set(_ new: [String], of kind: Kind) {
    var known: Set<String> = []
    values[kind] = Array(new.filter { !$0.isEmpty && known.insert($0).inserted }.prefix(Self.limit))
  }

  /// Returns the values that begin with `word`, in any case, then those that contain it. The @ of an author and the # of
  /// a hashtag may be left out.
  func matches(_ word: String, of kind: Kind) -> [String] {
    let wanted = word.lowercased()
    let all = values[kind] ?? []
    let first = all.filter { Self.begins($0.lowercased(), with: wanted) }
    guard kind != .file, !wanted.isEmpty else { return first }
    return first + all.filter { !Self.begins($0.lowercased(), with: wanted) && $0.lowercased().contains(wanted) }
  }

  private static func begins(_ value: String, with wanted: String) -> Bool {
    value.hasPrefix(wanted) || value.hasPrefix("@" + wanted) || value.hasPrefix("#" + wanted)
  }
}
