import Messages
import Posts
import RPC
import Store
import ViewState

extension World {
  /// The number of attempts to find two mirrors equal: a relative time may change between two comparisons.
  private static let looks = 5

  /// Checks a settled world.
  func check() {
    checkStore()
    oracle.checkFinalState()
    checkRows()
    checkSources()
    pushEverywhere()
    checkMirrors()
  }

  // MARK: The store

  /// Checks that no acknowledged post is lost, none is duplicated, and none appeared without a request.
  private func checkStore() {
    do {
      let reader = try StoreReader(path: "posts.db", vfs: vfs.name)
      let findings = try PostStore(path: "posts.db", epoch: 1, vfs: vfs.name).integrity()
      for finding in findings { violation("the store: \(finding)") }
      // An account's own and imported posts are in its home list, and are public.
      var posts: [StoredPost] = []
      var seen: Set<PostID> = []
      for account in try reader.accounts() {
        let page = try reader.page(of: .home(account.id), for: account.id, limit: .max)
        posts += page?.posts.filter { seen.insert($0.id).inserted } ?? []
      }
      var ids: [String: [UInt64]] = [:]
      let actors = Set(oracle.accounts.values)
      // Actors' posts are compared with their model. Reposts have the text of their original.
      for post in posts where !actors.contains(Int(post.owner.rawValue)) && post.subject == post.id {
        ids[post.body.unpacked()?.text.string ?? "damaged", default: []].append(UInt64(post.id.rawValue))
      }
      for promised in ledger.posts {
        let found = ids[SafeText(promised.text).string] ?? []
        if found != [promised.id] {
          violation("post \(promised.id) was acknowledged, but the store has \(found) with its text")
        }
      }
      for key in ledger.importedTexts.keys.sorted() {
        let found = ids[ledger.importedTexts[key]!] ?? []
        if found.count != 1 { violation("\(key) was imported, but the store has \(found) with its newest text") }
      }
      let asked = Set(ledger.requestedTexts.map { SafeText($0).string })
        .union(ledger.importedTexts.values).union(sources.flatMap(\.texts))
      for text in ids.keys.sorted() {
        if ids[text]!.count > 1 { violation("a post exists \(ids[text]!.count) times") }
        if !asked.contains(text) { violation("a post exists that no client wrote") }
      }
      try checkRemoteSource(reader)
      let revision = try reader.currentRevision()
      if revision < ledger.revision {
        violation("the store is at revision \(revision), but a client received \(ledger.revision)")
      }
    } catch {
      violation("cannot read the store: \(error)")
    }
  }

  // MARK: Actors' rows

  /// The number of actors whose rows are read. The marks of all actors are compared in the store.
  private static let readers = 4

  /// Compares all rows of some actors, and the rows of their mirrors, with the model.
  private func checkRows() {
    var random = generator("readers")
    let actors = clients.filter { oracle.accounts[$0.userID] != nil }
    for client in actors.shuffled(using: &random).prefix(World.readers) {
      let account = oracle.accounts[client.userID]!
      for viewer in client.behaviours.compactMap({ $0 as? Viewer }) {
        check(viewer.mirror.panes.first?.rows ?? [], of: account, client)
      }
      check(allRows(client), of: account, client)
    }
  }

  private func check(_ rows: [PlacedRow], of account: Int, _ client: ClientProcess) {
    for row in rows where oracle.model.knownIDs.contains(row.rowID) {
      if let flaw = oracle.model.flaw(in: row, of: account) { violation("\(client.name): \(flaw)") }
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
        violation("\(client.name): cannot read rows: \(result.map { "\($0)" } ?? "no response")")
        return rows
      }
      rows += answer.rows
      guard answer.hasMore, let last = answer.rows.last else { break }
      request.anchorRow = last.rowID
    }
    let missing = Set(oracle.model.ids).subtracting(rows.map(\.rowID))
    if !missing.isEmpty { violation("\(client.name): \(missing.count) posts are missing from all rows") }
    return rows
  }

  // MARK: The mirrors

  /// Pushes a pane in every viewed session. Until then, the places of a view's panes depend on its former sizes.
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
        violation("\(client.name): cannot open a pane: \(result.map { "\($0)" } ?? "no response")")
      }
    }
    run(until: now + .seconds(5))
  }

  /// Compares each viewer's mirror with a view opened now in the same way.
  private func checkMirrors() {
    for client in clients {
      for viewer in client.behaviours.compactMap({ $0 as? Viewer }) {
        let probe = ClientProcess(self, name: "\(viewer.name) again", userID: client.userID)
        var hello = viewer.hello
        hello.viewport = nil
        let fresh = Viewer(probe, name: "probe", hello: hello, acknowledges: true, isPassive: true)
        probe.add(fresh)
        probe.connect(after: .zero)
        run(until: now + .seconds(30), or: { fresh.isSettled })
        // Each view has its own stack position; a new view starts at the position the session was last viewed at.
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

  /// Returns the difference between two mirrors of a session; nil if there is none. Their windows may differ; rows that
  /// both hold may not.
  private static func difference(_ held: ViewSnapshot, _ fresh: ViewSnapshot) -> String? {
    guard held.panes.map(\.header) == fresh.panes.map(\.header) else {
      return "panes \(held.panes.map(\.header.paneID)), expected \(fresh.panes.map(\.header.paneID))"
    }
    guard held.paneFrames == fresh.paneFrames, held.position == fresh.position else {
      return "panes are in different places"
    }
    guard held.epoch == fresh.epoch else { return "epoch \(held.epoch), expected \(fresh.epoch)" }
    for (mine, other) in zip(held.panes, fresh.panes) {
      if let difference = difference(mine, other) { return "pane \(mine.header.paneID): \(difference)" }
    }
    return nil
  }

  private static func difference(_ held: Pane, _ fresh: Pane) -> String? {
    guard held.status.rowCount == fresh.status.rowCount else {
      return "\(held.status.rowCount) rows, expected \(fresh.status.rowCount)"
    }
    if held.status.isExact, fresh.status.isExact, held.status.totalHeight != fresh.status.totalHeight {
      return "height \(held.status.totalHeight), expected \(fresh.status.totalHeight)"
    }
    let first = max(held.status.rowsAbove, fresh.status.rowsAbove)
    let last = min(held.status.rowsAbove + held.rows.count, fresh.status.rowsAbove + fresh.rows.count)
    if first >= last, !held.rows.isEmpty || !fresh.rows.isEmpty {
      return
        "holds \(held.rows.count) rows from \(held.status.rowsAbove), expected \(fresh.rows.count) from \(fresh.status.rowsAbove)"
    }
    for index in first..<max(first, last) {
      let mine = held.rows[index - held.status.rowsAbove]
      let other = fresh.rows[index - fresh.status.rowsAbove]
      guard mine.rowID == other.rowID else { return "row \(index) is \(mine.rowID), expected \(other.rowID)" }
      guard mine.label == other.label else {
        return "row \(mine.rowID) has the label \(mine.label), expected \(other.label)"
      }
      guard mine.caps == other.caps, mine.layout == other.layout, mine.content == other.content else {
        return "row \(mine.rowID) differs"
      }
    }
    return nil
  }
}
