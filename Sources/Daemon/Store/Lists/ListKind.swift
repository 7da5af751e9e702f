internal import Posts

/// The kinds of lists; raw values are those of the column `lists.kind`.
enum ListKind: Int64, Bindable {
  case home = 1
  case mentions = 2
  case messages = 3
  /// All posts of a direct conversation.
  case direct = 4
  case made = 5
}

/// The reasons for which a post is in a list; 0 for what follows from the post itself.
struct Reason: OptionSet, Bindable {
  let rawValue: Int64
  /// The account wrote it, imported it first, or has claimed its author.
  static let own = Reason(rawValue: 1)
  /// Its author or reposter is followed, or is in the list.
  static let author = Reason(rawValue: 2)
  /// The account imported it after another one had, or a server has it in that list of a login. Only the entry records
  /// this.
  static let imported = Reason(rawValue: 4)
}

/// A list, and the reason for which a post belongs to it.
struct Place {
  /// The column `lists.id`.
  var list: Int64
  var name: ListName
  /// The list's reader; nil if all members of an audience group are.
  var account: AccountID?
  var reason: Reason
}

/// The three lists of every account.
struct OwnLists {
  var home: Int64 = 0
  var mentions: Int64 = 0
  var messages: Int64 = 0
}
