/// The features about posts.
struct PostFeatures {
  let importing: Importing
  let importRemoval: ImportRemoval
  let gaps: Gaps
  let composing: Composing
  let editing: Editing
  let deleting: Deleting
  let marks: Marks
  let readMarks: ReadMarks
  let outboxResolver: OutboxResolver
  let outgoing: Outgoing
  let batches: BatchStoring
  let greetings: Greetings

  init(
    _ connection: Connection, _ transaction: Transaction, _ memory: WriterMemory, _ lists: ListParts,
    _ posts: PostParts, _ undo: UndoLog, _ feeds: Feeds, _ reading: TimelineReading?
  ) {
    let ownership = ImportOwnership(
      connection, transaction, sources: lists.sources, authors: lists.authors, identities: memory.identities,
      outbox: posts.outbox, programs: memory.programs)
    gaps = Gaps(connection, transaction, lists.sources)
    let runs = ImportRuns(connection, transaction)
    importRemoval = ImportRemoval(
      connection, transaction, sources: lists.sources, listed: lists.listed, removal: posts.postRemoval, runs: runs,
      feeds: feeds)
    let logins = LoginPosts(connection, marks: posts.marks, filing: lists.filing, rows: posts.rows)
    let copies = ClaimedCopies(
      connection, rows: posts.rows, marks: posts.marks, listed: lists.listed, filing: lists.filing,
      removal: posts.postRemoval, outbox: posts.outbox)
    let conversations = RemoteConversations(connection, groups: lists.groups, identities: memory.identities)
    importing = Importing(
      connection, transaction, sources: lists.sources, authors: lists.authors, ownership: ownership, rows: posts.rows,
      filing: lists.filing, replies: posts.replies, outbox: posts.outbox, gaps: gaps,
      runs: runs, logins: logins, copies: copies, identities: memory.identities, conversations: conversations)
    batches = BatchStoring(
      connection, sources: lists.sources, authors: lists.authors, importing: importing, rows: posts.rows,
      listed: lists.listed, removal: posts.postRemoval, gaps: gaps, feeds: feeds, logins: logins,
      ownership: ownership, reading: reading)
    greetings = Greetings(connection, sources: lists.sources, programs: memory.programs, gaps: gaps)
    let audiences = ComposedAudience(
      connection, identities: memory.identities, sources: lists.sources, groups: lists.groups)
    composing = Composing(
      connection, transaction, sources: lists.sources, authors: lists.authors, audiences: audiences, rows: posts.rows,
      outbox: posts.outbox, undo: undo, conversations: conversations)
    editing = Editing(
      connection, identities: memory.identities, authors: lists.authors, listed: lists.listed, rows: posts.rows,
      marks: posts.marks, outbox: posts.outbox, undo: undo, conversations: conversations, sources: lists.sources)
    marks = Marks(connection, rows: posts.marks, outbox: posts.outbox, reposts: posts.reposts, undo: undo)
    readMarks = ReadMarks(connection, rows: posts.marks, undo: undo)
    let confirmation = OutboxConfirmation(
      connection, transaction, sources: lists.sources, rows: posts.rows, listed: lists.listed, filing: lists.filing,
      replies: posts.replies, removal: posts.postRemoval, reposts: posts.reposts)
    outboxResolver = OutboxResolver(
      connection, transaction, outbox: posts.outbox, listed: lists.listed, removal: posts.postRemoval,
      reposts: posts.reposts, confirmation: confirmation, rows: posts.rows)
    outgoing = Outgoing(
      connection, transaction, sources: lists.sources, outbox: posts.outbox, resolver: outboxResolver)
    deleting = Deleting(
      connection, identities: memory.identities, listed: lists.listed, removal: posts.postRemoval, outbox: posts.outbox,
      resolver: outboxResolver, reposts: posts.reposts, marks: marks, undo: undo)
  }
}
