internal import Dates
internal import OrderedCollections
internal import Posts
internal import ViewState

/// Where a session is looked at: taken from the view that was used last, given to those that join, and saved now and
/// then.
extension StackEngine {
  // MARK: Taking

  /// A view was used: where it looks is where its session is looked at. Line mode has no say in that, and a passing
  /// session has no places.
  mutating func noteUse(_ view: ViewSlot) {
    let key = views[view].session
    guard sessions[key]?.isLoaded == true, !key.isPassing, !scenes[views[view].scene].identity.layout.isSinglePane
    else { return }
    sessions[key]!.lastUsed = view
    expectPlaces(of: key)
  }

  /// Brings a session's places up to what the view shows that was used last. O(panes), and for each that is looked at
  /// within a row the length of its text.
  mutating func notePlaces(of key: SessionKey) {
    guard let session = sessions[key], let view = session.lastUsed else { return }
    let scene = scenes[views[view].scene]
    var places = session.places
    places.position = scene.viewpoint.position
    let widths = geometry(of: key, scene.identity.layout).widths
    for (index, record) in session.stack.panes.enumerated() {
      places.anchors[record.id] = scene.viewpoint.arriving[record.id] ?? anchor(of: record, width: widths[index], in: scene)
    }
    sessions[key]!.places = places
  }

  /// Where a scene looks in a pane; nil at its beginning.
  mutating func anchor(of record: PaneRecord, width: Int, in scene: Scene) -> RowAnchor? {
    guard let place = scene.viewpoint.places[record.id], let key = place.key else { return nil }
    let list = record.list(of: scene.identity.session.account)
    lists.open.read(list) { $0.arrange(record.collapsed) }
    let lines = place.line == 0 ? nil : rowLines(of: key, in: list, scene.zone, scene.identity.layout, width: width)
    return RowAnchor(key: key, place: lines?.place(atLine: place.line, word: place.word) ?? .head(place.line))
  }

  /// The lines of a row in a pane of `width`, with that of its day; nil where it is not loaded. O(length).
  mutating func rowLines(
    of key: OrderKey, in list: ListKey, _ zone: Zone, _ layout: LayoutParameters, width: Int
  ) -> RowLines? {
    guard let (post, depth) = lists.open.read(list, { ($0.post(with: key), $0.depth(near: key)) }), let post else {
      return nil
    }
    let layoutKey = LayoutKey(layout, paneWidth: width).at(depth: depth)
    return RowLines(post, in: layoutKey, dayHeight: dayHeight(of: key, in: list, zone, layout, layoutKey))
  }

  // MARK: Giving

  /// Has a scene that shows nothing begin where its session is looked at (rule 14). In line mode it begins at the top
  /// of the topmost pane.
  mutating func begin(_ scene: inout Scene) {
    let key = scene.identity.session
    guard sessions[key]?.isLoaded == true else { return }
    notePlaces(of: key)
    let session = sessions[key]!
    let geometry = geometry(of: key, scene.identity.layout)
    scene.viewpoint.knownPanes = session.stack.panes.map(\.id)
    guard !scene.identity.layout.isSinglePane else {
      scene.viewpoint.position = geometry.positionAfterPush
      return
    }
    // A root that nobody has looked at yet lies beside the menu.
    scene.viewpoint.position = geometry.position(notAbove: session.places.position ?? (session.stack.panes.count > 1 ? .max : 0))
    for pane in scene.viewpoint.knownPanes { scene.viewpoint.arriving[pane] = session.places.anchors[pane] }
    settle(&scene)
  }

  /// Has a scene follow its session's stack from what that was: places of panes that have gone are put aside, those of
  /// panes that have come are taken up again, and where a pane has another width the word that was first stays.
  mutating func follow(_ slot: SceneSlot, from old: PaneStack) {
    var scene = scenes[slot]
    let key = scene.identity.session
    let (stack, layout) = (sessions[key]!.stack, scene.identity.layout)
    let remembered = stack.rememberedPanes
    let (before, after) = (
      PaneGeometry(layout, wanted: old.panes.map(\.wantedWidth)),
      PaneGeometry(layout, wanted: stack.panes.map(\.wantedWidth))
    )
    for (index, record) in old.panes.enumerated() {
      if let kept = stack.panes.firstIndex(where: { $0.id == record.id }), stack.panes[kept].filter != record.filter {
        // It looks where it did as soon as that is known of the rows that are left.
        scene.viewpoint.arriving[record.id] =
          scene.viewpoint.arriving[record.id] ?? anchor(of: record, width: before.widths[index], in: scene)
        scene.viewpoint.places[record.id] = nil
        scene.viewpoint.anchorDays[record.id] = nil
      } else if let kept = stack.panes.firstIndex(where: { $0.id == record.id }) {
        carry(record, in: &scene, from: before.widths[index], to: layout, scene.zone, after.widths[kept])
      } else if remembered.contains(record.id) {
        scene.viewpoint.shelved[record.id] =
          scene.viewpoint.arriving[record.id] ?? anchor(of: record, width: before.widths[index], in: scene)
      }
    }
    let known = scene.viewpoint.knownPanes
    scene.viewpoint.follow(stack.panes.map(\.id), after)
    for pane in scene.viewpoint.knownPanes where !known.contains(pane) {
      let own = scene.viewpoint.shelved.removeValue(forKey: pane)
      scene.viewpoint.arriving[pane] = own ?? (layout.isSinglePane ? nil : sessions[key]!.places.anchors[pane])
    }
    scene.viewpoint.shelved = scene.viewpoint.shelved.filter { remembered.contains($0.key) }
    settle(&scene)
    scenes[slot] = scene
  }

