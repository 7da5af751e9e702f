internal import ArgumentParser
internal import ClientCore
internal import UV

/// The options that select posts, of every verb that prints posts.
struct ReadingOptions: ParsableArguments {
  @Option(
    name: [.customShort("n", allowingJoined: true), .customLong("lines")], parsing: .unconditional,
    help: ArgumentHelp("Show at most N posts (default: one screenful, or 20 in a pipe).", valueName: "N"))
  var count: Int?

  @Option(help: ArgumentHelp("Only posts older than this one.", valueName: "id"))
  var before: String?

  @Option(
    help: ArgumentHelp(
      "Only posts newer than this one, or since a time: 2h, 3d, 2024-03-03, 2024-03-03T12:30.", valueName: "id|time"))
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
    if let before { try PostReference.check(before) }
    if let since, sinceBound == nil {
      throw ValidationError(
        "--since '\(since)' is neither a post nor a time: try 42, 2h, 2024-03-03 or 2024-03-03T12:30Z")
    }
  }

  /// The bound of `--since`; nil without the option.
  var sinceBound: SinceBound? {
    since.flatMap { SinceBound($0, now: Loop.wallClockMilliseconds) { UV.Process.localOffset(at: $0) } }
  }
}
