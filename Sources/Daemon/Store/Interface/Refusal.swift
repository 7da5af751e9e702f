public import Posts
internal import ViewState

/// The reason for refusing a write. Failures of the disk are ``StoreError``.
public enum Refusal: Error, Equatable, Sendable {
  /// The post does not exist or the account may not see it; both look the same, so that nothing leaks.
  case noSuchPost(PostID)
  /// No account has this ID.
  case noSuchAccount(AccountID)
  /// No post of the author has been imported, or the author is another account's own.
  case noSuchAuthor(source: String, nativeID: String)
  /// Another account has claimed the author.
  case claimed(by: String)
  /// The account has no draft with this ID.
  case noSuchDraft(Int64)
  /// The account has no session with this name.
  case noSuchSession(String)
  /// The author does not exist or the account cannot see anything of theirs.
  case noAuthor(AuthorID)
  /// The account has no list with this ID.
  case noSuchList(ListID)
  /// The account has no token with this ID.
  case noSuchToken(Int64)
  /// A value exceeds a limit of ``StoreLimits``: which one, and the limit in bytes.
  case tooLong(String, limit: Int)
  /// A post above the limit, both in the units of its source.
  case postTooLong(Int, limit: Int)
  /// A count has reached a limit of ``StoreLimits``: which one, and the limit.
  case tooMany(String, limit: Int)
  /// The name is empty.
  case emptyName
  /// The name is taken.
  case nameTaken(String)
  /// The name has characters that an account's name may not have.
  case unusableName(String)
  /// A direct post mentions no other account.
  case namesNobody
  /// A direct post mentions a name that no account has.
  case noSuchRecipient(String)
  /// A direct reply mentions an account, by name, but only the author may see its parent.
  case answersPrivate(String)
  /// A direct reply mentions an account, by name, that may not see its parent.
  case answersFewer(String)
  /// The account may not delete the post.
  case notOwn(PostID)
  /// The post limit is out of range.
  case unusableLimit(Int)
  /// The account may not edit the post.
  case notOwnText(PostID)
  /// The post is the account's own but was imported, so its source decides its text.
  case notWrittenHere(PostID)
  /// The post is not public or unlisted, so it cannot be reposted.
  case notForEverybody(PostID)
  /// The post is a notice, which nobody has written: it can be neither favourited nor replied to.
  case isNotice(PostID)
  /// There is nothing to undo, or to redo.
  case nothingToUndo(isRedo: Bool)
  /// An earlier command with the same request ID could not undo or redo the entry; the reason is not remembered.
  case passedOver
  /// A deleted post cannot come back because a post with its name exists.
  case isThereAgain(PostID)
  /// An account cannot follow itself: its own posts are in its timeline anyway.
  case ownAuthor
  /// The source has no upstream program.
  case noUpstream(String)
  /// The upstream program of the source carries out no posts.
  case takesNoPosts(String)
  /// The parent of a reply is from another source than the reply.
  case answersElsewhere(PostID, source: String)
  /// A post that stays on this daemon has files.
  case mediaHere
  /// The program of a source takes no files for posts.
  case mediaElsewhere(source: String)
  /// A server has the files of a post by another login than the post's.
  case mediaOfOtherLogin
  /// A direct post cannot go to another source.
  case directElsewhere(source: String)
  /// The account has no login at the source, which a direct post needs.
  case noLogin(source: String)
  /// No action of the account on the post has failed.
  case nothingFailed(PostID)
  /// The account has no such import.
  case noSuchImport(Int64)
  /// The account follows no feed with this ID.
  case noSuchFeed(Int64)
  /// Another account added the feed first.
  case notOwnFeed(Int64)
  /// An address with a user name or password, or of this machine or its network, for a feed that others may follow.
  case secretAddress(Int64)
  /// Another feed has the address.
  case feedTaken(Int64)
  /// An interval in minutes at which no feed may be asked.
  case unusableInterval(Int)
  /// Posts written here, and those of a source without a program, are kept.
  case keptAlways
  /// A number of days or posts that no rule may name.
  case unusableRule
  /// A size that no store may be limited to.
  case unusableSize
  /// A program does not speak for this login or feed.
  case unknownSubject(UpstreamSubject)
  /// Another account has signed this login in.
  case loginTaken(String)
  /// No post is from this source.
  case unknownSource(String)
  /// Posts of this source were written here.
  case sourceOfHere
  /// No action of the account on the post waits for its source or has failed.
  case nothingWaits(PostID)
  /// An account cannot mute or block itself.
  case quietAboutOneself
  /// The account blocks the author that it wants to follow.
  case blocked
  /// The author blocks the account; the message does not say so.
  case notToBeFollowed
  /// The account has as many open requests to follow others as it may have.
  case tooManyRequests
  /// The author, by handle, has not asked to follow the account.
  case notAsked(String)
  /// The author, by handle, does not follow the account.
  case notFollower(String)

  /// True if the same command may succeed later, when there is room.
  var isAboutRoom: Bool {
    switch self {
    case .tooMany, .tooManyRequests: true
    default: false
    }
  }
}

