internal import CProtobufC
internal import ViewState
internal import WireProto

extension CArena {
  func navigation(_ navigation: Navigation) -> UnsafeMutablePointer<Stack__V1__NavigationChanged> {
    let message = unsafe make(stack__v1__navigation_changed__init)
    if let account = navigation.account { unsafe message.pointee.account = author(account) }
    unsafe message.pointee.n_rows = navigation.rows.count
    unsafe message.pointee.rows = pointers(navigation.rows) { row in
      let message = unsafe make(stack__v1__navigation_row__init)
      unsafe message.pointee.section = Stack__V1__Section(rawValue: UInt32(row.section.rawValue))
      unsafe message.pointee.label = string(row.label)
      unsafe message.pointee.icon = string(row.icon)
      unsafe message.pointee.news = UInt32(clamping: row.news)
      unsafe message.pointee.selected = row.isSelected ? 1 : 0
      return unsafe message
    }
    unsafe message.pointee.footer = string(navigation.footer)
    unsafe message.pointee.compact = navigation.isCompact ? 1 : 0
    unsafe message.pointee.width = UInt32(clamping: navigation.width)
    return unsafe message
  }

  func profile(_ profile: ProfileSummary) -> UnsafeMutablePointer<Stack__V1__Profile> {
    let message = unsafe make(stack__v1__profile__init)
    unsafe message.pointee.author = author(profile.author)
    unsafe message.pointee.posts = UInt64(clamping: profile.posts)
    unsafe message.pointee.followers = UInt64(clamping: profile.followers)
    unsafe message.pointee.following = UInt64(clamping: profile.following)
    unsafe message.pointee.followed = profile.isFollowed ? 1 : 0
    unsafe message.pointee.follows_me = profile.followsMe ? 1 : 0
    unsafe message.pointee.me = profile.isMe ? 1 : 0
    unsafe message.pointee.muted = profile.isMuted ? 1 : 0
    unsafe message.pointee.blocked = profile.isBlocked ? 1 : 0
    return unsafe message
  }
}

/// Reads a navigation pane; rows of sections this version does not know are skipped.
func readNavigation(_ message: Stack__V1__NavigationChanged) -> Navigation {
  var navigation = Navigation()
  if let account = unsafe message.account { navigation.account = unsafe readAuthor(account.pointee) }
  for index in unsafe 0..<message.n_rows {
    let row = unsafe message.rows[index]!.pointee
    guard let section = unsafe Section(rawValue: UInt8(truncatingIfNeeded: row.section.rawValue)) else { continue }
    var read = unsafe Navigation.Row(section: section, label: text(row.label), icon: text(row.icon))
    read.news = unsafe Int(row.news)
    read.isSelected = unsafe row.selected != 0
    navigation.rows.append(read)
  }
  navigation.footer = unsafe text(message.footer)
  navigation.isCompact = unsafe message.compact != 0
  navigation.width = unsafe Int(message.width)
  return navigation
}

/// Reads a profile; nil where there is none.
func readProfile(_ pointer: UnsafeMutablePointer<Stack__V1__Profile>?) -> ProfileSummary? {
  guard let message = unsafe pointer?.pointee, let author = unsafe message.author else { return nil }
  var profile = unsafe ProfileSummary(author: readAuthor(author.pointee))
  profile.posts = unsafe Int(clamping: message.posts)
  profile.followers = unsafe Int(clamping: message.followers)
  profile.following = unsafe Int(clamping: message.following)
  profile.isFollowed = unsafe message.followed != 0
  profile.followsMe = unsafe message.follows_me != 0
  profile.isMe = unsafe message.me != 0
  profile.isMuted = unsafe message.muted != 0
  profile.isBlocked = unsafe message.blocked != 0
  return profile
}
