import FullScreen
import Testing
import ViewState

@Suite("Notifications")
struct NotifyTests {
  private func errors(_ text: String) -> [ConfigurationError] {
    do {
      _ = try NotifySettings(parsing: Array(text.utf8))
      return []
    } catch { return error.errors }
  }

  /// Shows a view in which sections have these unseen counts. At the start they are 12 and 3.
  private func show(_ user: inout ScreenUser, mentions: Int, messages: Int = 3) {
    var view = user.shown
    for index in view.navigation.rows.indices {
      switch view.navigation.rows[index].section {
      case .mentions: view.navigation.rows[index].unseen = mentions
      case .messages: view.navigation.rows[index].unseen = messages
      default: break
      }
    }
    user.show(view)
  }

  /// Lets time pass, with the ticks that the app asks for, and returns what it announces.
  private func wait(_ user: inout ScreenUser, _ milliseconds: Int64) -> [String] {
    let end = user.now + milliseconds
    while let next = user.app.nextTick, next <= end {
      user.now = max(user.now, next)
      user.happens(.tick)
    }
    user.now = end
    return user.look().compactMap { if case .notify(let text) = $0 { text } else { nil } }
  }

  @Test("what arrives is announced once, after two seconds") func news() {
    var user = ScreenUser.reading()
    show(&user, mentions: 13)
    #expect(wait(&user, 1_900) == [])
    #expect(wait(&user, 200) == ["1 new mention"])
    #expect(wait(&user, 60_000) == [])
    show(&user, mentions: 16, messages: 4)
    #expect(wait(&user, 3_000) == ["2 new mentions, 1 new message"])
    show(&user, mentions: 17, messages: 5)
    #expect(wait(&user, 3_000) == ["1 new message"], "a message is among the mentions, and told once")
  }

  @Test("what is read meanwhile is not announced, and neither is what was there at the start") func read() {
    var user = ScreenUser()
    user.happens(.connected)
    var view = ScreenUser.view(5).snapshot
    if let index = view.navigation.rows.firstIndex(where: { $0.section == .mentions }) {
      view.navigation.rows[index].unseen = 7
    }
    user.show(view, isFirst: true)
    #expect(wait(&user, 5_000) == [])
    show(&user, mentions: 9)
    show(&user, mentions: 0)
    #expect(wait(&user, 5_000) == [])
    show(&user, mentions: 1)
    #expect(wait(&user, 5_000) == ["1 new mention"])
  }

  @Test("quiet hours drop what arrives in them", arguments: [("22:00-07:30", true), ("07:31-21:59", false)])
  func quiet(hours: String, isQuiet: Bool) throws {
    let settings = try NotifySettings(parsing: Array("[notify]\nquiet = \"\(hours)\"\n".utf8))
    // 1970-01-01 02:16 in a zone one hour ahead.
    var user = ScreenUser.reading {
      $0.notify = settings
      $0.clock.wallOffset = 3_600_000
      $0.clock.localOffset = 3_600
    }
    show(&user, mentions: 13)
    #expect(wait(&user, 5_000) == (isQuiet ? [] : ["1 new mention"]))
    #expect(wait(&user, 60_000) == [])
  }

  @Test("mentions can be switched off") func sections() throws {
    let settings = try NotifySettings(parsing: Array("[notify]\nmentions = false\n".utf8))
    var user = ScreenUser.reading { $0.notify = settings }
    show(&user, mentions: 13)
    #expect(wait(&user, 5_000) == [])
    show(&user, mentions: 15, messages: 5)
    #expect(wait(&user, 5_000) == ["2 new messages"])
  }

  @Test("the file") func file() throws {
    let text = """
      [notify]
      by = ["osc-9", "bell"]         # in this order
      command = ["notify-send", "-a", "Stack"]
      mentions = false
      quiet = "23:00-06:00"
      """
    let settings = try NotifySettings(parsing: Array(text.utf8))
    #expect(settings.methods == [.osc9, .bell])
    #expect(settings.command == ["notify-send", "-a", "Stack"])
    #expect(!settings.hasMentions)
    #expect(settings.quietHours != nil)
    #expect(try NotifySettings(parsing: []) == NotifySettings())
    #expect(NotifySettings().methods == [.bell])
  }

  @Test(
    "errors are reported with their lines",
    arguments: [
      ("by = \"bell\"", 1, "\"by\" must follow [notify]"),
      ("[notify]\nby = \"bell\"", 2, #""by" is a list of "bell", "osc-9", "osc-777", "osc-99""#),
      ("[notify]\nby = [\"bel\"]", 2, #""by" is a list of "bell", "osc-9", "osc-777", "osc-99""#),
      ("[notify]\n\nquiet = \"22-7\"", 3, #""quiet" is a time of day, such as "22:00-07:30""#),
      ("[notify]\nquiet = \"22:00-24:00\"", 2, #""quiet" is a time of day, such as "22:00-07:30""#),
      ("[notify]\nmention = true", 2, #"unknown setting "mention"; did you mean "mentions"?"#),
      ("[notify]\nmentions = 1", 2, "\"mentions\" cannot be a number"),
      (
        "[notify]\ncommand = \"notify-send\"", 2,
        "\"command\" is a list: a program and its arguments, each in quotation marks"
      ),
      ("[nottify]", 1, "unknown section [nottify]; use [notify]"),
    ])
  func wrong(text: String, line: Int, message: String) {
    #expect(errors(text).map(\.line) == [line])
    #expect(errors(text).map(\.message) == [message])
  }
}
