internal import ArgumentParser
internal import ClientCore
internal import UV

/// Which posts of a list are wanted: the options of every verb that prints posts.
struct ReadingOptions: ParsableArguments {
  @Option(
    name: [.customShort("n", allowingJoined: true), .customLong("lines")],
    help: ArgumentHelp("At most N posts; as many as fit on the screen, or 20.", valueName: "N"))
  var count: Int?

  @Option(help: ArgumentHelp("Only posts below this one.", valueName: "id"))
  var before: String?

  @Option(
    help: ArgumentHelp(
      "Only posts above this one, or from a time on: 2h, 3d, 2024-03-03, 2024-03-03T12:30.", valueName: "id|time"))
  var since: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Only these: is:repost, is:reply, is:unread, has:media, lang:de, words, /pattern/; - before one for the others.",
      valueName: "words"))
  var filter: String?

  @Flag(help: "The other way round.")
  var reverse = false

  func validate() throws {
    if let count, count < 0 { throw ValidationError("-n is \(count); 0 or more is possible") }
    if let before { try PostReference.check(before) }
    if let since, sinceBound == nil {
      throw ValidationError(
        "--since '\(since)' is neither a post nor a time: try 42, 2h, 2024-03-03 or 2024-03-03T12:30Z")
    }
  }

  /// What `--since` says; nil where it says nothing.
  var sinceBound: SinceBound? {
    since.flatMap { SinceBound($0, now: Loop.wallClockMilliseconds) { UV.Process.localOffset(at: $0) } }
  }
}
