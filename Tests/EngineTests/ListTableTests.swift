import Dates
import Posts
import Search
import TestSupport
import Testing
import ViewState

@testable import Engine

@Suite("List table")
struct ListTableTests {
  private static let account = EngineHarness.account
  private static let home = ListKey.home(account)

  private func table(_ limits: EngineLimits = EngineLimits()) -> ListTable {
    ListTable(limits: limits, fingerprint: Fingerprint(epoch: 7))
  }

  /// Creates a table with a timeline that has a view.
  private func watched() -> ListTable {
    var lists = table()
    let session = SessionKey(account: Self.account, name: "main")
    lists.use.setLists(of: session, to: [Self.home], insteadOf: [])
    lists.use.setViewed(session, true)
    lists.open(Self.home)
    return lists
  }

  private func page(_ ids: [Int64], isLast: Bool = true, total: Int? = nil, muteList: MuteList? = nil) -> ListPage {
    ListPage(
      posts: ids.map { EngineHarness.post($0) }, authors: [], revision: 1, total: total ?? ids.count, isLast: isLast,
      muteList: muteList)
  }

  private func rows(_ key: ListKey, _ lists: ListTable) -> [Int64] {
    guard var list = lists[key] else { return [] }
    return (0..<list.count).map { list.key(displayed: $0).id.rawValue }
  }

  @Test("an opened list loads its first page, then the next") func pages() throws {
    var lists = watched()
    let first = lists.takeLoads()
    #expect(first.map(\.load) == [.page(Self.home, before: nil, limit: EngineLimits().lists.firstSlice)])
    #expect(lists.takeLoads().isEmpty && !lists.isPresentable(Self.home))
    let seen = lists.receive(page([9, 8], isLast: false, total: 4), of: Self.home, missed: [])
    #expect(seen?.map(\.id.rawValue) == [9, 8] && rows(Self.home, lists) == [9, 8])
    #expect(lists.isPresentable(Self.home))
    lists.loadMore(Self.home)
    let second = lists.takeLoads()
    #expect(second.map(\.load) == [.page(Self.home, before: page([8]).posts[0].orderKey, limit: 2000)])
  }

  @Test("a reloaded list keeps its rows and ignores pages already under way") func restart() {
    var lists = watched()
    _ = lists.takeLoads()
    _ = lists.receive(page([9, 8]), of: Self.home, missed: [])
    lists.restart(Self.home)
    #expect(lists.takeLoads().count == 1 && rows(Self.home, lists) == [9, 8])
    lists.restart(Self.home)
    let stale = lists.receive(page([1]), of: Self.home, missed: [])
    #expect(stale == nil && rows(Self.home, lists) == [9, 8] && lists.takeLoads().count == 1)
    _ = lists.receive(page([9, 7]), of: Self.home, missed: [])
    #expect(rows(Self.home, lists) == [9, 7])
  }

  @Test("commits add and remove rows, including those missed during a load") func commits() {
    var lists = watched()
    var commit = CommittedPosts(revision: 2, new: [EngineHarness.post(10)])
    commit.changes.entered[.home(Self.account)] = [PostID(10)]
    let digest = DigestedCommit(commit)
    // Read before the commit, delivered after it.
    _ = lists.receive(page([9, 8]), of: Self.home, missed: [digest])
    #expect(rows(Self.home, lists) == [10, 9, 8])
    var gone = CommittedPosts(revision: 3)
    gone.changes.removed = [EngineHarness.post(9).orderKey]
    _ = lists.beginCommit(gone)
    lists.apply(DigestedCommit(gone))
    #expect(rows(Self.home, lists) == [10, 8] && lists.concerned == [Self.home])
  }

  @Test("a list is reloaded if commits it missed were forgotten") func forgotten() {
    var lists = watched()
    _ = lists.takeLoads()
    _ = lists.receive(page([9]), of: Self.home, missed: nil)
    #expect(lists.takeLoads().count == 1 && rows(Self.home, lists) == [9])
  }

  @Test("muted rows leave; after unmuting the list is reloaded") func muted() {
    var lists = watched()
    _ = lists.receive(page([9, 8]), of: Self.home, missed: [])
    _ = lists.takeLoads()
    var muteList = MuteList()
    muteList.muted = [AuthorID(1)]
    #expect(lists.setMuteList(muteList, of: Self.account, at: 2) != nil)
    #expect(rows(Self.home, lists) == [] && lists[Self.home]?.entryCount == 2 && lists.takeLoads().isEmpty)
    #expect(lists.setMuteList(muteList, of: Self.account, at: 3) == nil, "nothing new")
    #expect(lists.setMuteList(MuteList(), of: Self.account, at: 4) != nil)
    #expect(lists.takeLoads().count == 1)
  }

