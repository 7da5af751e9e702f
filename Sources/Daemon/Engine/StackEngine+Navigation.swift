internal import Dates
internal import OrderedCollections
internal import Posts
internal import Search
internal import ViewState

/// The navigation pane, and what of each section an account has seen (behaviour.md, section 1).
extension StackEngine {
  /// Whether views of a session with a layout have a navigation pane.
  func hasNavigation(_ session: SessionKey, _ layout: LayoutParameters) -> Bool {
    !layout.isSinglePane && session.account != AccountID(0) && sessions[session]?.stack.panes[0].content != .launch
  }

  /// Asks what an account has not seen, unless that is known or on its way.
  mutating func openNavigation(_ session: SessionKey, _ layout: LayoutParameters) {
    guard hasNavigation(session, layout), let asked = navigations.open(session.account) else { return }
    load(asked, for: .navigation(session.account))
  }

  /// What the store has counted for an account is no longer true: it is asked again.
  mutating func reloadNavigation(of account: AccountID) {
    if let asked = navigations.reload(account) { load(asked, for: .navigation(account)) }
  }

  /// Takes what the store has counted, and what was committed since.
  mutating func navigationLoaded(_ account: AccountID, _ result: LoadResult) {
    guard navigations.endLoad(account) else { return }
    switch result {
    case .navigation(let facts, let author, let revision):
      lists.cache.learn([author])
      learn(facts.quiet, of: account, at: revision)
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

  /// Forgets the navigation of an account of which no view shows it any more. What it has seen is saved first.
  /// O(sessions).
  mutating func dropUnusedNavigation(of account: AccountID) {
    guard navigations[account] != nil, !scenes(of: account).contains(where: { hasNavigation(scenes[$0]) }) else {
      return
    }
    saveSeen(of: account, isLast: true)
    navigations.close(account)
  }

  private func hasNavigation(_ scene: Scene) -> Bool { hasNavigation(scene.identity.session, scene.identity.layout) }

  /// What views of an account show.
  private func scenes(of account: AccountID) -> [SceneSlot] {
    sessions.all.filter { $0.key.account == account }.flatMap(\.scenes)
  }

  // MARK: News

  /// Counts what a commit has brought into sections.
  mutating func noteNews(_ digest: DigestedCommit) {
    let commit = digest.commit
    for list in Set(commit.left.keys).union(commit.entered.keys).union(commit.reloaded) {
      guard let section = SeenSection(list), navigations[list.account]?.isLoaded == true else { continue }
      count(digest, in: section, of: list.account)
    }
    if !commit.changed.isEmpty {
      // What is muted by its words may be so no longer, or the other way round.
      navigations.outdate(navigations.all.filter { !lists.visibility.muted(by: $0).words.isEmpty })
    }
    for asked in navigations.loadsOfOutdated() { load(asked.load, for: .navigation(asked.account)) }
  }

  private mutating func count(_ digest: DigestedCommit, in section: SeenSection, of account: AccountID) {
    let list = section.key(of: account)
    let come = (digest.commit.entered[list] ?? []).compactMap { digest.posts[$0] }.filter {
      !lists.visibility.mutes($0, in: list)
    }
    let isQuiet = list.quietness != .none && !lists.visibility.muted(by: account).isEmpty
    navigations.count(digest, in: section, of: account, come.map(\.orderKey), isQuiet: isQuiet)
  }

  /// Brings what navigation panes show to what is new now, where that has changed: in all of an account's views with
  /// one frame.
  mutating func settleNavigation() {
    defer { navigations.forgetChanges() }
    var changed: Set<AccountID> = []
    for (account, sections) in navigations.toSettle {
      let watched = sections.filter { isWatched($0, by: account) }
      if navigations.settle(account, watched: watched) { changed.insert(account) }
    }
    guard !changed.isEmpty else { return }
    for slot in scenes.all where changed.contains(scenes[slot].identity.session.account) && hasNavigation(scenes[slot])
    {
      touch(slot, isCommit: false)
    }
  }

  /// Whether a view of the account's sessions shows the newest rows of a section, and those that come.
  private func isWatched(_ section: SeenSection, by account: AccountID) -> Bool {
    lists.use.sessions(showing: section.key(of: account)).contains { key in
      guard let session = sessions[key], !key.isPassing else { return false }
      let root = session.stack.panes[0]
      guard root.filter == nil, SeenSection(root.content) == section else { return false }
      return session.scenes.contains { slot in
        let scene = scenes[slot]
        guard scene.viewpoint.places[root.id] == nil, scene.viewpoint.arriving[root.id] == nil, hasNavigation(scene)
        else { return false }
        return geometry(of: key, scene.identity.layout).visible(at: scene.viewpoint.position)[0]
      }
    }
  }

  // MARK: Seen

  /// A client has shown everything that was sent to its view: what is in the viewport of the root was seen, unless the
  /// session is a passing one.
  mutating func noteSeen(by view: ViewSlot) {
    let scene = scenes[views[view].scene]
    let account = scene.identity.session.account
    guard !scene.identity.session.isPassing, navigations[account]?.isLoaded == true, hasNavigation(scene),
      pacing[view]?.hasShownEverything == true,
      let root = sessions[scene.identity.session]?.stack.panes[0],
      root.filter == nil, let section = SeenSection(root.content)
    else { return }
    let held = views[view].held.snapshot.panes.first { $0.header.paneID == root.id }
    let anchor = scene.viewpoint.places[root.id]?.anchor.map { UInt64($0.rawValue) }
    guard let rows = held?.rows, let top = anchor.map({ id in rows.first { $0.rowID == id } }) ?? rows.first else {
      return
    }
    guard anchor != nil || held?.status.rowsAbove == 0 else { return }
    let createdAt = Instant(milliseconds: top.content.fields.createdAtMilliseconds)
    let key = OrderKey(createdAt: createdAt, id: PostID(Int64(clamping: top.rowID)))
    guard navigations[account]?.news[section]?.seen.map({ $0 < key }) ?? true else { return }
    guard let list = lists[section.key(of: account)] else { return }
    navigations.see(key, newer: list.countNewer(than: key), at: revision, in: section, of: account)
    // Rows that are about to be read again may not be those that are newer; and those that were read before their
    // commit was told would be counted with it once more.
    if !list.isCurrent(downTo: key) || list.readAt > revision { reloadNavigation(of: account) }
    saveSeen(of: account, isLast: false)
  }

  /// Has what an account has seen saved: now, or a while after it was last saved.
  private mutating func saveSeen(of account: AccountID, isLast: Bool) {
    for (section, seen) in navigations.save(account, at: now, isLast: isLast) {
      effects.append(.markSeen(account, section, seen))
    }
  }

  /// Saves what is due, or everything that is not saved.
  mutating func saveSeen(isLast: Bool) {
    for (account, section, seen) in navigations.saveAll(at: now, isLast: isLast) {
      effects.append(.markSeen(account, section, seen))
    }
  }

  // MARK: The pane

  /// The navigation pane of a scene whose stack is at a position.
  mutating func navigation(of scene: Scene, root: PaneContent) -> Navigation {
    guard hasNavigation(scene), let navigation = navigations[scene.identity.session.account], navigation.isLoaded else {
      return Navigation()
    }
    let metrics = PaneMetrics(scene.identity.layout)
    var pane = navigation.pane(selected: root.section, author: lists.cache.author(navigation.author))
    pane.isCompact = scene.viewpoint.position >= 1
    pane.width = min(pane.isCompact ? metrics.strip : metrics.menu, scene.identity.layout.width)
    return pane
  }
}
