internal import ViewState

/// Moves the verb to the front, where the parser expects it, so that common options may precede or follow it.
///
/// `stack-client --json timeline -n 3` and `stack-client timeline --json -n 3` are the same. Without a verb it is
/// `timeline`, or `attach` on a terminal without an option that asks for rows.
public struct CommandLineOrder: Sendable {
  private let verbs: Set<String>
  private let groups: [String: Set<String>]

  /// Options that may precede a verb and take the next word as their value.
  public static let optionsWithValue: Set<String> = [
    "--width", "--locale", "--times", "--socket", "--connect", "--token-file", "--color", "--session", "--theme",
  ]

  /// - Parameters:
  ///   - verbs: all verbs and their aliases.
  ///   - groups: the subcommands of those verbs that have them, such as `daemon start`.
  public init(verbs: Set<String>, groups: [String: Set<String>]) {
    self.verbs = verbs
    self.groups = groups
  }

  /// Returns `words` with the verb first.
  ///
  /// - Parameter onTerminal: true if standard input and output are a terminal.
  /// - Throws: a usage failure if the first word that is not an option is not a verb.
  public func arrange(_ words: [String], onTerminal: Bool = false) throws(ClientFailure) -> [String] {
    // Options of the program itself need no verb.
    let index = Self.firstWord(in: words)
    if let place = words[..<(index ?? words.count)].firstIndex(where: Self.belongsToProgram) {
      return Array(words[place...].prefix(words[place] == Self.completionScript ? 2 : 1))
    }
    guard let index else {
      return [onTerminal && !words.contains(where: Self.asksForRows) ? "attach" : "timeline"] + words
    }
    let word = words[index]
    // Help needs no daemon, so options before it have no meaning.
    if word == "help" { return Array(words[index...]) }
    if verbs.contains(word) {
      var rest = Array(words[..<index] + words[(index + 1)...])
      guard let group = groups[word], let next = Self.firstWord(in: rest), group.contains(rest[next]) else {
        return [word] + rest
      }
      return [word, rest.remove(at: next)] + rest
    }
    if index > 0, Self.belongsToTimeline(words[index - 1]) { return ["timeline"] + words }
    throw unknownVerb(word)
  }

  /// Returns the usage failure for a word that is not a verb.
  public func unknownVerb(_ word: String) -> ClientFailure {
    ClientFailure(.usage, "unknown verb '\(word)'", hint: hint(for: word))
  }

  /// The greatest number of commands that are listed in place of a wrong one.
  private static let listedCommands = 7

  /// Returns the usage failure for a word that is not one of the commands of a verb.
  public static func unknownCommand(_ word: String, of verb: [String], _ commands: [String]) -> ClientFailure {
    let name = verb.joined(separator: " ")
    let nearest = EditDistance.nearest(to: word, among: commands)
    if let nearest, nearest.distance <= 2, nearest.distance < word.count {
      return ClientFailure(.usage, "\(name) has no command '\(word)'", hint: "did you mean '\(name) \(nearest.word)'?")
    }
    let hint = ParserMessage.helpHint(verb: verb)
    guard commands.count <= listedCommands, let last = commands.last else {
      return ClientFailure(.usage, "\(name) has no command '\(word)'", hint: hint)
    }
    let others = commands.dropLast().joined(separator: ", ")
    return ClientFailure(.usage, "\(name) takes \(others) or \(last), not '\(word)'", hint: hint)
  }

  /// Returns the index of the first word before `--` that is neither an option nor the value of a common option; nil if
  /// there is none.
  private static func firstWord(in words: [String]) -> Int? {
    var index = 0
    while index < words.count, words[index].hasPrefix("-"), words[index] != "--" {
      // Other options may be those of the timeline; their values cannot be distinguished from a verb.
      index += optionsWithValue.contains(words[index]) ? 2 : 1
    }
    return index < words.count && words[index] != "--" ? index : nil
  }

  /// The option that prints a completion script; the next word names the shell.
  private static let completionScript = "--generate-completion-script"

  /// Returns true for the options of the program itself, which the parser handles with or without a verb.
  public static func belongsToProgram(_ word: String) -> Bool {
    ["--help", "-h", "--help-hidden", "--version", "--experimental-dump-help", completionScript].contains(word)
      || word.hasPrefix(completionScript + "=")
  }

  /// Returns true for the options of the timeline that take a value and may begin a command line without a verb.
  private static func belongsToTimeline(_ word: String) -> Bool {
    ["-n", "--lines", "--before", "--since"].contains(word)
  }

  /// Returns true for the options that make sense only for printed rows.
  private static func asksForRows(_ word: String) -> Bool {
    let name = String(word.prefix { $0 != "=" })
    let others = ["--json", "--jsonl", "--plain", "--reverse", "--width", "--times"]
    // A short option may include its value.
    return belongsToTimeline(name) || others.contains(name)
      || (name.hasPrefix("-n") && name.dropFirst(2).allSatisfy(\.isNumber))
  }

  private func hint(for word: String) -> String {
    let nearest = EditDistance.nearest(to: word, among: verbs.sorted())
    guard let nearest, nearest.distance <= 2 else { return ParserMessage.helpHint(verb: []) }
    return "did you mean '\(nearest.word)'?"
  }
}
