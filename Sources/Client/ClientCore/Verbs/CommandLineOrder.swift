/// Puts the verb first, where the parser wants it, so that common options may stand on either side of it.
///
/// `stack-client --json timeline -n 3` and `stack-client timeline --json -n 3` are the same; no verb means `timeline`,
/// or `attach` where a person is at both ends and asks for no rows.
public struct CommandLineOrder: Sendable {
  private let verbs: Set<String>
  private let groups: [String: Set<String>]

  /// Options that take a value as their next word, and may stand before a verb.
  public static let optionsWithValue: Set<String> = [
    "--width", "--locale", "--times", "--socket", "--connect", "--token-file", "--color", "--session", "--theme",
  ]

  /// - Parameters:
  ///   - verbs: every verb, with its other names.
  ///   - groups: the verbs that those of them have which are followed by a verb of their own, such as `daemon start`.
  public init(verbs: Set<String>, groups: [String: Set<String>]) {
    self.verbs = verbs
    self.groups = groups
  }

  /// `words` with the verb at their head.
  ///
  /// - Parameter onTerminal: whether standard input and output are one.
  /// - Throws: usage, if the first word that is not an option is no verb.
  public func arrange(_ words: [String], onTerminal: Bool = false) throws(ClientFailure) -> [String] {
    // Options of the whole: there is no verb to look for.
    let index = Self.firstWord(in: words)
    if let option = words[..<(index ?? words.count)].first(where: { ["--help", "-h", "--version"].contains($0) }) {
      return [option]
    }
    guard let index else {
      return [onTerminal && !words.contains(where: Self.asksForRows) ? "attach" : "timeline"] + words
    }
    let word = words[index]
    if verbs.contains(word) {
      var rest = Array(words[..<index] + words[(index + 1)...])
      guard let group = groups[word], let next = Self.firstWord(in: rest), group.contains(rest[next]) else {
        return [word] + rest
      }
      return [word, rest.remove(at: next)] + rest
    }
    if index > 0, Self.belongsToTimeline(words[index - 1]) { return ["timeline"] + words }
    throw ClientFailure(.usage, "there is no verb '\(word)'", hint: hint(for: word))
  }

  /// The place of the first word that is no option and no value of one that stands here alone; nil where there is none
  /// before `--`.
  private static func firstWord(in words: [String]) -> Int? {
    var index = 0
    while index < words.count, words[index].hasPrefix("-"), words[index] != "--" {
      // Anything else may be an option of the timeline, whose value is not told from a verb.
      index += optionsWithValue.contains(words[index]) ? 2 : 1
    }
    return index < words.count && words[index] != "--" ? index : nil
  }

  /// Options of the timeline that take a value, with which a command line without a verb may begin.
  private static func belongsToTimeline(_ word: String) -> Bool {
    ["-n", "--lines", "--before", "--since"].contains(word)
  }

  /// Options that only make sense for rows that are printed.
  private static func asksForRows(_ word: String) -> Bool {
    let name = String(word.prefix { $0 != "=" })
    let others = ["--json", "--jsonl", "--plain", "--reverse", "--width", "--times"]
    // A short option may have its value in the same word.
    return belongsToTimeline(name) || others.contains(name)
      || (name.hasPrefix("-n") && name.dropFirst(2).allSatisfy(\.isNumber))
  }

  private func hint(for word: String) -> String {
    let nearest = verbs.sorted().map { ($0, Self.distance($0, word)) }.min { $0.1 < $1.1 }
    guard let nearest, nearest.1 <= 2 else { return "`stack-client --help` lists them" }
    return "did you mean '\(nearest.0)'?"
  }

  /// How many letters have to be put in, taken out or exchanged to make one word of the other (Levenshtein).
  static func distance(_ left: String, _ right: String) -> Int {
    var row = Array(0...right.count)
    for (index, letter) in left.enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for (column, other) in right.enumerated() {
        let above = row[column + 1]
        row[column + 1] = min(above + 1, row[column] + 1, diagonal + (letter == other ? 0 : 1))
        diagonal = above
      }
    }
    return row[right.count]
  }
}
