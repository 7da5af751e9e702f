internal import ViewState

/// Distinguishes options from text in the words after a verb, so that text may begin with a dash: `post -dash`, `search
/// tea -otter`.
///
/// The parser treats every word with a dash as an option, and one dash followed by an `h` as a request for help: the
/// text would be lost, with exit code 0. So text is moved behind `--` before the parser sees it.
public struct DashWords: Sendable {
  private let options: OptionNames
  private let isQuery: Bool
  private let verb: [String]

  /// - Parameters:
  ///   - options: the options of the verb.
  ///   - isQuery: true if the words are a query, in which a dash excludes a word, even of one letter.
  ///   - verb: the words that name the verb.
  public init(_ options: OptionNames, isQuery: Bool, verb: [String]) {
    self.options = options
    self.isQuery = isQuery
    self.verb = verb
  }

  private enum Kind {
    case option, optionAndValue
    /// `-n1`.
    case joined(option: String, value: String)
    case text, dashText
  }

  /// Returns the words in the order that the parser needs: options, then text.
  ///
  /// - Throws: a usage failure if a word that begins with a dash may be a mistyped option as well as text. Posting it
  ///   would be worse than asking.
  public func arrange(_ words: [String]) throws(ClientFailure) -> [String] {
    var head: [String] = []
    var text: [String] = []
    var isBehindTerminator = false
    var index = 0
    while index < words.count {
      let word = words[index]
      index += 1
      if word == "--" {
        text += words[index...]
        isBehindTerminator = true
        break
      }
      switch try kind(of: word) {
      case .option: head.append(word)
      case .optionAndValue:
        head.append(word)
        guard index < words.count, words[index] != "--" else { continue }
        head.append(words[index])
        index += 1
      case .joined(let option, let value): head += [option, value]
      case .text: text.append(word)
      case .dashText:
        text.append(word)
        isBehindTerminator = true
      }
    }
    return head + (isBehindTerminator ? ["--"] : []) + text
  }

  /// Returns true for a word that may be an option. A word without a dash, and "-" itself, is text in every verb.
  public static func hasDash(_ word: String) -> Bool { word.hasPrefix("-") && word != "-" }

  private func kind(of word: String) throws(ClientFailure) -> Kind {
    guard Self.hasDash(word) else { return .text }
    if OptionNames.builtIn.contains(word) || options.flags.contains(word) { return .option }
    if options.values.contains(word) { return .optionAndValue }
    let name = String(word.prefix { $0 != "=" })
    if name != word, options.all.contains(name) { return .option }
    if word.contains(where: \.isWhitespace) { return .dashText }
    if word.hasPrefix("--") {
      guard word.utf8.dropFirst(2).first.map(Self.isLetter) == true else { return .dashText }
      throw unknown(name)
    }
    let short = String(word.prefix(2))
    let rest = word.utf8.dropFirst(2)
    if options.values.contains(short), rest.allSatisfy({ 0x30...0x39 ~= $0 }) {
      return .joined(option: short, value: String(decoding: rest, as: UTF8.self))
    }
    let letters = word.dropFirst()
    if Set(letters).count == letters.count, letters.allSatisfy({ options.flags.contains("-\($0)") }) { return .option }
    // `post -r 42 yes` was meant as a reply.
    if !isQuery, word.utf8.count == 2, let letter = word.utf8.last, Self.isLetter(letter) { throw unknown(word) }
    return .dashText
  }

  private func unknown(_ name: String) -> ClientFailure {
    let nearest = EditDistance.nearest(to: name, among: options.all.sorted())
    let advice = "put -- before text that begins with a dash"
    guard let nearest, nearest.distance <= 2, name.utf8.count > 2 else {
      return ClientFailure(
        .usage, "unknown option '\(name)'", hint: "\(advice), or \(ParserMessage.helpHint(verb: verb))")
    }
    return ClientFailure(
      .usage, "unknown option '\(name)'", hint: "did you mean '\(nearest.word)'? If not, \(advice)")
  }

  /// Returns true for a number with a dash, such as `-1`.
  public static func isNumber(_ word: String) -> Bool {
    word.utf8.count > 1 && word.hasPrefix("-") && word.utf8.dropFirst().allSatisfy { 0x30...0x39 ~= $0 }
  }

  /// Moves numbers with a dash, and the arguments after the first of them, behind the options, for a verb without text:
  /// the parser would take the numbers for options, and say that an argument is missing.
  public static func separateNumbers(in words: ArraySlice<String>, _ options: OptionNames) -> [String] {
    var head: [String] = []
    var arguments: [String] = []
    var isValue = false
    let end = words.firstIndex(of: "--") ?? words.endIndex
    for word in words[..<end] {
      let isArgument = !isValue && (isNumber(word) || !arguments.isEmpty && !word.hasPrefix("-"))
      if isArgument { arguments.append(word) } else { head.append(word) }
      isValue = !isValue && options.values.contains(word)
    }
    return head + ["--"] + arguments + words[end...].dropFirst()
  }

  private static func isLetter(_ byte: UInt8) -> Bool { 0x61...0x7A ~= byte | 0x20 }

  /// Refuses words that the parser would mistake for a request for help, for a verb without text: help is `-h` or
  /// `--help` as a separate word.
  ///
  /// - Parameter verb: the words that name the verb.
  public static func refuseHiddenHelp(_ words: [String], verb: [String]) throws(ClientFailure) {
    for word in words.prefix(while: { $0 != "--" }) where word.hasPrefix("-") && !word.hasPrefix("--") && word != "-h" {
      guard word.prefix(while: { $0 != "=" }).contains("h") else { continue }
      throw ClientFailure(.usage, "unknown option '\(word)'", hint: ParserMessage.helpHint(verb: verb))
    }
  }
}
