internal import ArgumentParser
internal import ClientCore
internal import Messages

/// `feed`: subscriptions to feeds.
struct FeedVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "feed", abstract: "Subscribe to feeds, and see how each fares.",
    discussion: """
      Examples:
        stack-client feed add https://example.org/news.xml
        stack-client feed import subscriptions.opml
        stack-client feed set f7 --every 30m
        stack-client feed why f7
        stack-client feeds
      """,
    subcommands: [
      All.self, Add.self, Remove.self, Rename.self, Set.self, Refresh.self, Why.self, Import.self, Export.self,
    ],
    defaultSubcommand: All.self,
    aliases: ["feeds"])

  /// The help of an argument that names a feed.
  static let help = ArgumentHelp("A feed: its ID, such as f7, its address or its title.", valueName: "feed")

  /// Prints all feeds.
  struct All: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List your feeds, and how each fares.")

    @OptionGroup var options: CommonOptions

    func run() throws {
      try ClientContext.run(options) { context in
        let feeds = try FeedReference.all(context)
        try context.write(feeds.map(\.record), whenEmpty: "no feeds yet: `stack-client feed add URL` adds one")
      }
    }
  }

  /// Subscribes to a feed.
  struct Add: TextVerb {
    static let configuration = CommandConfiguration(commandName: "add", abstract: "Subscribe to a feed; prints its ID.")

    @Argument(help: ArgumentHelp("The address of the feed, or of a page that offers one.", valueName: "url"))
    var url: String

    @Option(help: ArgumentHelp("A title to show in place of the feed's own.", valueName: "title"))
    var title = ""

    @Flag(name: .customLong("private"), help: "Keep the feed and its posts to yourself.")
    var isPrivate = false

    @OptionGroup var options: CommonOptions

    func run() throws {
      try ClientContext.run(options) { context in
        var request = AddFeedRequest(url: url)
        (request.title, request.isPrivate) = (title, isPrivate)
        let answer: FeedResponse = try context.command(Method.addFeed, request)
        try context.write(answer.feed.numberRecord)
      }
    }
  }

  /// Unsubscribes from a feed.
  struct Remove: TextVerb {
    static let configuration = CommandConfiguration(
      commandName: "remove", abstract: "Unsubscribe from a feed; its posts stay.")

    @Argument(help: FeedVerb.help)
    var feed: String

    @OptionGroup var options: CommonOptions

    func run() throws {
      try ClientContext.run(options) { context in
        let feed = try FeedReference.find(feed, context)
        let _: RevisionResponse = try context.command(Method.removeFeed, FeedRequest(feedID: feed.feedID))
        try context.write(feed.record)
      }
    }
  }

  /// Gives a feed another title.
  struct Rename: TextVerb {
    static let configuration = CommandConfiguration(commandName: "rename", abstract: "Give a feed another title.")

    @Argument(help: FeedVerb.help)
    var feed: String

    @Argument(help: ArgumentHelp("The title; empty for the feed's own.", valueName: "title"))
    var title: String

    @OptionGroup var options: CommonOptions

    func run() throws {
      try ClientContext.run(options) { try FeedReference.change(feed, [.title(title)], $0) }
    }
  }

  /// Changes how a feed is read.
  struct Set: TextVerb {
    static let configuration = CommandConfiguration(commandName: "set", abstract: "Change how a feed is read.")

    @Argument(help: FeedVerb.help)
    var feed: String

    @Option(
      help: ArgumentHelp(
        "How often to check it: 15m to 7d, as in 30m, 6h or 2d; auto for the feed's own interval.", valueName: "time"))
    var every: String?

    @Option(help: ArgumentHelp("Its new address.", valueName: "url"))
    var url: String?

    @Option(help: ArgumentHelp("Whether a changed post comes up again: yes or no.", valueName: "answer"))
    var again: Answer?

    @Option(
      help: ArgumentHelp(
        "Whether its posts are shown even if another feed has brought the same link: yes or no.", valueName: "answer"))
    var twice: Answer?

    @Option(
      help: ArgumentHelp(
        "Days or posts to keep, as in 90d or 1000; all for everything, auto for as much as of all feeds.",
        valueName: "amount"))
    var keep: String?

    @OptionGroup var options: CommonOptions

    /// Yes or no.
    enum Answer: String, ExpressibleByArgument {
      case yes, no
    }

    /// Returns an interval in minutes; 0 for the feed's own.
    static func minutes(_ text: String) -> UInt32? {
      if text == "auto" { return 0 }
      let units: [Character: UInt64] = ["m": 1, "h": 60, "d": 1_440]
      guard let unit = text.last.flatMap({ units[$0] }), let count = UInt32(text.dropLast()) else { return nil }
      let minutes = UInt64(count) * unit
      return 15...10_080 ~= minutes ? UInt32(minutes) : nil
    }

    private var changes: [SetFeedRequest.Change] {
      [
        every.flatMap(Self.minutes).map { .intervalMinutes($0) }, url.map { .url($0) },
        again.map { .liftsEdited($0 == .yes) }, twice.map { .showsTwice($0 == .yes) },
        keep.flatMap { $0 == "auto" ? .keepAsAll(true) : Keep($0).map { .keep($0) } },
      ].compactMap(\.self)
    }

    func validate() throws {
      if let every, Self.minutes(every) == nil {
        throw ValidationError("--every: '\(every)' is not a time from 15m to 7d, such as 30m, 6h or 2d, nor auto")
      }
      if let keep, keep != "auto", Keep(keep) == nil {
        throw ValidationError("--keep: '\(keep)' is neither days nor posts, such as 90d or 1000, nor all or auto")
      }
      if changes.isEmpty { throw ValidationError("nothing to change: give --every, --keep, --url, --again or --twice") }
    }

    func run() throws {
      try ClientContext.run(options) { try FeedReference.change(feed, changes, $0) }
    }
  }

  /// Checks feeds now.
  struct Refresh: TextVerb {
    static let configuration = CommandConfiguration(
      commandName: "refresh", abstract: "Check a feed now, or all that you follow; each at most once a minute.")

    @Argument(help: FeedVerb.help)
    var feed: String?

    @OptionGroup var options: CommonOptions

    func run() throws {
      try ClientContext.run(options) { context in
        let id = try feed.map { word throws(ClientFailure) in try FeedReference.find(word, context).feedID } ?? 0
        let _: EmptyMessage = try context.command(Method.refresh, FeedRequest(feedID: id))
        context.console.notice("asked for what is new; `stack-client feed` shows how it goes")
      }
    }
  }

  /// Prints the last checks of a feed.
  struct Why: TextVerb {
    static let configuration = CommandConfiguration(
      commandName: "why", abstract: "Print the last ten checks of a feed: when, what came, when next.")

    @Argument(help: FeedVerb.help)
    var feed: String

    @OptionGroup var options: CommonOptions

    func run() throws {
      try ClientContext.run(options) { context in
        try context.write(try FeedReference.find(feed, context).historyRecord)
      }
    }
  }
}
