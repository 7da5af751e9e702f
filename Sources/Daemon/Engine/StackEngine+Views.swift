internal import Dates
internal import OrderedCollections
internal import Posts
internal import Search
internal import ViewState

/// Views and their navigation panes (docs/BEHAVIOUR.md, "Navigation pane").
extension StackEngine {
  mutating func open(_ id: ViewID, _ opening: ViewOpening) {
    if let view = views.slot(of: id) { close(view) }
    if let refusal = refusal(of: opening.session) { return effects.append(.endView(id, refusal)) }
    openSession(opening.session)
    let slot = slot(of: freshScene(opening))
    let view = views.insert(View(id: id, opening: opening, scene: slot))
    pacing.open(view, id, acknowledges: opening.acknowledges, at: now)
    join(view, slot)
    openLists(of: opening.session)
    openNavigation(opening.session, opening.layout)
    markBehind(view, isCommit: false)
    applyPendingViewport(view)
  }

  /// Returns the reason why an account may not open a session; nil if it may.
  private func refusal(of key: SessionKey) -> EngineError? {
    guard case .ephemeral(let account, let content) = key, sessions[key] == nil else { return nil }
    return sessions.refusalOfEphemeral(for: account) ?? lists.refusal(ofEphemeral: content.list(of: account))
  }

  mutating func close(_ view: ViewSlot) {
    let session = views[view].session
    if sessions[session]?.places.lastUsed == view {
      notePlaces(of: session)
      sessions.edit(session) { $0.places.lastUsed = nil }
    }
    leave(view, views[view].scene)
    views.remove(view)
    pacing.close(view)
    updatePreviews(of: session)
    if sessions[session]?.hasViews == false { savePlaces(of: session) }
    dropUnusedLists()
    dropUnusedNavigation(of: session.account)
    dropSession(session)
    if views.isEmpty { scenes.forgetLabels() }
  }

  /// Ends a view and reports the reason to its client.
  mutating func end(_ view: ViewSlot, _ error: EngineError) {
    let id = views[view].id
    close(view)
    effects.append(.endView(id, error))
  }

  mutating func move(_ view: ViewSlot, to viewport: ViewportParameters) {
    views[view].pendingViewport = viewport
    applyPendingViewport(view)
  }

  mutating func relayout(_ view: ViewSlot, _ layout: LayoutParameters, _ zone: Zone, _ count: UInt32) {
    views[view].layoutGeneration &+= count
    let session = views[view].session
    var carried = scenes[views[view].scene]
    let geometry = geometry(of: session, layout)
    if let session = sessions[session], session.isLoaded {
      carried.relayout(layout, zone, session.stack, &lists)
    }
    change(view) { $0.become(carried, layout, zone, geometry) }
    updatePreviews(of: session)
    openNavigation(session, layout)
    dropUnusedNavigation(of: session.account)
    noteUse(view)
    markOwnCommand(view)
  }

  mutating func acknowledge(_ view: ViewSlot, _ frame: UInt64) {
    guard pacing.acknowledge(view, frame, at: now) else { return }
    noteSeen(by: view)
    guard let pace = pacing[view] else { return }
    if pace.behindSince != nil {
      announceIfReady(view)
    } else if pace.heldRevision < revision {
      pacing.revisionMoved(at: now)
    }
  }

  /// Marks a view as behind without pacing: its own command is answered at once.
  mutating func markOwnCommand(_ view: ViewSlot) {
    pacing.hurry(view)
    markBehind(view, isCommit: false)
  }

  // MARK: Viewports

