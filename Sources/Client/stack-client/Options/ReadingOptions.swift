internal import ArgumentParser
internal import ClientCore
internal import UV

/// The options that select posts, of every verb that prints posts.
struct ReadingOptions: ParsableArguments {
  @Option(
    name: [.customShort("n", allowingJoined: true), .customLong("lines")], parsing: .unconditional,
    help: ArgumentHelp("Show at most N posts (default: one screenful, or 20 in a pipe).", valueName: "N"))
  var count: Int?

  @Option(help: ArgumentHelp("Only posts older than this one, or from before a time.", valueName: "id|time"))
  var before: String?

  @Option(
    help: ArgumentHelp(
      "Only posts newer than this one, or since a time: 2h, 2015-11, yesterday, '1 nov', 2024-03-03T12:30.",
      valueName: "id|time"))
  var since: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Only matching posts: is:repost, is:reply, is:unread, has:media, lang:de, words, /pattern/; - excludes.",
      valueName: "words"))
  var filter: String?

  @Flag(help: "Reverse the order.")
  var reverse = false

  func validate() throws {
    if let count, count < 0 { throw ValidationError("-n must be 0 or more, not \(count)") }
    for (name, text) in [("before", before), ("since", since)] {
      guard let text, Self.bound(text) == nil else { continue }
      throw ValidationError(
        "--\(name) '\(text)' is neither a post nor a time: try 42, 2h, yesterday, 2015-11 or 2024-03-03T12:30Z")
    }
  }

  /// The bound of `--before`; nil without the option.
  var beforeBound: SinceBound? { before.flatMap(Self.bound) }

  /// The bound of `--since`; nil without the option.
  var sinceBound: SinceBound? { since.flatMap(Self.bound) }

  private static func bound(_ text: String) -> SinceBound? {
    SinceBound(text, now: Loop.wallClockMilliseconds) { UV.Process.localOffset(at: $0) }
  }
}