  /// Takes a scene to where it is to look, as far as the rows for that are loaded. One that has gone is where its
  /// neighbour is (rule 34).
  mutating func settle(_ scene: inout Scene) {
    guard !scene.viewpoint.arriving.isEmpty, let session = sessions[scene.identity.session] else { return }
    let widths = geometry(of: session.key, scene.identity.layout).widths
    for (number, record) in session.stack.panes.enumerated() {
      let key = record.list(of: session.key.account)
      guard let anchor = scene.viewpoint.arriving[record.id], var list = lists[key], list.hasLoaded(anchor.key) else { continue }
      scene.viewpoint.arriving[record.id] = nil
      guard list.count > 0 else { continue }
      list.arrange(record.collapsed)
      let index = list.anchor(displayed: list.displayedIndex(near: anchor.key))
      let found = list.key(displayed: index)
      lists.open.putBack(list)
      var place = Viewpoint.Place(anchor: found.id, key: found, line: 0, isMoved: true)
      if found == anchor.key,
        let lines = rowLines(of: found, in: key, scene.zone, scene.identity.layout, width: widths[number])
      {
        place.line = lines.line(of: anchor.place)
        if case .text(let byte, _) = anchor.place { place.word = byte }
        scene.viewpoint.anchorDays[record.id] = lines.dayHeight
      }
      scene.viewpoint.places[record.id] = place
    }
  }

  /// Scenes that wait for rows of a list to look there may have them now.
  mutating func settleScenes(showing list: ListKey) {
    for key in lists.use.sessions(showing: list) {
      for slot in sessions[key]?.scenes ?? [] where !scenes[slot].viewpoint.arriving.isEmpty {
        var scene = scenes[slot]
        settle(&scene)
        scenes[slot] = scene
      }
    }
  }

  /// Whether a scene knows where to look in every pane that is seen.
  func isSettled(_ slot: SceneSlot) -> Bool {
    let scene = scenes[slot]
    guard !scene.viewpoint.arriving.isEmpty else { return true }
    let seen = geometry(of: scene.identity.session, scene.identity.layout).visible(at: scene.viewpoint.position)
    return !zip(scene.viewpoint.knownPanes, seen).contains { pane, isSeen in isSeen && scene.viewpoint.arriving[pane] != nil }
  }

  // MARK: Reading positions

  /// A root pane is about to be shown: where its first row is later than what the session has read of the section, it
  /// has read that far now (rule 39). Says in the pane's status how far that is.
  mutating func read(_ pane: inout Pane, _ record: PaneRecord, width: Int, of scene: Scene, _ slot: SceneSlot) {
    // What a filter hides has not been read.
    guard let section = record.content.section, section.isRead, !scene.identity.session.isPassing,
      record.filter.map({ $0.words == "is:unread" }) ?? true
    else { return }
    let (key, layout) = (scene.identity.session, scene.identity.layout)
    let list = record.list(of: key.account)
    let place = scene.viewpoint.places[record.id] ?? Viewpoint.Place()
    let top = pane.status.rowsAbove == 0 ? pane.rows.first { $0.content.fields.kind == .post }?.rowID : nil
    let first = place.anchor.map { UInt64($0.rawValue) } ?? top
    if !layout.isSinglePane, scene.viewpoint.arriving[record.id] == nil, let row = pane.rows.first(where: { $0.rowID == first }) {
      let createdAt = Instant(milliseconds: row.content.fields.createdAtMilliseconds)
      var anchor = RowAnchor(key: OrderKey(createdAt: createdAt, id: PostID(Int64(row.rowID))), place: .head(0))
      let old = sessions[key]!.places.readings[section]?.anchor
      if old.map({ $0.key <= anchor.key }) ?? true {
        let lines = place.line == 0 ? nil : rowLines(of: anchor.key, in: list, scene.zone, layout, width: width)
        if let lines { anchor.place = lines.place(atLine: max(0, place.line), word: place.word) }
        if old.map({ anchor.isBeyond($0) }) ?? true {
          sessions[key]!.places.readings[section] = Places.Reading(anchor: anchor, revision: nil)
          expectPlaces(of: key)
          touchOthers(than: slot, showing: list, in: key)
        }
      }
    }
    guard let reading = sessions[key]!.places.readings[section]?.anchor else { return }
    pane.status.readingRow = UInt64(reading.key.id.rawValue)
    if var found = lists[list], found.count > 0, found.hasLoaded(reading.key) {
      let (index, key) = found.place(readTo: reading.key)
      pane.status.newRows = index
      if let key, key != reading.key {
        pane.status.readingRow = UInt64(key.id.rawValue)
        return
      }
    }
    guard reading.place != .head(0) else { return }
    pane.status.readingLine =
      rowLines(of: reading.key, in: list, scene.zone, layout, width: width)?.line(of: reading.place) ?? 0
  }

