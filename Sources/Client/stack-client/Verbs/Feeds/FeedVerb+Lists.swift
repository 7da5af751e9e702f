internal import ArgumentParser
internal import ClientCore
internal import Messages
internal import UV
internal import ViewState

extension FeedVerb {
  /// Subscribes to the feeds of an OPML document, or of newsboat.
  struct Import: TextVerb {
    static let configuration = CommandConfiguration(
      commandName: "import", abstract: "Subscribe to the feeds of an OPML file, or of newsboat.",
      discussion: """
        Folders and tags become lists. A feed that you have already stays as it is. The command ends when all feeds have \
        been read once; after Ctrl-C the daemon reads the others.

        With --from newsboat, what you have read there is marked as read.

        Examples:
          stack-client feed import subscriptions.opml
          stack-client feed import --from newsboat
        """)

    @Argument(
      help: ArgumentHelp(
        "An OPML file, or newsboat's urls; - for standard input. With --from: a folder other than the program's usual one.",
        valueName: "file"),
      completion: .file())
    var file: String?

    @Option(help: ArgumentHelp("The program whose feeds to import: newsboat.", valueName: "program"))
    var from: Origin?

    @Flag(help: "Do not wait until the feeds have been read.")
    var noWait = false

    @OptionGroup var options: CommonOptions

    /// A program whose files are known.
    enum Origin: String, ExpressibleByArgument {
      case newsboat
    }

    /// What an import has added.
    private struct Added {
      var feeds: [SourceSummary] = []
      var failed = 0
      var members: [(list: String, author: UInt64)] = []
    }

    func validate() throws {
      if file == nil, from == nil { throw ValidationError("give a file, or --from newsboat") }
      if noWait, from != nil { throw ValidationError("--no-wait cannot be combined with --from") }
    }

    func run() throws {
      try ClientContext.run(options) { context in
        let folders = from.map { _ in NewsboatFolders(folder: file) }
        let contents = try FeedProgram.contents(of: folders?.urls ?? file ?? "-")
        let lines = try FeedProgram.run(["read-opml"], contents, context)
        let items = try folders?.cache.map { cache throws(ClientFailure) in
          ReadItems(lines: try FeedProgram.run(["read-newsboat", cache], [], context))
        }
        let link = try context.connect()
        defer { link.close() }
        let added = try add(lines, link, context)
        try fill(added.members, link, context)
        let feeds = noWait ? [] : Swift.Set(added.feeds.map(\.feedID))
        let read = try FeedWait(context, for: feeds).run(link)
        let marked = try items.map { items throws(ClientFailure) in
          try items.mark(by: added.feeds.map(\.authorID), context, link)
        }
        try context.write(record(added, read, marked: marked))
      }
    }

    /// Subscribes to the feeds of lines.
    private func add(_ lines: [UInt8], _ link: DaemonLink, _ context: ClientContext) throws(ClientFailure) -> Added {
      let known = Swift.Set(
        try link.pages(Method.listSources, ListSourcesResponse.self) { $0 }.flatMap(\.items).map(\.url))
      var added = Added()
      let fields = String(decoding: lines, as: UTF8.self).split(separator: "\n").map { line in
        line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      }
      let requests = fields.map { fields in
        var request = AddFeedRequest(url: fields[0])
        if fields.count > 2, !known.contains(fields[0]) {
          (request.title, request.outlineAttributes) = (fields[1], fields[2])
        }
        return request
      }
      link.callEach(Method.addFeed, requests) { (index, result: Result<FeedResponse, ClientFailure>) in
        switch result {
        case .success(let answer):
          added.members += fields[index].dropFirst(3).map { ($0, answer.feed.authorID) }
          added.feeds.append(answer.feed)
        case .failure(let failure):
          added.failed += 1
          context.console.notice("\(fields[index][0]): \(failure.message)")
        }
      }
      return added
    }

    private func record(_ added: Added, _ read: FeedProgress, marked: Int?) -> Record {
      let unread = read.total - read.read - read.failed
      return Record(
        [
          ("feeds", .number(added.feeds.count)), ("failed", .number(added.failed)), ("read", .number(read.read)),
          ("unreadable", .number(read.failed)), ("marked_read", .number(marked ?? 0)),
        ],
        facts: [
          Record.Piece(NumberText.count(added.feeds.count, "feed", "feeds")),
          Record.Piece(added.failed == 0 ? "" : "\(added.failed) not added"),
          Record.Piece(read.failed == 0 ? "" : "\(read.failed) cannot be read: `stack-client feed` says why"),
          Record.Piece(unread == 0 ? "" : "\(unread) not read yet"),
          Record.Piece(marked.map { "\(NumberText.count($0, "post", "posts")) marked as read" } ?? ""),
        ])
    }

    /// Makes the lists that are missing, and adds the feeds to theirs.
    private func fill(
      _ members: [(list: String, author: UInt64)], _ link: DaemonLink, _ context: ClientContext
    ) throws(ClientFailure) {
      guard !members.isEmpty else { return }
      let lists = try link.pages(Method.listLists, ListListsResponse.self) { $0 }.flatMap(\.items)
      for list in Swift.Set(members.map { $0.list }).subtracting(lists.map(\.name)).sorted() {
        do throws(ClientFailure) {
          let _: ListResponse = try link.call(Method.createList, CreateListRequest(name: list))
        } catch {
          context.console.notice("list \(list): \(error.message)")
        }
      }
      let requests = members.map { ListMemberRequest(list: $0.list, author: String($0.author)) }
      link.callEach(Method.addToList, requests) { (index, result: Result<ListResponse, ClientFailure>) in
        if case .failure(let failure) = result {
          context.console.notice("list \(members[index].list): \(failure.message)")
        }
      }
    }
  }

  /// Writes the feeds as OPML.
  struct Export: TextVerb {
    static let configuration = CommandConfiguration(
      commandName: "export", abstract: "Print your feeds as OPML, with the lists that they are in.")

    @OptionGroup var options: CommonOptions

    func run() throws {
      try ClientContext.run(options) { context in
        let link = try context.connect()
        defer { link.close() }
        var lists: [UInt64: [String]] = [:]
        for list in try link.pages(Method.listLists, ListListsResponse.self, { $0 }).flatMap(\.items) {
          let members = try link.pages(Method.listMembers, ListMembersResponse.self) { page in
            var request = ListMembersRequest(list: String(list.listID))
            request.page = page
            return request
          }
          for author in members.flatMap(\.authors) { lists[author.id, default: []].append(list.name) }
        }
        let sources = try link.pages(Method.listSources, ListSourcesResponse.self) { $0 }.flatMap(\.items)
        let lines = sources.filter { $0.feedID != 0 }.map { feed in
          ([feed.url, feed.title, feed.outlineAttributes] + (lists[feed.authorID] ?? [])).joined(separator: "\t") + "\n"
        }
        try context.console.write(try FeedProgram.run(["write-opml"], Array(lines.joined().utf8), context))
      }
    }
  }
}