  /// Applies the newest viewport the client sent, once the session and the row it names are loaded.
  mutating func applyPendingViewport(_ slot: ViewSlot) {
    guard let viewport = views[slot].pendingViewport else { return }
    let view = views[slot]
    guard let session = sessions[view.session], session.isLoaded else { return }
    // Pane 0 is the pane that is topmost now, however long its row takes to load.
    let pane = viewport.paneID == 0 ? session.stack.top.id : viewport.paneID
    views[slot].pendingViewport!.paneID = pane
    guard let record = scenes[view.scene].pane(pane, of: session.stack)?.record else {
      return answerMove(slot, viewport)
    }
    let held =
      view.held.snapshot.panes.first { $0.header.paneID == pane }
      ?? Pane(header: lists.header(of: record, for: view.session.account))
    let scene = scenes[view.scene]
    let target = ViewportTarget(viewport, record, held, view.resume)
    guard let move = scene.move(to: target, session.stack, &lists, limits) else { return }
    let clockHides = now.adding(milliseconds: limits.frames.clockMilliseconds)
    let hasFrames = hasFrames(slot)
    change(slot) { $0.applyMove(move, hasFrames: hasFrames, clockHides: clockHides) }
    noteUse(slot)
    answerMove(slot, viewport)
  }

  private mutating func answerMove(_ view: ViewSlot, _ viewport: ViewportParameters) {
    views[view].pendingViewport = nil
    views[view].viewportGeneration = viewport.generation
    markOwnCommand(view)
  }

  /// Applies viewports that waited for rows of a list: those that name one of `rows`, or all if the list is complete.
  mutating func applyPendingViewports(of list: ListKey, rows: [StoredPost]) {
    resolveAnchors(ofScenesShowing: list)
    let waiting = lists.use.sessions(showing: list).flatMap { members(of: $0) }.filter {
      views[$0].pendingViewport != nil
    }
    guard !waiting.isEmpty else { return }
    let isComplete = lists[list]?.isComplete ?? false
    let loaded = Set(rows.lazy.map { UInt64($0.id.rawValue) })
    for view in waiting {
      // Applying one may end another's wait, but never closes a view.
      guard let viewport = views[view].pendingViewport else { continue }
      guard isComplete || viewport.atMilliseconds != 0 || loaded.contains(viewport.anchorRow) else { continue }
      applyPendingViewport(view)
    }
  }

  // MARK: Pacing

  /// Marks a view that may differ from what its client holds.
  mutating func markBehind(_ view: ViewSlot, isCommit: Bool) {
    let canBegin = hasFrames(view) || isPresentable(views[view])
    pacing.fallBehind(view, isCommit: isCommit, canBegin: canBegin, at: now)
  }

  /// Announces a view that has something to send and may send it; otherwise arranges for that to happen when it may.
  mutating func announceIfReady(_ view: ViewSlot) {
    let canBegin = hasFrames(view) || isPresentable(views[view])
    pacing.announce(view, canBegin: canBegin, at: now)
  }

  /// Returns true if the view has been sent a frame.
  private func hasFrames(_ view: ViewSlot) -> Bool { pacing[view].map { $0.sentFrame > 0 } ?? false }

  /// Returns true if the view's first frame would show something: its session and the first slice of each pane are
  /// loaded.
  private func isPresentable(_ view: View) -> Bool {
    guard let session = sessions[view.session], session.isLoaded, view.pendingViewport == nil else { return false }
    guard scenes[view.scene].hasResolvedAnchors(of: session.stack) else { return false }
    let layout = scenes[view.scene].identity.layout
    if let account = navigationAccount(session.key, layout), navigations[account]?.isLoaded != true { return false }
    return !lacksFirstRows(view)
  }

  /// Returns true if the first slice of a pane is still being loaded.
  func lacksFirstRows(_ view: View) -> Bool {
    guard let session = sessions[view.session] else { return false }
    return !session.stack.panes.allSatisfy { lists.isPresentable($0.list(of: session.key.account)) }
  }

  // MARK: Slides

