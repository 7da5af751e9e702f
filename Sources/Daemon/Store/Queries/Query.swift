/// Every statement that is run more than once, prepared on first use and kept (``Connection/statement(_:)``).
///
/// All of the store's SQL is in this folder and in ``Schema``, but for what runs once in a while: the checks and copies
/// of `Upkeep`, and the tokens, read at the start. Parameters are numbered in the order of the arguments of the method
/// that binds them. A test asks SQLite for the plan of each: none may scan the posts.
enum Query: Int, CaseIterable {
  case begin, beginReading, commit, rollback
  case readMeta, saveMeta

  // Accounts and authors.
  case findSource, insertSource
  case findAuthor, insertAuthor, updateAuthor, author, authorByName, authorByHandle, authorOfAccount
  case accountByUID, accountByName, accountByAuthor, account, accounts, accountCount, insertAccount, setPostLimit
  case claimIdentity, identities, allIdentities, sourcesAbout
  case session, sessions, sessionCount, saveSession, savePlaces, renameSession, deleteSession
  case token, tokens, insertToken, deleteToken

  case draft, draftByRequest, drafts, insertDraft, updateDraft, deleteDraft

  // Posts.
  case findPost, insertPost, updatePost, updateAudience, updateReply, updateMarks, makeEntry, disconnectReplies,
    deletePost
  case updateBody, answeredBy, answerCount
  case findTarget, findTargetByAlias, hasAliases, waitingReplies, hasWaiting, nameOf, isEntry, repostsOf, authorOf
  case insertNative, insertAlias, deleteNative, deleteAliases
  case findRequest, insertRequest, forgetRequests
  case post, visiblePost, ancestors, descendants
  case exportPage, exportPost, aliasesOf, findReference, findReferenceByAlias

  // Gaps.
  case gaps, insertGap, deleteGap

  // Lists.
  case tally, authorTally, deleteTally, listCount
  case listedPost, listedReplies, listedForAudience, listedFromSource
  case placesOfAuthor, ownLists, listOfAccount, listOfCircle, directList, madeList, madeLists, listAuthors,
    madeListNumber
  case madeListCount, hasMadeList, knownListAuthors, isListAuthor, listAuthorCount, insertList, renameList, deleteList
  case deleteListEntries, deleteListAuthors, insertListAuthor, deleteListAuthor
  case entry, ownEntries, newestEntries, insertEntry, updateEntry, deleteEntry, fileAuthor, unfileAuthor,
    deleteUnreasoned
  case authorEntries, page, authorPage, authorCount, isKnownAuthor
  case markSeen, seen, unseen
  case followerCircle, followerCircles, leader, conversationCircle, insertCircle, insertMember, deleteMember, members,
    isMember
  case followers, followerCount, isFollowed

  // What accounts did.
  case journal, insertStep, lastDone, firstUndone, step, setStep, stepCount, forgetUndone, forgetSteps, forgetTrash
  case listName, insertListAgain, sourceName
  case throwAway, trash, trashedAliases, trashedImporters, emptyTrash, isNameTaken

  // What accounts do not want to see.
  case quietAuthors, isQuietAuthor, quietAuthorCount, insertQuietAuthor, deleteQuietAuthor
  case quietWords, quietWordCount, insertQuietWord, deleteQuietWord

  // The index of words.
  case searchedPost, searchKey, lastSearchKey, insertSearchKey, deleteSearchKey, insertSearched, deleteSearched,
    mergeSearch
  case hasOverflow, searchHits, searchOverflow, searchCount, searchCountWhole, authorsCalled, audiencesOf

  // What is wanted of sources elsewhere.
  case outboxOfPost, outboxOfAccount, outboxCount, outboxWaiting, outboxAsked, outboxPost, insertOutbox, deleteOutbox
  case outboxNumber, saveOutboxNumber, adoptPost, adoptReplies, moveRepost, ownAuthorIn, toldPost

  /// Its text.
  var sql: String {
    accountSQL ?? postSQL ?? gapSQL ?? listSQL ?? stepSQL ?? searchSQL ?? outboxSQL ?? quietSQL ?? ""
  }

  /// Whether the account that is parameter `account` may see the post `table`: the one thing that every query asks.
  static func visible(_ table: String, to account: String) -> String {
    "EXISTS (SELECT 1 FROM members m WHERE m.account_id = \(account) AND m.audience = \(table).audience)"
  }

  /// What ``StoreReader`` makes a ``StoredPost`` of: the entry `p` and, where it is a repost, its original `o`.
  static let shown = """
    SELECT p.id, p.created_at, p.author_id, p.owner_id, p.audience, p.repost_of, p.reply_to, p.body,
      o.author_id, o.reply_to, o.body, coalesce(o.marks, p.marks)
    """
  static let original = "LEFT JOIN posts o ON o.id = p.repost_of"
}