  // MARK: Saving

  /// There may be something to save of a session's places.
  mutating func expectPlaces(of key: SessionKey) {
    unsavedPlaces.append(key)
    if placesDue == nil { placesDue = now.adding(milliseconds: limits.placesMilliseconds) }
  }

  /// Saves the places of sessions that may have changed, those that have waited for longest first.
  mutating func savePlaces(atMost limit: Int) {
    placesDue = nil
    for key in Array(unsavedPlaces.prefix(limit)) { savePlaces(of: key) }
    if !unsavedPlaces.isEmpty { placesDue = now.adding(milliseconds: limits.placesMilliseconds) }
  }

  /// Saves a session's places if they have changed; once it can, if something else of it is being saved or it is about
  /// to go.
  mutating func savePlaces(of key: SessionKey) {
    guard let session = sessions[key], session.isLoaded, unsavedPlaces.contains(key), !session.isSavingPlaces else {
      return
    }
    switch session.saving?.change {
    case .name, .end: return
    case .stack, .reading, nil: unsavedPlaces.remove(key)
    }
    notePlaces(of: key)
    sessions[key]!.places.keep(session.stack.rememberedPanes)
    guard sessions[key]!.places != session.savedPlaces, session.mayBeStored else { return }
    send(sessions[key]!.places, of: key)
  }

  /// Saves what could not be saved while something else was: in time, or at once if nobody looks any more.
  mutating func savePlacesLater(of key: SessionKey) {
    guard unsavedPlaces.contains(key), let session = sessions[key] else { return }
    if session.scenes.isEmpty { savePlaces(of: key) } else { expectPlaces(of: key) }
  }

  /// Has the store save places.
  mutating func send(_ places: Places, of key: SessionKey) {
    sessions[key]!.isSavingPlaces = true
    sessions[key]!.savedPlaces = places
    effects.append(.savePlaces(key, places.encoded))
  }

  mutating func placesSaved(_ key: SessionKey, _ result: Result<UInt64, EngineError>) {
    guard let session = sessions[key], session.isSavingPlaces else { return }
    sessions[key]!.isSavingPlaces = false
    switch result {
    case .failure(let error):
      // It is tried again, unless nobody looks and too many wait for that.
      sessions[key]!.savedPlaces = Places()
      expectPlaces(of: key)
      if session.scenes.isEmpty, unsavedPlaces.count > limits.unsavedSessions { unsavedPlaces.remove(key) }
      if case .reading? = session.saving?.change { finish(key, .failure(error)) }
    case .success(let revision):
      self.revision = max(self.revision, revision)
      sessions[key]!.isStored = true
      if case .reading(let section, let anchor)? = session.saving?.change {
        let now = session.places.readings[section]?.anchor
        if now.map({ anchor.isBeyond($0) }) ?? true {
          sessions[key]!.places.readings[section] = Places.Reading(anchor: anchor, revision: nil)
        }
      }
      for (section, saved) in session.savedPlaces.readings where saved.revision == nil {
        sessions[key]!.savedPlaces.readings[section]!.revision = revision
        guard sessions[key]!.places.readings[section]?.anchor == saved.anchor else { continue }
        sessions[key]!.places.readings[section]!.revision = revision
      }
      if case .reading? = session.saving?.change { finish(key, .success(revision)) }
      savePlacesLater(of: key)
    }
    startNextCommand(key)
  }
}

extension Section {
  /// Whether it is read from old to new, so that a session remembers how far.
  var isRead: Bool {
    switch self {
    case .timeline, .mentions, .messages, .profile: true
    case .lists, .search: false
    }
  }
}

extension PostList {
  /// How many posts are newer than a key, and the newest row that is not; nil where all are. Of a list with the newest
  /// on top. O(log rows).
  fileprivate mutating func place(readTo key: OrderKey) -> (newer: Int, row: OrderKey?) {
    let index = displayedIndex(near: key)
    let found = self.key(displayed: index)
    // Gaps are no posts.
    if found > key { return (count - gapRows.count, nil) }
    return (index - gapCount(above: key), found)
  }

  /// Whether the row with a key, or the one that took its place, is loaded if it is there.
  func hasLoaded(_ key: OrderKey) -> Bool { isComplete || floor.map { $0 <= key } ?? false }
}
