internal import ArgumentParser
internal import ClientCore
internal import Messages

/// `people`: the accounts of the daemon.
struct PeopleVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "people",
    abstract: "List who is here: the accounts of this daemon, and what they say about themselves.",
    discussion: """
      Examples:
        stack-client people
        stack-client people --jsonl | jq -r .handle
      """)

  @OptionGroup var options: CommonOptions

  func run() throws {
    try ClientContext.run(options) { context in
      let people = try context.list(Method.listPeople, ListPeopleResponse.self)
      try context.write(people.map(\.record), whenEmpty: "no one is here")
    }
  }
}