  /// Slides the stack of a view and answers with its new position.
  mutating func slide(_ id: ViewID, _ command: SlideCommand, _ token: RequestToken) {
    do throws(EngineError) {
      guard let view = views.slot(of: id), let session = sessions[views[view].session] else {
        throw EngineError(.notFound, "there is no view \(id.rawValue); it may have ended")
      }
      guard session.isLoaded else {
        throw EngineError(.failedPrecondition, "the view shows nothing yet; wait for its first frame")
      }
      let scene = scenes[views[view].scene]
      let geometry = geometry(of: session.key, scene.identity.layout)
      let end = try geometry.end(of: command, session.stack, from: scene.viewpoint.position)
      if end != scene.viewpoint.position {
        change(view) { scene in
          scene.viewpoint.position = end
          return scene.identity
        }
        updatePreviews(of: session.key)
        noteUse(view)
        markOwnCommand(view)
      }
      effects.append(.answerSlide(token, position: end, moved: end != scene.viewpoint.position))
    } catch {
      effects.append(.refuse(token, error))
    }
  }

  // MARK: Navigation

  /// Returns the account whose navigation pane views of a session with this layout have; nil if they have none.
  func navigationAccount(_ session: SessionKey, _ layout: LayoutParameters) -> AccountID? {
    layout.isSinglePane || sessions[session]?.stack.panes[0].content == .launch ? nil : session.account
  }

  /// Loads an account's unseen counts, unless they are known or being loaded.
  mutating func openNavigation(_ session: SessionKey, _ layout: LayoutParameters) {
    guard let account = navigationAccount(session, layout), let asked = navigations.open(account) else { return }
    load(asked, for: .navigation(account))
  }

  /// Reloads an account's unseen counts, which are outdated.
  mutating func reloadNavigation(of account: AccountID) {
    if let asked = navigations.reload(account) { load(asked, for: .navigation(account)) }
  }

  /// Applies the counts read by the store, and the commits made since.
  mutating func navigationLoaded(_ account: AccountID, _ result: LoadResult) {
    guard navigations.endLoad(account) else { return }
    switch result {
    case .navigation(let facts, let author, let revision):
      lists.cache.addAuthors([author])
      updateMuteList(facts.muteList, of: account, at: revision)
      navigations.receive(facts, of: account, at: revision)
      for digest in loads.commits(after: revision) ?? [] {
        for section in SeenSection.allCases { count(digest, in: section, of: account) }
      }
      if let asked = navigations.loadIfOutdated(account) { load(asked, for: .navigation(account)) }
      for slot in scenes(of: account) { touch(slot, isCommit: false) }
    case .failed(let error):
      navigations.close(account)
      for slot in scenes(of: account) where hasNavigation(scenes[slot]) {
        for view in scenes[slot].members { end(view, error) }
      }
    default: break
    }
  }

  /// Drops the navigation of an account that no view shows any more. What the account has seen is saved first.
  /// O(sessions).
  mutating func dropUnusedNavigation(of account: AccountID?) {
    guard let account, navigations[account] != nil, !scenes(of: account).contains(where: { hasNavigation(scenes[$0]) })
    else {
      return
    }
    saveSeen(of: account, isLast: true)
    navigations.close(account)
  }

  private func navigationAccount(_ scene: Scene) -> AccountID? {
    navigationAccount(scene.identity.session, scene.identity.layout)
  }

  private func hasNavigation(_ scene: Scene) -> Bool { navigationAccount(scene) != nil }

  /// Returns the scenes of an account's views.
  private func scenes(of account: AccountID) -> [SceneSlot] {
    sessions.all.filter { $0.key.account == account }.flatMap(\.scenes)
  }

  // MARK: News

  /// Counts the posts that a commit brought into sections.
  mutating func noteNews(_ digest: DigestedCommit) {
    let commit = digest.commit
    for list in Set(digest.left.keys).union(digest.entered.keys).union(digest.reloaded) {
      guard let section = SeenSection(list), let account = list.account, navigations[account]?.isLoaded == true else {
        continue
      }
      count(digest, in: section, of: account)
    }
    if !commit.changes.changed.isEmpty {
      // A changed post may gain or lose a muted word.
      navigations.markOutdated(navigations.all.filter { !lists.access.muted(by: $0).words.isEmpty })
    }
    for asked in navigations.loadsOfOutdated() { load(asked.load, for: .navigation(asked.account)) }
  }

