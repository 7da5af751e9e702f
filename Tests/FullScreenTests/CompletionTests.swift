import FullScreen
import Messages
import Terminal
import Testing
import ViewState

@Suite("Completing values")
struct CompletionTests {
  private func palette(_ user: ScreenUser) throws -> Palette {
    guard case .palette(let palette)? = user.app.state.overlay else { throw Missing() }
    return palette
  }

  private func editor(_ user: ScreenUser) throws -> ComposeEditor {
    guard case .compose(let editor)? = user.app.state.overlay else { throw Missing() }
    return editor
  }

  @Test("the list scrolls with its highlight, and says where that is") func scrolling() throws {
    var user = ScreenUser.reading()
    user.type(":")
    let all = try palette(user).entries.count
    #expect(user.text().contains("1 of \(all)"))
    for _ in 0..<14 { user.key(.down) }
    #expect(user.text().contains("15 of \(all)"))
    guard case .command(let chosen) = try palette(user).entries[14] else { throw Missing() }
    #expect(user.text().contains("▸ \(chosen.name)"))
    #expect(!user.text().contains("search QUERY"), "the first has scrolled away")
  }

  @Test("summaries of commands line up") func columns() throws {
    var user = ScreenUser.reading()
    user.type(":list")
    let lines = Grid(user.app.picture(at: user.now)).lines.filter { $0.contains("list-") && $0.contains("LIST") }
    let columns = try lines.map { text in
      let summary = try #require(
        text.firstRange(
          of: text.contains("Add")
            ? "Add" : text.contains("Delete") ? "Delete" : text.contains("Rename") ? "Rename" : "Remove"))
      return text.distance(from: text.startIndex, to: summary.lowerBound)
    }
    #expect(columns.count >= 3 && Set(columns).count == 1)
  }

  @Test("no summary of a command is cut on a screen of 80 columns") func wholeSummaries() throws {
    var user = ScreenUser.reading(columns: 80)
    user.type(":")
    for entry in try palette(user).entries {
      guard case .command(let command) = entry else { throw Missing() }
      #expect(user.text().contains(command.summary), "\(command.name)")
      user.key(.down)
    }
  }

  @Test("themes are completed at once") func themes() throws {
    var user = ScreenUser.reading()
    user.type(":theme ")
    #expect(try palette(user).entries == [.value("dark"), .value("light"), .value("high-contrast")])
    user.key(.down)
    user.key(.enter)
    #expect(user.app.state.status.message == "Theme: light.")
    user.type(":theme hi")
    user.key(.tab)
    #expect(try palette(user).field.text == "theme high-contrast")
  }

  @Test("authors come from the rows that are held and from those whom the account follows, who are asked for once")
  func authors() throws {
    var user = ScreenUser.reading()
    user.type(":follow ")
    let call = try #require(user.calls(Method.listFollowing, as: FollowsRequest.self).first)
    #expect(try palette(user).entries == [.value("@ann")])
    var answer = FollowsResponse()
    answer.authors = [SampleView.author("Bertil", "bertil", id: 3), SampleView.author("Ann", "ann", id: 4)]
    user.answer(call.number, answer)
    #expect(try palette(user).entries == [.value("@ann"), .value("@bertil")])
    user.type("b")
    #expect(user.calls(Method.listFollowing, as: FollowsRequest.self).isEmpty)
    user.key(.tab)
    #expect(try palette(user).field.text == "follow @bertil")
  }

  @Test("lists, then authors, are completed for a command of both") func two() throws {
    var user = ScreenUser.reading()
    user.type(":list-add ")
    let call = try #require(user.calls(Method.listLists, as: PageRequest.self).first)
    var list = ListSummary()
    list.name = "harbour"
    var answer = ListListsResponse()
    answer.lists = [list]
    user.answer(call.number, answer)
    user.type("h")
    user.key(.tab)
    user.type(" ")
    #expect(try palette(user).field.text == "list-add harbour ")
    #expect(try palette(user).entries == [.value("@ann")])
  }

  @Test("files are listed folder by folder") func files() throws {
    var user = ScreenUser.reading()
    user.type(":import ")
    #expect(user.look() == [.listFiles("")])
    user.happens(.files(folder: "", names: [".git", "archive/", "posts.jsonl"]))
    #expect(try palette(user).entries == [.value("archive/"), .value("posts.jsonl")])
    user.type("a")
    user.key(.tab)
    #expect(user.look() == [.listFiles("archive/")])
    user.happens(.files(folder: "", names: ["late"]))
    user.happens(.files(folder: "archive/", names: ["data/"]))
    #expect(try palette(user).entries == [.value("archive/data/")])
  }

  @Test("Tab goes through the names that begin with what is written, and undo takes a completion back") func names()
    throws
  {
    var user = ScreenUser.reading()
    user.type("cHello @")
    let call = try #require(user.calls(Method.listFollowing, as: FollowsRequest.self).first)
    var answer = FollowsResponse()
    answer.authors = [SampleView.author("Anna", "anna", id: 3), SampleView.author("Bo", "bo", id: 4)]
    user.answer(call.number, answer)
    user.type("an")
    #expect(user.text().contains("▸@ann  @anna"))
    user.key(.tab)
    #expect(try editor(user).text == "Hello @ann ")
    user.key(.tab)
    #expect(try editor(user).text == "Hello @anna ")
    user.type("x")
    #expect(try editor(user).text == "Hello @anna x")
    #expect(!user.text().contains("▸@ann"))
    user.key(.tab)
    #expect(try editor(user).text == "Hello @anna x", "x is no name")
  }

  @Test("hashtags of the rows complete those that are written") func tags() throws {
    var user = ScreenUser.reading()
    var view = ScreenUser.view(0)
    view = SampleView(columns: 120, lines: 30)
    view.push(.timeline, "Timeline", SampleView.posts)
    user.show(view.snapshot)
    user.type("c#o")
    user.key(.tab)
    #expect(try editor(user).text == "#otter ")
  }
}
