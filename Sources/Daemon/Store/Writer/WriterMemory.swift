/// What the writer remembers from one transaction to the next; thrown away when one is taken back.
struct WriterMemory {
  let sources = SourceNumbers()
  let identities: IdentityLookup
  let lists: ListLookup
  let circles: CircleLookup
  let undo: UndoPositions

  init(_ connection: Connection) {
    identities = IdentityLookup(connection)
    lists = ListLookup(connection)
    circles = CircleLookup(connection)
    undo = UndoPositions(connection)
  }
}
