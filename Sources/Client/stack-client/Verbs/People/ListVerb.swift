internal import ArgumentParser
internal import ClientCore
internal import Messages

/// `list`: the lists that the account made.
struct ListVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Print, make and fill your lists of authors.",
    discussion: """
      Examples:
        stack-client list make harbour
        stack-client list add harbour @ann
        stack-client list show harbour
        stack-client lists
      """,
    subcommands: [All.self, Show.self, Make.self, Rename.self, Delete.self, Add.self, Remove.self],
    defaultSubcommand: All.self,
    aliases: ["lists"])

  /// What names a list.
  static let help = ArgumentHelp("A list: its name, or its number.", valueName: "list")

  /// All of them.
  struct All: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "Print your lists.")

    @OptionGroup var options: CommonOptions

    func run() throws {
      try ClientContext.run(options) { context in
        let lists = try context.list(Method.listLists, ListListsResponse.self)
        try context.tell(
          lists.map(\.record), whenEmpty: "there are no lists: `stack-client list make NAME` makes one")
      }
    }
  }

  /// One of them: who is in it, and what they wrote.
  struct Show: TextVerb {
    static let configuration = CommandConfiguration(
      commandName: "show", abstract: "Print a list: who is in it, and their posts.")

    @Argument(help: ListVerb.help)
    var list: String

    @OptionGroup var wanted: ReadingOptions
    @OptionGroup var options: CommonOptions

    func run() throws {
      try ClientContext.run(options) { context in
        try context.printRows(
          of:
            .list(list), wanted, whenEmpty: "there are no posts: `stack-client list add` puts authors into it"
        ) { link in
          let pages = try link.pages(Method.listMembers, ListMembersResponse.self) { page in
            var request = ListMembersRequest(list: list)
            request.page = page
            return request
          }
          return pages.first.map { RowWriter.Heading("list", $0.list.record(with: pages.flatMap(\.authors))) }
        }
      }
    }
  }

  /// A new one.
  struct Make: TextVerb {
    static let configuration = CommandConfiguration(commandName: "make", abstract: "Make a list; prints its number.")

    @Argument(help: ArgumentHelp("What it is called, at most 64 bytes.", valueName: "name"))
    var name: String

    @OptionGroup var options: CommonOptions

    func run() throws {
      try ClientContext.run(options) {
        try ListChange.send(Method.createList, CreateListRequest(name: name), isNew: true, $0)
      }
    }
  }

  /// Another name.
  struct Rename: TextVerb {
    static let configuration = CommandConfiguration(commandName: "rename", abstract: "Give a list another name.")

    @Argument(help: ListVerb.help)
    var list: String

    @Argument(help: ArgumentHelp("Its new name, at most 64 bytes.", valueName: "name"))
    var name: String

    @OptionGroup var options: CommonOptions

    func run() throws {
      try ClientContext.run(options) {
        try ListChange.send(Method.renameList, RenameListRequest(list: list, name: name), $0)
      }
    }
  }

  /// Away with it.
  struct Delete: TextVerb {
    static let configuration = CommandConfiguration(
      commandName: "delete",
      abstract: "Delete a list; on a terminal you are asked first. Its posts stay where they are.")

    @Argument(help: ListVerb.help)
    var list: String

    @Flag(name: .shortAndLong, help: "Ask nothing.")
    var yes = false

    @OptionGroup var options: CommonOptions

    func run() throws {
      try ClientContext.run(options) { context in
        try context.confirm("delete the list \(list)?", isAnswered: yes)
        try ListChange.send(Method.deleteList, DeleteListRequest(list: list), context)
      }
    }
  }

  /// An author in.
  struct Add: TextVerb {
    static let configuration = CommandConfiguration(commandName: "add", abstract: "Put authors into a list.")

    @OptionGroup var members: Members
    @OptionGroup var options: CommonOptions

    func run() throws { try ClientContext.run(options) { try members.change($0, Method.addToList) } }
  }

  /// An author out.
  struct Remove: TextVerb {
    static let configuration = CommandConfiguration(commandName: "remove", abstract: "Take authors out of a list.")

    @OptionGroup var members: Members
    @OptionGroup var options: CommonOptions

    func run() throws { try ClientContext.run(options) { try members.change($0, Method.removeFromList) } }
  }

  /// A list, and authors of it.
  struct Members: ParsableArguments {
    @Argument(help: ListVerb.help)
    var list: String

    @Argument(help: AuthorArgument.help)
    var authors: [String]

    func validate() throws { for author in authors { try AuthorArgument.check(author) } }

    /// Puts them in or takes them out, one after another; tells of the last.
    func change(_ context: ClientContext, _ method: String) throws(ClientFailure) {
      let link = try context.connect()
      defer { link.close() }
      var answer: ListResponse?
      for author in authors {
        answer = try link.call(method, ListMemberRequest(list: list, author: AuthorArgument.reference(author)))
      }
      if let answer { try context.tell(answer.record(isNew: false)) }
    }
  }
}