  private mutating func count(_ digest: DigestedCommit, in section: SeenSection, of account: AccountID) {
    let list = section.key(of: account)
    let come = (digest.entered[list] ?? []).compactMap { digest.posts[$0] }.filter {
      !lists.access.mutes($0, in: list) && !$0.body.flags.contains(.notice)
    }
    let hasMutes = list.muteScope != .none && !lists.access.muted(by: account).isEmpty
    navigations.count(digest, in: section, of: account, come.map(\.orderKey), hasMutes: hasMutes)
  }

  /// Updates the navigation panes whose counts have changed, in all of an account's views with one frame.
  mutating func refreshNavigation() {
    defer { navigations.forgetChanges() }
    var changed: Set<AccountID> = []
    for (account, sections) in navigations.changedAccounts {
      let watched = sections.filter { isWatched($0, by: account) }
      if navigations.updateShownCounts(of: account, watched: watched) { changed.insert(account) }
    }
    guard !changed.isEmpty else { return }
    for slot in scenes.all where navigationAccount(scenes[slot]).map(changed.contains) ?? false {
      touch(slot, isCommit: false)
    }
  }

  /// Returns true if a view of the account's sessions shows the newest rows of a section, so that new ones appear in
  /// it.
  private func isWatched(_ section: SeenSection, by account: AccountID) -> Bool {
    lists.use.sessions(showing: section.key(of: account)).contains { key in
      guard let session = sessions[key] else { return false }
      let root = session.stack.panes[0]
      guard root.filter == nil, SeenSection(root.content) == section else { return false }
      return session.scenes.contains { hasNavigation(scenes[$0]) && scenes[$0].seesNewest(of: session.stack) }
    }
  }

  // MARK: Seen

  /// Records as seen the rows in the root's viewport, once the client has shown everything sent to its view. Views that
  /// only look, such as those of ephemeral sessions, record nothing.
  mutating func noteSeen(by view: ViewSlot) {
    let scene = scenes[views[view].scene]
    guard !scene.identity.onlyLooks, let account = navigationAccount(scene), navigations[account]?.isLoaded == true,
      pacing[view]?.hasShownEverything == true,
      let root = sessions[scene.identity.session]?.stack.panes[0],
      root.filter == nil, let section = SeenSection(root.content)
    else { return }
    guard let key = scene.newestSeen(in: views[view].held.snapshot, of: root) else { return }
    guard navigations[account]?.news[section]?.seen.map({ $0 < key }) ?? true else { return }
    guard let list = lists[section.key(of: account)] else { return }
    navigations.markSeen(upTo: key, newer: list.countNewer(than: key), at: revision, in: section, of: account)
    // Rows about to be reloaded may not be the newer ones, and rows read before their commit arrived would be counted
    // twice.
    if !list.isCurrent(downTo: key) || list.progress.readAt > revision { reloadNavigation(of: account) }
    saveSeen(of: account, isLast: false)
  }

  /// Saves what an account has seen: now, or some time after the last save.
  private mutating func saveSeen(of account: AccountID, isLast: Bool) {
    for (section, seen) in navigations.save(account, at: now, isLast: isLast) {
      effects.append(.markSeen(account, section, seen))
    }
  }

  /// Saves what is due, or with `isLast` everything unsaved.
  mutating func saveSeen(isLast: Bool) {
    for (account, section, seen) in navigations.saveAll(at: now, isLast: isLast) {
      effects.append(.markSeen(account, section, seen))
    }
  }

  // MARK: The pane

  /// Returns the navigation pane of a scene.
  mutating func navigation(of scene: Scene, root: PaneContent) -> Navigation {
    guard let account = navigationAccount(scene), let navigation = navigations[account], let author = navigation.author
    else { return Navigation() }
    return navigation.pane(
      selected: root.section, author: lists.cache.author(author), scene.identity.layout,
      isCompact: scene.viewpoint.position >= 1)
  }
}
