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
    sessions[key]!.places.position = scene.viewpoint.position
    let anchors = scene.anchors(of: session.stack, in: &lists)
    for record in session.stack.panes { sessions[key]!.places.anchors[record.id] = anchors[record.id] }
  }

  // MARK: Giving

  /// Has a scene that shows nothing begin where its session is looked at (rule 14).
  mutating func begin(_ scene: inout Scene) {
    let key = scene.identity.session
    guard sessions[key]?.isLoaded == true else { return }
    notePlaces(of: key)
    if let session = sessions[key] { scene.begin(session.stack, at: session.places, &lists) }
  }

  /// Scenes that wait for rows of a list to look there may have them now.
  mutating func settleScenes(showing list: ListKey) {
    for session in lists.use.sessions(showing: list).compactMap({ sessions[$0] }) {
      for slot in session.scenes { scenes[slot].settle(session.stack, &lists) }
    }
  }

  // MARK: Reading positions

  /// A root pane is about to be shown: where its first row is later than what the session has read of the section, it
  /// has read that far now (rule 39). Says in the pane's status how far that is.
  mutating func read(_ pane: inout Pane, _ renderer: PaneRenderer, of scene: Scene, _ slot: SceneSlot) {
    let (record, key) = (renderer.record, scene.identity.session)
    // What a filter hides has not been read.
    guard let section = record.content.section, section.isRead, !key.isPassing,
      record.filter.map({ $0.words == "is:unread" }) ?? true
    else { return }
    let old = sessions[key]?.places.readings[section]?.anchor
    if let anchor = renderer.anchorRead(in: pane, beyond: old, of: scene, &lists) {
      sessions[key]?.places.readings[section] = Places.Reading(anchor: anchor, revision: nil)
      expectPlaces(of: key)
      touchOthers(than: slot, showing: record.list(of: key.account), in: key)
    }
    guard let reading = sessions[key]?.places.readings[section]?.anchor else { return }
    renderer.tell(reading, in: &pane, of: scene, &lists)
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
