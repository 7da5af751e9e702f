internal import ArgumentParser
internal import ClientCore
internal import Messages
internal import ViewState

/// `mark`: says of posts that they are read, or unread.
struct MarkVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mark", abstract: "Say of posts that you have read them, or have not.",
    discussion: """
      Posts that are newer than you have read so far are unread by themselves. What you say of a post holds wherever you have come to, in
      all sessions; `timeline --filter is:unread` prints what is unread. `count --unread` is about something else: what no screen has shown.

      Examples:
        stack-client mark read 42 43
        stack-client mark unread 42
        stack-client mark read --all
        stack-client mark read --all --section mentions
      """, subcommands: [Read.self, Unread.self])

  /// `mark read`.
  struct Read: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "read", abstract: "Say that you have read them.")

    @Argument(help: MarkVerb.postsHelp)
    var posts: [String] = []

    @Flag(help: "All that is unread of a section.")
    var all = false

    @Option(help: ArgumentHelp("With --all: timeline, mentions or profile.", valueName: "section"))
    var section = Section.timeline

    @Option(help: ArgumentHelp("With --all: the session that knows how far you have read; main.", valueName: "name"))
    var session = ""

    @OptionGroup var options: CommonOptions

    func validate() throws {
      guard posts.isEmpty == all else {
        throw ValidationError(all ? "either --all or posts, not both" : "which posts? name them, or say --all")
      }
      try MarkVerb.check(posts)
      try SessionOptions.check(session)
      guard all else { return }
      if ![.timeline, .mentions, .profile].contains(section) {
        throw ValidationError("--all is for timeline, mentions and profile: of these it is known how far they are read")
      }
    }

    func run() throws {
      try ClientContext.run(options) { context in
        guard all else { return try Marking.send(posts, .read, context) }
        // What goes between the two is no fault of anybody's: then it is asked for again.
        for _ in 0..<MarkVerb.attempts - 1 {
          do {
            return try Marking.send(try Marking.unread(section, session: session, context), .read, context)
          } catch let failure as ClientFailure where failure.exitCode == .notFound {
            continue
          }
        }
        try Marking.send(try Marking.unread(section, session: session, context), .read, context)
      }
    }
  }

  /// `mark unread`.
  struct Unread: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "unread", abstract: "Say that you have not read them, or want to read them again.")

    @Argument(help: MarkVerb.postsHelp)
    var posts: [String]

    @OptionGroup var options: CommonOptions

    func validate() throws { try MarkVerb.check(posts) }

    func run() throws { try ClientContext.run(options) { try Marking.send(posts, .unread, $0) } }
  }

  /// How often `--all` asks what is unread, where something of it has gone before it is marked.
  private static let attempts = 5

  private static let postsHelp = ArgumentHelp("Posts: their numbers, or source:native-id.", valueName: "id")

  private static func check(_ posts: [String]) throws { for post in posts { try PostReference.check(post) } }
}

/// Marking of posts as read or unread.
private enum Marking {
  /// How many posts `--all` takes at most. Who has more unread says how far they have read.
  private static let allLimit = 10_000

  /// What is unread of a section, as posts are named.
  static func unread(_ section: Section, session: String, _ context: ClientContext) throws -> [String] {
    var posts: [String] = []
    try context.readRows(of: .section(section), filter: "is:unread", session: session) { reader in
      let hasMore = try reader.forEachRow(below: nil, limit: Self.allLimit) { row in
        if row.content.fields.postID != 0 { posts.append(String(row.content.fields.postID)) }
      }
      guard hasMore else { return }
      throw ClientFailure(
        .refused,
        "more than \(Self.allLimit) posts are unread: `stack-client read-position \(section) ID` says how far you have read in one stroke"
      )
    }
    return posts
  }

  /// Marks posts, as many at once as the daemon takes, and tells of how many something else was said before.
  static func send(_ posts: [String], _ readMark: RowReadMark, _ context: ClientContext) throws(ClientFailure) {
    var done = MarkReadResponse(changed: 0, revision: 0)
    var left = posts[...]
    while !left.isEmpty {
      var request = MarkReadRequest(readMark, posts: Array(left.prefix(SharedLimits.readMarksAtOnce)))
      request.requestID = try RequestID.make()
      let answer: MarkReadResponse = try context.command(Method.markRead, request)
      done = MarkReadResponse(changed: done.changed + answer.changed, revision: answer.revision)
      left = left.dropFirst(SharedLimits.readMarksAtOnce)
    }
    try context.tell(done.record(readMark))
  }
}
