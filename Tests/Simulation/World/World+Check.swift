import Messages
import Posts
import RPC
import Store
import ViewState

extension World {
  /// How often mirrors are looked at again: a label may read differently in the very moment.
  private static let looks = 5

  /// Holds a world that is quiet to its promises.
  func check() {
    checkStore()
    deeds.check()
    checkRows()
    pushEverywhere()
    checkMirrors()
  }

  // MARK: The store

  /// Nothing that was answered is lost, nothing is there twice, nothing is there that nobody asked for.
  private func checkStore() {
    do {
      let reader = try StoreReader(path: "posts.db", vfs: vfs.name)
      let findings = try PostStore(path: "posts.db", epoch: 1, vfs: vfs.name).integrity()
      for finding in findings { violation("the store: \(finding)") }
      // What an account wrote or imported is in its home list, and for everybody.
      var posts: [StoredPost] = []
      var met: Set<PostID> = []
      for account in try reader.accounts() {
        let page = try reader.page(of: .home(account.id), for: account.id, limit: .max)
        posts += page?.posts.filter { met.insert($0.id).inserted } ?? []
      }
      var ids: [String: [UInt64]] = [:]
      let actors = Set(deeds.accounts.values)
      // What actors have to do with is compared with their model, and a repost says what its original says.
      for post in posts where !actors.contains(Int(post.owner.rawValue)) && post.subject == post.id {
        ids[post.body.unpacked()?.text.string ?? "damaged", default: []].append(UInt64(post.id.rawValue))
      }
      for promised in ledger.posts {
        let found = ids[SafeText(promised.text).string] ?? []
        if found != [promised.id] {
          violation("post \(promised.id) was promised, and the store has \(found) with its text")
        }
      }
      for key in ledger.kept.keys.sorted() {
        let found = ids[ledger.kept[key]!] ?? []
        if found.count != 1 { violation("\(key) was imported, and the store has \(found) with its newest text") }
      }
      let asked = Set(ledger.asked.map { SafeText($0).string }).union(ledger.kept.values)
      for text in ids.keys.sorted() {
        if ids[text]!.count > 1 { violation("a post is there \(ids[text]!.count) times") }
        if !asked.contains(text) { violation("a post is there that nobody wrote") }
      }
      try checkElsewhere(reader)
      let revision = try reader.currentRevision()
      if revision < ledger.revision {
        violation("the store is at revision \(revision), and \(ledger.revision) was told")
      }
    } catch {
      violation("the store cannot be read: \(error)")
    }
  }

  // MARK: What actors are shown

  /// Actors whose rows are read; what each has done to each post is in the store, and compared there.
  private static let readers = 4

  /// Some actors read all rows, and of posts that were written here each says what the model says; so does each row of
  /// a mirror.
  private func checkRows() {
    var random = generator("readers")
    let actors = clients.filter { deeds.accounts[$0.userID] != nil }
    for client in actors.shuffled(using: &random).prefix(World.readers) {
      let account = deeds.accounts[client.userID]!
      for viewer in client.behaviours.compactMap({ $0 as? Viewer }) {
        check(viewer.mirror.panes.first?.rows ?? [], of: account, client)
      }
      check(allRows(client), of: account, client)
    }
  }

  private func check(_ rows: [PlacedRow], of account: Int, _ client: ClientProcess) {
    for row in rows where deeds.model.met.contains(row.rowID) {
      if let flaw = deeds.model.flaw(in: row, of: account) { violation("\(client.name): \(flaw)") }
    }
  }

  private func allRows(_ client: ClientProcess) -> [PlacedRow] {
    var request = GetRowsRequest(layout: LayoutParameters(width: 80, height: 24))
    request.count = 200
    var rows: [PlacedRow] = []
    while true {
      var result: Result<[UInt8], Status>?
      client.loop.post { client.unary(Method.getRows, request.encoded()) { result = $0 } }
      run(until: now + .seconds(30), or: { result != nil })
      guard case .success(let bytes) = result, let answer = try? GetRowsResponse(decoding: bytes) else {
        violation("\(client.name): no rows are read: \(result.map { "\($0)" } ?? "no answer")")
        return rows
      }
      rows += answer.rows
      guard answer.hasMore, let last = answer.rows.last else { break }
      request.anchorRow = last.rowID
    }
    let missing = Set(deeds.model.ids).subtracting(rows.map(\.rowID))
    if !missing.isEmpty { violation("\(client.name): \(missing.count) posts are not among all rows") }
    return rows
  }

