internal import Posts

/// The kinds of lists; the numbers are those of the column `lists.kind`.
enum ListKind: Int64, Bindable {
  case home = 1
  case mentions = 2
  case messages = 3
  /// All posts of a direct conversation.
  case direct = 4
  case made = 5
}

/// Why a post is in a home list or a made one; 0 in the others, which have one reason only.
struct Reason: OptionSet, Bindable {
  let rawValue: Int64
  /// The account wrote it, imported it first, or is its author by another name.
  static let own = Reason(rawValue: 1)
  /// Its author, or who reposted it, is followed or in the list.
  static let author = Reason(rawValue: 2)
  /// The account imported it too, after another one had. Only the entry says so.
  static let imported = Reason(rawValue: 4)
}

/// A list, and why a post is to be in it.
struct Place {
  /// The column `lists.id`.
  var list: Int64
  var name: ListName
  /// Who reads it; nil where all people of a circle do.
  var account: AccountID?
  var reason: Reason
}

/// The three lists that every account has.
struct OwnLists {
  var home: Int64 = 0
  var mentions: Int64 = 0
  var messages: Int64 = 0
}
