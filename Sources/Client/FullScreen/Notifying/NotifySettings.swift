/// How a new mention or direct message is announced outside of the screen: the table `[notify]` of the file
/// `client.toml` (docs/CLIENT.md).
public struct NotifySettings: Equatable, Sendable {
  /// A way to announce something.
  public enum Method: String, CaseIterable, Sendable {
    /// The terminal's bell.
    case bell
    /// OSC 9, which iTerm2, WezTerm, foot, Ghostty and kitty show as a notification.
    case osc9 = "osc-9"
    /// OSC 777, as rxvt, foot, Ghostty and WezTerm know it.
    case osc777 = "osc-777"
    /// OSC 99, of kitty and foot.
    case osc99 = "osc-99"
  }

  /// The ways, in the order given; empty for none.
  public var methods: [Method] = [.bell]
  /// A command, whose last argument will be the text; empty for none.
  public var command: [String] = []
  /// True if mentions are announced, false if direct messages alone are.
  public var hasMentions = true
  /// The hours in which nothing is announced; nil for none.
  public var quietHours: QuietHours?

  public init() {}

  /// A part of every day. It may span midnight.
  public struct QuietHours: Equatable, Sendable {
    /// The first minute of the day, 0 to 1,439.
    let start: Int
    /// The minute after the last one.
    let end: Int

    /// Parses a text such as `22:00-07:30`; nil for anything else.
    init?(_ text: String) {
      let times = text.split(separator: "-", omittingEmptySubsequences: false).map(Self.minute)
      guard times.count == 2, let start = times[0], let end = times[1], start != end else { return nil }
      self.start = start
      self.end = end
    }

    private static func minute(_ text: Substring) -> Int? {
      let parts = text.split(separator: ":", omittingEmptySubsequences: false)
      guard parts.count == 2, parts.allSatisfy({ $0.utf8.count == 2 && $0.utf8.allSatisfy { 0x30...0x39 ~= $0 } }),
        let hour = Int(parts[0]), let minute = Int(parts[1]), hour < 24, minute < 60
      else { return nil }
      return hour * 60 + minute
    }

    /// Returns true if a minute of the day is in these hours.
    func contains(_ minute: Int) -> Bool {
      start < end ? (start..<end).contains(minute) : minute >= start || minute < end
    }
  }
}

extension NotifySettings {
  /// Parses a file. Throws all errors in it.
  public init(parsing text: [UInt8]) throws(ConfigurationErrors) {
    self.init()
    let file = ConfigurationFile(text)
    var errors = file.errors
    for section in file.sections where section.name != "notify" {
      errors.append(ConfigurationError(line: section.line, message: "unknown section [\(section.name)]; use [notify]"))
    }
    for entry in file.entries where entry.section == "notify" || entry.section.isEmpty {
      if let message = apply(entry) { errors.append(ConfigurationError(line: entry.line, message: message)) }
    }
    guard errors.isEmpty else { throw ConfigurationErrors(errors) }
  }

  /// The settings of `[notify]`.
  private static let names = ["by", "command", "mentions", "quiet"]

  /// Applies a line of the file. Returns what is wrong with it, or nil.
  private mutating func apply(_ entry: ConfigurationFile.Entry) -> String? {
    guard !entry.section.isEmpty else { return "\"\(entry.name)\" must follow [notify]" }
    switch (entry.name, entry.value) {
    case ("mentions", .boolean(let isOn)): hasMentions = isOn
    case ("by", .list(let values)):
      let found = values.compactMap { if case .string(let name) = $0 { Method(rawValue: name) } else { nil } }
      guard found.count == values.count else { return "\"by\" is a list of \(Self.methodNames)" }
      methods = found
    case ("by", _): return "\"by\" is a list of \(Self.methodNames)"
    case ("command", .list(let values)):
      let words = values.compactMap { if case .string(let word) = $0 { word } else { nil } }
      guard words.count == values.count, words.first?.isEmpty != true else {
        return "\"command\" is a program and its arguments, each in quotation marks"
      }
      command = words
    case ("command", _): return "\"command\" is a list: a program and its arguments, each in quotation marks"
    case ("quiet", .string(let text)):
      guard let hours = QuietHours(text) else { return "\"quiet\" is a time of day, such as \"22:00-07:30\"" }
      quietHours = hours
    case (let name, _) where Self.names.contains(name): return "\"\(name)\" cannot be \(entry.value.kind)"
    case (let name, _):
      let hint = ConfigurationFile.nearest(to: name, in: Self.names).map { "; did you mean \"\($0)\"?" }
      return "unknown setting \"\(name)\"" + (hint ?? "; [notify] has \(Self.names.joined(separator: ", "))")
    }
    return nil
  }

  private static var methodNames: String { Method.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ") }
}
