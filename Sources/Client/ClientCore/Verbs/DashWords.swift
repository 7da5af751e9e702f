/// Tells options from text in the words behind a verb, so that what a person writes may begin with a dash: `post
/// -dash`, `search tea -otter`.
///
/// The parser takes every word with a dash for an option, and one dash with an `h` behind it for a request for help; a
/// text would be lost with success. So what is text is put behind `--` before the parser sees it.
public struct DashWords: Sendable {
  private let options: OptionNames
  private let isQuery: Bool

  /// - Parameters:
  ///   - options: the options of the verb.
  ///   - isQuery: whether the words are a query, in which a dash leaves something out, even if that is one letter.
  public init(_ options: OptionNames, isQuery: Bool) {
    self.options = options
    self.isQuery = isQuery
  }

  private enum Kind {
    case option, optionAndValue
    /// `-n1`.
    case joined(option: String, value: String)
    case text, dashText
  }

  /// The words in an order that the parser takes as they are meant: options, then what is text.
  ///
  /// - Throws: usage, where a word that begins with a dash could be a slip in an option as well as text. To post it
  ///   would be worse than to ask.
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

  private func kind(of word: String) throws(ClientFailure) -> Kind {
    guard word.hasPrefix("-"), word != "-" else { return .text }
    if OptionNames.answered.contains(word) || options.flags.contains(word) { return .option }
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
    // `post -r 42 yes` was to be an answer.
    if !isQuery, word.utf8.count == 2, let letter = word.utf8.last, Self.isLetter(letter) { throw unknown(word) }
    return .dashText
  }

  private func unknown(_ name: String) -> ClientFailure {
    let nearest = options.all.sorted().map { ($0, CommandLineOrder.distance($0, name)) }.min { $0.1 < $1.1 }
    let advice = "put -- before what is text"
    guard let nearest, nearest.1 <= 2, name.utf8.count > 2 else {
      return ClientFailure(.usage, "there is no option '\(name)' here", hint: advice)
    }
    return ClientFailure(
      .usage, "there is no option '\(name)' here", hint: "did you mean '\(nearest.0)'? If not, \(advice)")
  }

  private static func isLetter(_ byte: UInt8) -> Bool { 0x61...0x7A ~= byte | 0x20 }

  /// Refuses what the parser would take for a request for help in the words of a verb without text: help is `-h` or
  /// `--help`, as a word of its own.
  public static func refuseHiddenHelp(_ words: [String]) throws(ClientFailure) {
    for word in words.prefix(while: { $0 != "--" }) where word.hasPrefix("-") && !word.hasPrefix("--") && word != "-h" {
      guard word.prefix(while: { $0 != "=" }).contains("h") else { continue }
      throw ClientFailure(.usage, "there is no option '\(word)'", hint: "`stack-client --help` shows how")
    }
  }
}
