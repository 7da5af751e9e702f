internal import ArgumentParser
internal import ClientCore
internal import Messages
internal import UV
internal import ViewState

extension FeedVerb {
  /// Subscribes to the feeds of an OPML document, or of newsboat's `urls`.
  struct Import: TextVerb {
    static let configuration = CommandConfiguration(
      commandName: "import", abstract: "Subscribe to the feeds of an OPML file, or of newsboat's urls.",
      discussion: "Folders become lists. A feed that you have already stays as it is.")

    @Argument(help: ArgumentHelp("The file; - for standard input.", valueName: "file"))
    var file: String

    @OptionGroup var options: CommonOptions

    func run() throws {
      try ClientContext.run(options) { context in
        let lines = try FeedProgram.run("read-opml", try FeedProgram.contents(of: file), context)
        let link = try context.connect()
        defer { link.close() }
        let known = Swift.Set(
          try link.pages(Method.listSources, ListSourcesResponse.self) { $0 }.flatMap(\.items).map(\.url))
        var members: [(list: String, author: UInt64)] = []
        var (added, failed) = (0, 0)
        for line in String(decoding: lines, as: UTF8.self).split(separator: "\n") {
          let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
          var request = AddFeedRequest(url: fields[0])
          if fields.count > 1, !known.contains(fields[0]) { request.title = fields[1] }
          do throws(ClientFailure) {
            let answer: FeedResponse = try link.call(Method.addFeed, request)
            members += fields.dropFirst(2).map { ($0, answer.feed.authorID) }
            added += 1
          } catch {
            failed += 1
            context.console.notice("\(fields[0]): \(error.message)")
          }
        }
        try fill(members, link, context)
        try context.write(
          Record(
            [("feeds", .number(added)), ("failed", .number(failed))],
            facts: [
              Record.Piece(NumberText.count(added, "feed", "feeds")),
              Record.Piece(failed == 0 ? "" : "\(failed) not added"),
            ]))
      }
    }

    /// Makes the lists that are missing, and adds the feeds to theirs.
    private func fill(
      _ members: [(list: String, author: UInt64)], _ link: DaemonLink, _ context: ClientContext
    ) throws(ClientFailure) {
      guard !members.isEmpty else { return }
      let lists = try link.pages(Method.listLists, ListListsResponse.self) { $0 }.flatMap(\.items)
      var known = Swift.Set(lists.map(\.name))
      for (list, author) in members {
        do throws(ClientFailure) {
          if known.insert(list).inserted {
            let _: ListResponse = try link.call(Method.createList, CreateListRequest(name: list))
          }
          let _: ListResponse = try link.call(Method.addToList, ListMemberRequest(list: list, author: String(author)))
        } catch {
          context.console.notice("list \(list): \(error.message)")
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
          ([feed.url, feed.title] + (lists[feed.authorID] ?? [])).joined(separator: "\t") + "\n"
        }
        try context.console.write(try FeedProgram.run("write-opml", Array(lines.joined().utf8), context))
      }
    }
  }
}
