internal import Posts

/// The parts that decide which lists posts go into (sources, authors, audience groups, lists and their entries),
/// assembled once.
struct ListParts {
  let sources: Sources
  let authors: Authors
  let renamedAccounts = RenamedAccounts()
  let entryTallies: Tallies
  let rows: ListRows
  let groups: AudienceGroups
  let listed: ListedPosts
  let messages: MessageFiling
  let filing: Filing
  let authorFiling: AuthorFiling
  let twins: FeedTwins

  init(_ connection: Connection, _ transaction: Transaction, _ memory: WriterMemory) {
    sources = Sources(connection, transaction, memory.sources)
    authors = Authors(connection, transaction, sources, memory.identities, renamedAccounts)
    entryTallies = Tallies(connection, transaction)
    rows = ListRows(connection, transaction, memory.lists)
    groups = AudienceGroups(connection, transaction, lookup: memory.groups, authors: authors, lists: rows)
    listed = ListedPosts(connection, memory.identities)
    let entries = Entries(connection, transaction, entryTallies)
    messages = MessageFiling(entries, memory.lists, memory.groups, MuteReader(connection))
    twins = FeedTwins(connection, memory.feedAuthors)
    filing = Filing(entries, memory.lists, memory.groups, listed, messages, memory.feedAuthors, twins)
    authorFiling = AuthorFiling(connection, transaction, entryTallies, listed, filing, twins)
  }

  func endTransaction() {
    authors.endTransaction()
    renamedAccounts.endTransaction()
    entryTallies.endTransaction()
  }
}