extension Refusal: CustomStringConvertible {
  /// One line for the user.
  public var description: String {
    switch self {
    case .noSuchPost(let id): "there is no post \(id.rawValue)"
    case .noSuchAccount(let id): "there is no account \(id.rawValue)"
    case .noSuchAuthor(let source, let nativeID):
      "there is no author \("\(source):\(nativeID)".shortened); import one of their posts first"
    case .claimed(let name): "\(name.shortened) has already claimed this author"
    case .noSuchDraft(let id): "there is no draft \(id)"
    case .noSuchSession(let name): "there is no session \(name.shortened)"
    case .noAuthor(let id): "there is no author \(id.rawValue)"
    case .noSuchList(let id): "there is no list \(id.rawValue)"
    case .noSuchToken(let id): "there is no token \(id)"
    case .postTooLong(let length, let limit): "too long by \(length - limit): \(length) of \(limit) characters"
    case .tooLong(let what, let limit): "\(what) is longer than \(limit) bytes"
    case .tooMany(let what, let limit): "too many \(what): the limit is \(limit)"
    case .emptyName: "a name may not be empty"
    case .nameTaken(let name): "the name \(name.shortened) is taken; choose another"
    case .unusableName(let name): Self.unusable(name)
    case .namesNobody: "a direct post needs a recipient; mention one with @"
    case .noSuchRecipient(let name):
      "there is no account \(name.shortened) here: a direct post can only mention accounts of this daemon"
    case .answersPrivate(let name):
      "only you can see the post you are replying to; write to \(name.shortened) in a new direct post"
    case .answersFewer(let name):
      "\(name.shortened) cannot see the post you are replying to; write to \(name.shortened) in a new direct post"
    case .notOwn(let id): "post \(id.rawValue) is not yours: you can only delete your own posts"
    case .unusableLimit(let limit): "the limit of a post must be 1 to \(StoreLimits.postLimit), not \(limit)"
    case .notOwnText(let id): "post \(id.rawValue) is not yours: you can only edit your own posts"
    case .notWrittenHere(let id):
      "post \(id.rawValue) was not written here and can only be edited at its source"
    case .notForEverybody(let id): "post \(id.rawValue) is not public and cannot be reposted"
    case .isNotice(let id): "post \(id.rawValue) is a notice: it cannot be favourited, reposted or replied to"
    case .nothingToUndo(let isRedo): isRedo ? "there is nothing to redo" : "there is nothing to undo"
    case .passedOver: "an earlier attempt failed"
    case .isThereAgain(let id): "post \(id.rawValue) has been imported again"
    case .noUpstream(let name):
      "the source \(name.shortened) has no upstream program; start the daemon with --upstream \(name.shortened)=COMMAND"
    case .takesNoPosts(let name): "the source \(name.shortened) takes no posts"
    case .answersElsewhere(let id, let source):
      "post \(id.rawValue) is not from \(source.shortened): a reply goes to the source of the post it replies to"
    case .mediaHere:
      "this daemon keeps no files: name a source that has them, such as --source mastodon, or link to them in the text"
    case .mediaElsewhere(let source):
      "files cannot be sent to \(source.shortened): its program does not support them"
    case .mediaOfOtherLogin: "the post goes by another login than its files; send them again"
    case .directElsewhere(let source):
      "direct posts cannot be sent to \(source.shortened): its program does not support them"
    case .noLogin(let source): "a direct post needs a login, and you have none at \(source.shortened)"
    case .nothingFailed(let id):
      "nothing you did to post \(id.rawValue) has failed; what still waits is given up with --pending"
    case .noSuchImport(let number): "there is no import \(number)"
    case .noSuchFeed(let id): "there is no feed f\(id)"
    case .notOwnFeed(let id): "feed f\(id) was added by another account, which alone can change it"
    case .secretAddress(let id):
      "feed f\(id) is shared, and the address is not for all who may follow it; add it as a feed of its own"
    case .feedTaken(let id): "feed f\(id) has this address already"
    case .unusableInterval(let minutes):
      "an interval must be \(StoreLimits.feedIntervals.lowerBound) to \(StoreLimits.feedIntervals.upperBound) minutes, "
        + "not \(minutes)"
    case .unknownSubject(.login(let name)): "there is no login \(name.shortened)"
    case .unknownSubject(.feed(let name)): "there is no feed \(name.shortened)"
    case .loginTaken(let name): "\(name.shortened) is signed in for another account of this daemon"
    case .unknownSource(let name): "there are no posts of source \(name.shortened)"
    case .keptAlways: "only what programs bring can have a limit; what was written here or imported stays"
    case .unusableRule:
      "choose 1 to \(SharedLimits.keptDays.upperBound) days, or 1 to \(SharedLimits.keptPosts.upperBound) posts"
    case .unusableSize: "the limit of the store must be at least \(StoreSize.limits.lowerBound >> 20) MiB"
    case .sourceOfHere:
      "posts of source \(LocalSource.name) were written here: take back the import that brought others"
    case .nothingWaits(let id): "nothing you did to post \(id.rawValue) waits for its source or has failed"
    case .ownAuthor: "that is you: your own posts are always in your timeline"
    case .quietAboutOneself: "that is you: you cannot mute or block yourself"
    case .blocked: "you have blocked this author; unblock them first, then follow them"
    case .notToBeFollowed: "this author cannot be followed"
    case .tooManyRequests:
      "too many open requests to follow: the limit is \(StoreLimits.followRequests); unfollow withdraws one"
    case .notAsked(let handle): "\(handle.shortened) has not asked to follow you"
    case .notFollower(let handle): "\(handle.shortened) does not follow you"
    }
  }

  private static func unusable(_ name: String) -> String {
    let usable = AccountName.usable(name)
    let advice = "an account's name may only have letters, digits and \"_\""
    return "\(name.shortened) cannot be named with @: \(advice)" + (usable.isEmpty ? "" : ", as in \(usable)")
  }
}

extension Refusal {
  /// Throws if a name is empty or longer than `limit` bytes; `what` names it in the message.
  static func checkName(_ name: String, _ what: String, limit: Int) throws(Refusal) {
    if name.isEmpty { throw .emptyName }
    if name.utf8.count > limit { throw .tooLong(what, limit: limit) }
  }
}
