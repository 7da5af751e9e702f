internal import Posts

/// What decides where posts go, put together for one transaction: sources, authors, circles, lists and their entries.
struct ListParts {
  let sources: Sources
  let authors: Authors
  let renamedAccounts = Renames()
  let entryTallies: Tallies
  let rows: ListRows
  let circles: Circles
  let listed: ListedPosts
  let filing: Filing
  let authorFiling: AuthorFiling

  init(_ connection: Connection, _ transaction: Transaction, _ memory: WriterMemory) {
    sources = Sources(connection, transaction, memory.sources)
    authors = Authors(connection, transaction, sources, memory.identities, renamedAccounts)
    entryTallies = Tallies(connection, transaction)
    rows = ListRows(connection, transaction, memory.lists)
    circles = Circles(connection, transaction, lookup: memory.circles, authors: authors, lists: rows)
    listed = ListedPosts(connection, memory.identities)
    filing = Filing(Entries(connection, transaction, entryTallies), memory.lists, memory.circles, listed)
    authorFiling = AuthorFiling(connection, transaction, entryTallies, listed)
  }
}