  @Test("unneeded lists are closed and reported") func unused() {
    var lists = watched()
    let mentions = ListKey.mentions(Self.account)
    lists.open(mentions)
    lists.dropUnused()
    #expect(lists[mentions] == nil && lists[Self.home] != nil && lists.takeClosed() == [mentions])
    lists.use.setViewed(SessionKey(account: Self.account, name: "main"), false)
    lists.dropUnused()
    #expect(lists[Self.home] != nil, "timelines that were used last are kept")
  }

  @Test("a post that is not visible to an account is never a row") func rowsOfOthers() {
    var lists = watched()
    var list = PostList(key: Self.home, limits: EngineLimits())
    list.replace(with: [EngineHarness.post(5, visibility: .followers, owner: AccountID(2))])
    let layout = LayoutKey(EngineHarness.layout(), paneWidth: 80)
    let row = lists.row(displayed: 0, of: &list, layout)
    #expect(row.content.fields.text == Array("This post is not visible to you.".utf8))
  }
}

@Suite("List use")
struct ListUseTests {
  private let home = ListKey.home(AccountID(1))
  private let list = ListKey.made(AccountID(1), ListID(3))
  private let session = SessionKey(account: AccountID(1), name: "work")

  private func waiting(_ number: UInt64) -> RowRequests.Waiting {
    let request = RowsRequest(account: AccountID(1), layout: EngineHarness.layout(), zone: .utc)
    return RowRequests.Waiting(token: RequestToken(number), request: request, list: list)
  }

  @Test("a session needs the lists of its panes while it has views") func shown() {
    var use = ListUse(limits: EngineLimits())
    use.setLists(of: session, to: [list], insteadOf: [])
    #expect(use.sessions(showing: list) == [session] && !use.isShown(list) && !use.isNeeded(list))
    use.setViewed(session, true)
    #expect(use.isShown(list) && use.isNeeded(list) && use.isWanted(list))
    use.setLists(of: session, to: [home], insteadOf: [list])
    #expect(!use.isShown(list) && use.isShown(home))
    use.setViewed(session, false)
    #expect(!use.isNeeded(home))
  }

  @Test("a list kept for requests loads more only while one waits") func requests() {
    var use = ListUse(limits: EngineLimits())
    #expect(!use.keepForRequests(list) && use.isNeeded(list) && !use.isWanted(list))
    let isWaiting = use.enqueue(waiting(1))
    #expect(isWaiting && use.isWanted(list) && use.isAwaited(list))
    use.noteAnswer(to: RequestToken(1))
    #expect(!use.isWanted(list) && use.isNeeded(list))
  }

  @Test("of lists kept for requests the oldest is dropped, unless a request waits for it") func limits() {
    var limits = EngineLimits()
    limits.lists.unshown = 2
    limits.lists.waitingRequests = 1
    var use = ListUse(limits: limits)
    _ = use.keepForRequests(list)
    let isWaiting = [use.enqueue(waiting(1)), use.enqueue(waiting(2))]
    #expect(isWaiting == [true, false])
    for number in 4...6 as ClosedRange<Int64> { _ = use.keepForRequests(.made(AccountID(1), ListID(number))) }
    #expect(use.isNeeded(list) && !use.isNeeded(.made(AccountID(1), ListID(4))))
    #expect(use.isNeeded(.made(AccountID(1), ListID(6))))
  }

  @Test("timelines are kept up to the limit") func homes() {
    var limits = EngineLimits()
    limits.lists.keptHomes = 2
    var use = ListUse(limits: limits)
    let isFull = (1...3).map { use.noteUse(of: .home(AccountID($0))) }
    #expect(isFull == [false, false, true])
    #expect(!use.isNeeded(.home(AccountID(1))) && use.isNeeded(.home(AccountID(3))))
  }
}

@Suite("Load table")
struct LoadTableTests {
  private func commit(_ revision: UInt64) -> DigestedCommit { DigestedCommit(CommittedPosts(revision: revision)) }

  @Test("each load has a number and ends once") func numbers() {
    var loads = LoadTable(limits: EngineLimits())
    let session = SessionKey(account: AccountID(1), name: "main")
    let first = loads.issue(.session(AccountID(1), "main"), for: .session(session), at: 3)
    let second = loads.issue(.sessions(AccountID(1)), for: .subject(session), at: 4)
    #expect(first != second && loads.isFinding(for: session))
    let ended = loads.end(second)
    #expect(ended?.revision == 4 && !loads.isFinding(for: session))
    let again = loads.end(second)
    #expect(again == nil)
  }

  @Test("commits are kept only while a load may lack them") func log() {
    var loads = LoadTable(limits: EngineLimits())
    loads.recordCommit(commit(2))
    #expect(loads.commits(after: 1)?.isEmpty == true, "nothing was under way")
    let id = loads.issue(.sessions(AccountID(1)), for: .navigation(AccountID(1)), at: 2)
    loads.recordCommit(commit(3))
    loads.recordCommit(commit(4))
    #expect(loads.commits(after: 3)?.map(\.commit.revision) == [4])
    _ = loads.end(id)
    loads.forgetSeenCommits()
    #expect(loads.commits(after: 2)?.isEmpty == true)
  }
}
