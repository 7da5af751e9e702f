/// Turns messages of the argument parser (swift-argument-parser 1.8) into failures in the words of this program.
public enum ParserMessage {
  /// Returns the hint that names the help of a verb, such as `["pane", "push"]`, or of the program if `verb` is empty.
  public static func helpHint(verb: [String]) -> String {
    verb.isEmpty ? "see `stack-client --help`" : "see `stack-client help \(verb.joined(separator: " "))`"
  }

  /// Returns the failure for a message of the parser. A message from a verb's own `validate()` keeps its words.
  ///
  /// - Parameter hint: the hint, unless the message itself says what to do.
  public static func failure(_ text: String, hint: String) -> ClientFailure {
    let lines = text.split(separator: "\n").map(String.init)
    let first = lines.first ?? "the command line is not understood"
    if let (option, question) = parts(of: first, "Unknown option '", "'. Did ") {
      return ClientFailure(.usage, "unknown option '\(option)'", hint: "did \(question)")
    }
    // The choices may follow as a list, one per line.
    let listed = lines.dropFirst().filter { $0.hasPrefix("  - ") }.map { String($0.dropFirst(4)) }
    return ClientFailure(.usage, rewrite(first, listed: listed), hint: hint)
  }

  private static func rewrite(_ text: String, listed: [String]) -> String {
    if let (name, _) = parts(of: text, "Missing value for '", "'") { return "a value is missing: \(name)" }
    if let (name, _) = parts(of: text, "Missing expected argument '", "'") {
      return "an \(name.hasPrefix("-") ? "option" : "argument") is missing: \(name)"
    }
    if let (name, value) = parts(of: text, "The option '", "' does not take any value, but ") {
      return "\(name) takes no value, but \(value.dropLast(" was specified.".count)) was given"
    }
    if let (value, rest) = parts(of: text, "The value '", "' is invalid for '") {
      return invalidValue(value, rest, listed: listed)
    }
    // The parser's sentences begin with a capital letter and end in a full stop.
    let sentence = text.hasSuffix(".") ? text.dropLast() : text[...]
    return sentence.prefix(1).lowercased() + sentence.dropFirst()
  }

  /// Describes an invalid value.
  ///
  /// - Parameter rest: the name of the argument, a quote, and the choices in quotes unless they are `listed`.
  private static func invalidValue(_ value: Substring, _ rest: Substring, listed: [String]) -> String {
    let name = rest.prefix { $0 != " " && $0 != "'" }
    let prefix = name.hasPrefix("-") ? "\(name): " : ""
    let pieces = rest.split(separator: "'", omittingEmptySubsequences: false)
    let quoted = stride(from: 2, to: pieces.count, by: 2).map { String(pieces[$0]) }
    let choices = listed.isEmpty ? quoted : listed
    // An argument without choices that can be invalid is a number.
    guard let last = choices.last else { return "\(prefix)'\(value)' is not a valid number" }
    let others = choices.dropLast().joined(separator: ", ")
    return "\(prefix)'\(value)' is not one of \(others.isEmpty ? last : "\(others) or \(last)")"
  }

  /// Splits a text that begins with `prefix` at the first `separator` after it; nil for any other text.
  private static func parts(of text: String, _ prefix: String, _ separator: String) -> (Substring, Substring)? {
    guard text.hasPrefix(prefix) else { return nil }
    let rest = text.dropFirst(prefix.count)
    guard let range = rest.firstRange(of: separator) else { return nil }
    return (rest[..<range.lowerBound], rest[range.upperBound...])
  }
}
