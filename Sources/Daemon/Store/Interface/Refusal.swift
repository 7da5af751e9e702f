public import Posts

/// Why a write was not done, through no fault of the disk.
public enum Refusal: Error, Equatable, Sendable {
  /// There is none, or the account may not see it: no difference is made, so that nothing is given away.
  case noSuchPost(PostID)
  /// No account has this number.
  case noSuchAccount(AccountID)
  /// Nothing of theirs has been imported, or it is another account's own author.
  case noSuchAuthor(source: String, nativeID: String)
  /// The author is another account's already.
  case claimed(by: String)
  /// The account has no draft of this number.
  case noSuchDraft(Int64)
  /// The account has no session of this name.
  case noSuchSession(String)
  /// There is none with this number of whom the account can see anything.
  case noAuthor(AuthorID)
  /// The account has made no list of this number.
  case noSuchList(ListID)
  /// The account has no token of this number.
  case noSuchToken(Int64)
  /// Longer than ``StoreLimits`` allows; which, and how many bytes it may have.
  case tooLong(String, limit: Int)
  /// As many as ``StoreLimits`` allows are there; of what, and how many.
  case tooMany(String, limit: Int)
  /// Names may not be empty.
  case emptyName
  /// Something of its kind is called so.
  case nameTaken(String)
  /// It has other characters than an account's name may have.
  case unusableName(String)
  /// A direct post is for nobody but its author.
  case namesNobody
  /// A direct post is for somebody who has no account here.
  case noSuchRecipient(String)
  /// A direct post is for somebody too, by name, but answers what its author alone may see.
  case answersPrivate(String)
  /// A direct post is for somebody, by name, who may not see what it answers.
  case answersFewer(String)
  /// The post is there, but is not the account's to delete.
  case notOwn(PostID)
  /// Posts of such a length there may not be.
  case unusableLimit(Int)
  /// The post is there, but is not the account's to edit.
  case notOwnText(PostID)
  /// The post is the account's own, but was brought in by an import: it says what its source says.
  case notWrittenHere(PostID)
  /// What is for few is not passed on.
  case notForEverybody(PostID)
  /// There is nothing to take back, or nothing to do again.
  case nothingToUndo(isRedo: Bool)
  /// The same command found that a step cannot be taken back or done again; which is all that is remembered.
  case passedOver
  /// A post cannot come back: one of its name is there.
  case isThereAgain(PostID)
  /// Nobody follows themselves: own posts are in the timeline anyway.
  case ownAuthor
  /// Nobody is told what is done here to posts of this source.
  case noUpstream(String)
  /// What it answers is not of the source it is for.
  case answersElsewhere(PostID, source: String)
  /// A direct post is for accounts of this daemon.
  case directElsewhere(source: String)
  /// Nothing that the account wants for the post was refused.
  case nothingFailed(PostID)
  /// Nobody mutes or blocks themselves.
  case quietAboutOneself
  /// The account blocks whom it wants to follow.
  case blocked
  /// The account is blocked by whom it wants to follow, and is not told so.
  case notToBeFollowed
}

extension Refusal: CustomStringConvertible {
  /// One line for the user.
  public var description: String {
    switch self {
    case .noSuchPost(let id): "there is no post \(id.rawValue)"
    case .noSuchAccount(let id): "there is no account \(id.rawValue)"
    case .noSuchAuthor(let source, let nativeID):
      "there is no author \("\(source):\(nativeID)".shortened): import something of theirs first"
    case .claimed(let name): "these are the posts of \(name.shortened), who has said so before"
    case .noSuchDraft(let id): "there is no draft \(id)"
    case .noSuchSession(let name): "there is no session \(name.shortened)"
    case .noAuthor(let id): "there is no author \(id.rawValue)"
    case .noSuchList(let id): "there is no list \(id.rawValue)"
    case .noSuchToken(let id): "there is no token \(id)"
    case .tooLong(let what, let limit): "\(what) is longer than \(limit) bytes"
    case .tooMany(let what, let limit): "there may be at most \(limit) \(what), and there would be more"
    case .emptyName: "a name may not be empty"
    case .nameTaken(let name): "the name \(name.shortened) is taken: choose another"
    case .unusableName(let name): Self.unusable(name)
    case .namesNobody: "a direct post is for those whom it names: write @ and the name of an account of this daemon"
    case .noSuchRecipient(let name):
      "there is no account \(name.shortened) here to read a direct post: name accounts of this daemon only"
    case .answersPrivate(let name):
      "what it answers is for you alone, so \(name.shortened) cannot be told: write to \(name.shortened) in a post of its own"
    case .answersFewer(let name):
      "what it answers is not for \(name.shortened), and an answer is never for more: write to \(name.shortened) in a new direct post"
    case .notOwn(let id): "post \(id.rawValue) is not yours: only what you wrote can be deleted"
    case .unusableLimit(let limit): "the limit of a post may be 1 to \(StoreLimits.postLimit), and not \(limit)"
    case .notOwnText(let id): "post \(id.rawValue) is not yours: only what you wrote can be edited"
    case .notWrittenHere(let id):
      "post \(id.rawValue) belongs to a source elsewhere, and what that says would undo an edit: edit it there"
    case .notForEverybody(let id): "post \(id.rawValue) is not for everybody: it cannot be reposted"
    case .nothingToUndo(let isRedo): isRedo ? "there is nothing to do again" : "there is nothing to undo"
    case .passedOver: "this was found before"
    case .isThereAgain(let id): "post \(id.rawValue) has been imported again"
    case .noUpstream(let name):
      "no program speaks for the source \(name.shortened): start the daemon with --upstream \(name.shortened)=COMMAND"
    case .answersElsewhere(let id, let source):
      "post \(id.rawValue) is not of \(source.shortened): an answer goes where the post is that it answers"
    case .directElsewhere(let source):
      "a direct post is for accounts of this daemon: it cannot go to \(source.shortened)"
    case .nothingFailed(let id): "nothing that you did to post \(id.rawValue) has failed"
    case .ownAuthor: "that is you: your own posts are in your timeline anyway"
    case .quietAboutOneself: "that is you: nobody mutes or blocks themselves"
    case .blocked: "you have blocked them: unblock them first, then follow them"
    case .notToBeFollowed: "they cannot be followed"
    }
  }

  private static func unusable(_ name: String) -> String {
    let usable = AccountName.usable(name)
    let advice = "an account's name has letters, digits and \"_\" only"
    return "\(name.shortened) cannot be named with @: \(advice)" + (usable.isEmpty ? "" : ", as in \(usable)")
  }
}

extension Refusal {
  /// Refuses a name that is empty or too long; `what` says whose it is.
  static func checkName(_ name: String, _ what: String, limit: Int) throws(Refusal) {
    if name.isEmpty { throw .emptyName }
    if name.utf8.count > limit { throw .tooLong(what, limit: limit) }
  }
}
