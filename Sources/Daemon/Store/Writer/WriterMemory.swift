/// The caches that the writer keeps across transactions.
struct WriterMemory {
  let sources = SourceNumbers()
  let identities: IdentityLookup
  let lists: ListLookup
  let groups: AudienceGroupLookup
  let undo: UndoPositions
  let programs: SourcePrograms
  let feedAuthors: FeedAuthors

  init(_ connection: Connection) {
    identities = IdentityLookup(connection)
    lists = ListLookup(connection)
    groups = AudienceGroupLookup(connection)
    undo = UndoPositions(connection)
    programs = SourcePrograms(connection)
    feedAuthors = FeedAuthors(connection)
  }
}