  // MARK: The mirrors

  /// Opens a pane in every session that is looked at: where a view's panes lie depends on what its sizes were before,
  /// until the next pane is pushed.
  private func pushEverywhere() {
    guard let post = ledger.posts.first else { return }
    for client in clients {
      for session in Set(client.behaviours.compactMap { ($0 as? Viewer)?.hello.session }).sorted() {
        var request = PushRequest(conversation: "\(post.id)")
        request.command.session = session
        var result: Result<[UInt8], Status>?
        client.loop.post { client.unary(Method.push, request.encoded()) { result = $0 } }
        run(until: now + .seconds(30), or: { result != nil })
        if case .success = result { continue }
        violation("\(client.name): a pane cannot be opened: \(result.map { "\($0)" } ?? "no answer")")
      }
    }
    run(until: now + .seconds(5))
  }

  /// What each viewer holds is what a view shows that is opened now in the same way.
  private func checkMirrors() {
    for client in clients {
      for viewer in client.behaviours.compactMap({ $0 as? Viewer }) {
        let probe = ClientProcess(self, name: "\(viewer.name) again", userID: client.userID)
        var hello = viewer.hello
        hello.viewport = nil
        let fresh = Viewer(probe, name: "probe", hello: hello, acknowledges: true, isQuiet: true)
        probe.add(fresh)
        probe.connect(after: .zero)
        run(until: now + .seconds(30), or: { fresh.isSettled })
        // Where panes lie is a view's own: a view that joins begins where the session was last looked at.
        fresh.slide(to: Int(viewer.mirror.position))
        let places = viewer.somePlaces()
        viewer.look(at: places)
        fresh.look(at: places)
        var difference: String?
        for _ in 0..<World.looks {
          run(until: now + .milliseconds(700))
          difference = World.difference(viewer.mirror, fresh.mirror)
          if difference == nil { break }
        }
        if let difference { violation("\(viewer.name): \(difference)") }
        probe.end()
      }
    }
  }

  /// In what two views of the same differ, if in anything. Their windows need not be the same; where both hold a row,
  /// it is.
  private static func difference(_ held: ViewSnapshot, _ fresh: ViewSnapshot) -> String? {
    guard held.panes.map(\.header) == fresh.panes.map(\.header) else {
      return "panes \(held.panes.map(\.header.paneID)), and there are \(fresh.panes.map(\.header.paneID))"
    }
    guard held.paneFrames == fresh.paneFrames, held.position == fresh.position else {
      return "panes are in other places"
    }
    guard held.epoch == fresh.epoch else { return "epoch \(held.epoch), and it is \(fresh.epoch)" }
    for (mine, other) in zip(held.panes, fresh.panes) {
      if let difference = difference(mine, other) { return "pane \(mine.header.paneID): \(difference)" }
    }
    return nil
  }

  private static func difference(_ held: Pane, _ fresh: Pane) -> String? {
    guard held.status.rowCount == fresh.status.rowCount else {
      return "\(held.status.rowCount) rows, and there are \(fresh.status.rowCount)"
    }
    if held.status.isExact, fresh.status.isExact, held.status.totalHeight != fresh.status.totalHeight {
      return "height \(held.status.totalHeight), and it is \(fresh.status.totalHeight)"
    }
    let first = max(held.status.rowsAbove, fresh.status.rowsAbove)
    let last = min(held.status.rowsAbove + held.rows.count, fresh.status.rowsAbove + fresh.rows.count)
    if first >= last, !held.rows.isEmpty || !fresh.rows.isEmpty {
      return
        "holds \(held.rows.count) rows from \(held.status.rowsAbove), and the window has \(fresh.rows.count) from \(fresh.status.rowsAbove)"
    }
    for index in first..<max(first, last) {
      let mine = held.rows[index - held.status.rowsAbove]
      let other = fresh.rows[index - fresh.status.rowsAbove]
      guard mine.rowID == other.rowID else { return "row \(index) is \(mine.rowID), and should be \(other.rowID)" }
      guard mine.label == other.label else {
        return "row \(mine.rowID) says \(mine.label), and should say \(other.label)"
      }
      guard mine.caps == other.caps, mine.layout == other.layout, mine.content == other.content else {
        return "row \(mine.rowID) differs"
      }
    }
    return nil
  }
}
