internal import ArgumentParser
internal import ClientCore
internal import Messages

/// `list`: the lists of the account.
struct ListVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Print, make and edit your lists of authors.",
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

  /// The help of an argument that names a list.
  static let help = ArgumentHelp("A list: its name or its ID.", valueName: "list")

  /// Prints all lists.
  struct All: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "Print your lists.")

    @OptionGroup var options: CommonOptions

    func run() throws {
      try ClientContext.run(options) { context in
        let lists = try context.list(Method.listLists, ListListsResponse.self)
        try context.write(
          lists.map(\.record), whenEmpty: "no lists yet: `stack-client list make NAME` makes one")
      }
    }
  }

  /// Prints a list: its members and their posts.
  struct Show: TextVerb {
    static let configuration = CommandConfiguration(
      commandName: "show", abstract: "Print a list: its members and their posts.")

    @Argument(help: ListVerb.help)
    var list: String

    @OptionGroup var wanted: ReadingOptions
    @OptionGroup var options: CommonOptions

    func run() throws {
      try ClientContext.run(options) { context in
        try context.printRows(
          of:
            .list(list), wanted, whenEmpty: "no posts: `stack-client list add` adds authors to the list"
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

  /// Makes a list.
  struct Make: TextVerb {
    static let configuration = CommandConfiguration(commandName: "make", abstract: "Make a list; prints its ID.")

    @Argument(help: ArgumentHelp("The name, at most 64 bytes.", valueName: "name"))
    var name: String

    @OptionGroup var options: CommonOptions

    func run() throws {
      try ClientContext.run(options) {
        try ListChange.send(Method.createList, CreateListRequest(name: name), isNew: true, $0)
      }
    }
  }

  /// Renames a list.
  struct Rename: TextVerb {
    static let configuration = CommandConfiguration(commandName: "rename", abstract: "Rename a list.")

    @Argument(help: ListVerb.help)
    var list: String

    @Argument(help: ArgumentHelp("The new name, at most 64 bytes.", valueName: "name"))
    var name: String

    @OptionGroup var options: CommonOptions

    func run() throws {
      try ClientContext.run(options) {
        try ListChange.send(Method.renameList, RenameListRequest(list: list, name: name), $0)
      }
    }
  }

  /// Deletes a list.
  struct Delete: TextVerb {
    static let configuration = CommandConfiguration(
      commandName: "delete",
      abstract: "Delete a list, but not its posts; asks first; without a terminal it needs --yes.")

    @Argument(help: ListVerb.help)
    var list: String

    @Flag(name: .shortAndLong, help: "Do not ask.")
    var yes = false

    @OptionGroup var options: CommonOptions

    func run() throws {
      try ClientContext.run(options) { context in
        try context.confirm("delete list \(list)?", isAnswered: yes)
        try ListChange.send(Method.deleteList, DeleteListRequest(list: list), context)
      }
    }
  }

  /// Adds authors.
  struct Add: TextVerb {
    static let configuration = CommandConfiguration(commandName: "add", abstract: "Add authors to a list.")

    @OptionGroup var members: Members
    @OptionGroup var options: CommonOptions

    func run() throws { try ClientContext.run(options) { try members.change($0, Method.addToList) } }
  }

  /// Removes authors.
  struct Remove: TextVerb {
    static let configuration = CommandConfiguration(commandName: "remove", abstract: "Remove authors from a list.")

    @OptionGroup var members: Members
    @OptionGroup var options: CommonOptions

    func run() throws { try ClientContext.run(options) { try members.change($0, Method.removeFromList) } }
  }

  /// A list and some of its authors.
  struct Members: ParsableArguments {
    @Argument(help: ListVerb.help)
    var list: String

    @Argument(help: AuthorArgument.help)
    var authors: [String]

    func validate() throws { for author in authors { try AuthorArgument.check(author) } }

    /// Adds or removes the authors, one after another; prints the last outcome.
    func change(_ context: ClientContext, _ method: String) throws(ClientFailure) {
      let link = try context.connect()
      defer { link.close() }
      var answer: ListResponse?
      for author in authors {
        answer = try link.call(method, ListMemberRequest(list: list, author: AuthorArgument.reference(author)))
      }
      if let answer { try context.write(answer.record(isNew: false)) }
    }
  }
}
