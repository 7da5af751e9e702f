internal import ClientCore
internal import ViewState

/// Decides when new mentions and direct messages are announced outside of the screen.
///
/// What is read within ``delay``, here or on another screen, is not announced, and neither is what was there when the
/// program started. The daemon counts what no screen has shown; a count that rises is news. A direct message is among
/// the mentions, too, since it names its readers: it is announced once, as a message.
struct Notifier {
  /// The time for which news waits, in milliseconds: whoever reads it meanwhile needs no notification.
  static let delay: Int64 = 2_000

  /// News of a section.
  struct News: Equatable {
    let section: Section
    let count: Int
  }

  private let settings: NotifySettings
  /// The unseen posts of each section that have been announced or were there at the start.
  private var announced: [Section: Int] = [:]
  private var unseen: [Section: Int] = [:]
  /// The time at which the news is announced; nil if there is none.
  private(set) var due: Int64?

  init(_ settings: NotifySettings) { self.settings = settings }

  /// Takes note of the counts of a frame.
  mutating func update(_ navigation: Navigation, at now: Int64) {
    for row in navigation.rows where [.mentions, .messages].contains(row.section) {
      unseen[row.section] = row.unseen
      // What was seen can be news again only when more comes.
      announced[row.section] = min(announced[row.section] ?? row.unseen, row.unseen)
    }
    if news.isEmpty { due = nil } else if due == nil { due = now + Self.delay }
  }

  /// Returns the news to announce, if its time has come. During quiet hours it is dropped.
  ///
  /// - Parameter minute: the minute of the day, in local time.
  mutating func takeDue(at now: Int64, minute: Int) -> [News] {
    guard let due, now >= due else { return [] }
    let news = self.news
    self.due = nil
    announced = unseen
    return settings.quietHours?.contains(minute) == true ? [] : news
  }

  private var news: [News] {
    let messages = rise(of: .messages)
    let mentions = settings.hasMentions ? rise(of: .mentions) - messages : 0
    return [News(section: .mentions, count: mentions), News(section: .messages, count: messages)].filter {
      $0.count > 0
    }
  }

  /// Returns how many unseen posts of a section have not been announced.
  private func rise(of section: Section) -> Int {
    (unseen[section] ?? 0) - (announced[section] ?? 0)
  }

  /// Returns the sentence for news.
  static func sentence(_ news: [News]) -> String {
    news.map { news in
      news.section == .mentions
        ? NumberText.count(news.count, "new mention", "new mentions")
        : NumberText.count(news.count, "new message", "new messages")
    }.joined(separator: ", ")
  }
}
