/// The features about accounts, authors and lists.
struct AccountFeatures {
  let following: Following
  let followers: Followers
  let mutes: Mutes
  let lists: MadeLists
  let identityClaims: IdentityClaims
  let accounts: Accounts
  let seen: SeenMarks
  let sessions: Sessions
  let tokens: Tokens
  let drafts: Drafts
  let feeds: Feeds

  init(
    _ connection: Connection, _ transaction: Transaction, _ memory: WriterMemory, _ parts: ListParts,
    _ posts: PostParts, _ undo: UndoLog
  ) {
    let muteRows = MuteRows(connection, transaction, memory.identities)
    let retainedPosts = RetainedPosts(
      transaction, groups: parts.groups, lists: memory.lists, listed: parts.listed, rows: posts.rows)
    let requests = FollowRequests(connection, transaction)
    following = Following(
      connection, transaction, authors: parts.authors, lookup: memory.lists, rows: parts.rows, groups: parts.groups,
      mutes: muteRows, requests: requests, feedAuthors: memory.feedAuthors, filing: parts.filing,
      authorFiling: parts.authorFiling,
      retainedPosts: retainedPosts, undo: undo)
    followers = Followers(connection, requests: requests, following: following, undo: undo)
    mutes = Mutes(
      connection, rows: muteRows, messages: parts.messages, following: following, requests: requests, undo: undo)
    lists = MadeLists(
      connection, transaction, lookup: memory.lists, rows: parts.rows, tallies: parts.entryTallies,
      filing: parts.authorFiling, undo: undo)
    identityClaims = IdentityClaims(
      connection, transaction, identities: memory.identities, renames: parts.renamedAccounts, lists: memory.lists,
      mutes: muteRows, filing: parts.authorFiling)
    accounts = Accounts(
      connection, transaction, sources: parts.sources, authors: parts.authors, identities: memory.identities,
      groups: parts.groups, lists: parts.rows, claims: identityClaims, following: following,
      feedAuthors: memory.feedAuthors)
    seen = SeenMarks(connection, transaction)
    sessions = Sessions(connection, transaction)
    tokens = Tokens(connection, transaction)
    drafts = Drafts(connection)
    feeds = Feeds(
      connection, transaction, sources: parts.sources, authors: parts.authors, feedAuthors: memory.feedAuthors,
      following: following, filing: parts.filing, twins: parts.twins)
  }
}
