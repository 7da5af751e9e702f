internal import Posts

/// The parts that write posts and everything derived from them.
struct PostParts {
  let marks: MarkRows
  let outbox: Outbox
  let replyCounts: ReplyCounts
  let replies: ReplyTargets
  let index: IndexChanges
  let rows: PostRows
  let postRemoval: Removal
  let deletedPosts: DeletedPosts
  let reposts: Reposts

  init(
    _ connection: Connection, _ transaction: Transaction, _ memory: WriterMemory, _ lists: ListParts,
    upstreams: Set<String>
  ) {
    index = IndexChanges(connection)
    marks = MarkRows(connection, transaction, index)
    outbox = Outbox(connection, transaction, marks, upstreams: upstreams, programs: memory.programs, lists.sources)
    replyCounts = ReplyCounts(connection, lists.sources, marks)
    replies = ReplyTargets(connection, lists.sources)
    rows = PostRows(
      connection, transaction, tallies: lists.entryTallies, replyCounts: replyCounts, replies: replies,
      listed: lists.listed,
      filing: lists.filing, twins: lists.twins, index: index, outbox: outbox)
    postRemoval = Removal(
      connection, transaction, rows: rows, listed: lists.listed, filing: lists.filing, identities: memory.identities)
    deletedPosts = DeletedPosts(
      connection, transaction, sources: lists.sources, rows: rows, marks: marks, replyCounts: replyCounts,
      replies: replies,
      filing: lists.filing)
    reposts = Reposts(
      connection, transaction, identities: memory.identities, sources: lists.sources, authors: lists.authors,
      listed: lists.listed, rows: rows, marks: marks, removal: postRemoval, deletedPosts: deletedPosts)
  }

  func endTransaction() {
    replyCounts.endTransaction()
    replies.endTransaction()
    index.endTransaction()
  }
}
