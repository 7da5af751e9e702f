internal import Messages
internal import Terminal
internal import ViewState

/// Keys, by where one is, and what they do.
extension App {
  mutating func take(_ event: InputEvent) {
    switch event {
    case .key(let key): if !hold(key) { act(on: key) }
    case .paste(let bytes): paste(bytes)
    case .mouse(let mouse): take(mouse)
    case .focus, .reply: break
    }
  }

  /// Keys are looked up where one is; what types something and means nothing there is text, where text is asked for.
  mutating func act(on key: Key) {
    let context = state.overlay?.context ?? .panes
    let action = options.keymap.action(for: key, in: context)
    if action != .interrupt { interruptEnd = nil }
    if let action {
      if context == .panes { return perform(action) }
      if performInOverlay(action) { return }
    }
    switch (state.overlay, key.code) {
    case (.message, _): state.overlay = nil
    case (.menu, .character(let digit)) where key.modifiers.isEmpty:
      if let number = digit.wholeNumberValue, 1...9 ~= number { choose(number: number - 1) }
    case (.some, .character(let character)) where context.isTyping && key.modifiers.isEmpty:
      state.overlay?.insert(String(character), isPaste: false)
    default: break
    }
  }

  /// Pasted text is never keys: where no text is asked for it is passed over.
  private mutating func paste(_ bytes: [UInt8]) {
    var text = String(decoding: bytes, as: UTF8.self)
    if text.utf8.contains(0x0D) { text = String(String.UnicodeScalarView(App.withoutReturns(text))) }
    if let context = state.overlay?.context, context.isTyping {
      state.overlay?.insert(text, isPaste: true)
      return
    }
    tell("Pasted text goes nowhere here; write a post first.")
  }

  /// Terminals send line feeds of a paste as returns.
  private static func withoutReturns(_ text: String) -> [Unicode.Scalar] {
    var result: [Unicode.Scalar] = []
    var wasReturn = false
    for scalar in text.unicodeScalars {
      if scalar == "\n", wasReturn {
        wasReturn = false
        continue
      }
      wasReturn = scalar == "\r"
      result.append(wasReturn ? "\n" : scalar)
    }
    return result
  }

  // MARK: Over the panes

  /// Does what an action means in what lies over the panes; false where it means nothing there.
  private mutating func performInOverlay(_ action: Action) -> Bool {
    switch action {
    case .interrupt: interrupt()
    case .redraw: effects.append(.repaint)
    case .suspend: effects.append(.suspend)
    default:
      switch (state.overlay, action) {
      case (.compose, .send): sendPost()
      case (.compose, .cancel): leavePost()
      case (.compose, .toEditor), (.compose, .composeInEditor): editElsewhere()
      case (.palette(let palette), .choose), (.palette(let palette), .confirm): enterCommand(palette)
      case (.prompt(let prompt), .choose), (.prompt(let prompt), .confirm): prompted(prompt.field.text)
      case (.menu(let menu), .choose), (.menu(let menu), .confirm): choose(number: menu.selected)
      case (.confirm, .confirm): settleQuestion(true)
      case (.confirm, .cancel): settleQuestion(false)
      case (.message, _), (_, .cancel): state.overlay = nil
      default:
        let height = state.viewHeight
        return state.overlay?.perform(action, viewHeight: height) ?? false
      }
    }
    return true
  }

  mutating func interrupt() {
    if state.overlay != nil {
      if case .compose = state.overlay { leavePost() }
      state.overlay = nil
      return
    }
    if interruptEnd != nil { return quit() }
    interruptEnd = now + App.interruptDuration
    tell("Once more leaves.")
  }

  // MARK: The panes

  /// Does what an action means in the panes.
  mutating func perform(_ action: Action) {
    if !App.steps.contains(action) { owed = nil }
    if !App.scrolls.contains(action) { stopScrolling() }
    defer { countMove(action) }
    switch action {
    case .nextRow, .down, .next: moveRow(1)
    case .previousRow, .up, .previous: moveRow(-1)
    case .firstRow: goToTop()
    case .lastRow: goToBottom()
    case .pageDown: movePage(1, of: 1)
    case .pageUp: movePage(-1, of: 1)
    case .halfPageDown: movePage(1, of: 2)
    case .halfPageUp: movePage(-1, of: 2)
    case .lineDown: if let pane = focusedPane { scrollBy(1, in: pane) }
    case .lineUp: if let pane = focusedPane { scrollBy(-1, in: pane) }
    case .nextDetail: moveDetail(1)
    case .previousDetail: moveDetail(-1)
    case .followNewest: toggleFollow()
    case .toggleRead: toggleRead()
    case .markVisibleRead: markVisibleRead()
    case .nextUnread: goToUnread(-1)
    case .previousUnread: goToUnread(1)
    case .refresh: refresh()
    case .refreshAll: refreshAll()
    case .goToDate: prompt(.date)
    case .reveal: reveal()
    case .limit: askForLimit()
    case .clearLimit: limit(to: "")
    case .open: openRow()
    case .openThread: openThread()
    case .openAuthor: openAuthor()
    case .openUser: openUser()
    case .openTag: openTag()
    case .openLink: openLink()
    case .openInBrowser: openInBrowser()
    case .media: showMedia()
    case .copyLink: copyLink()
    case .copyText: copyText()
    case .pipe: askForPipe()
    case .search: prompt(.search)
    case .parent: goToParent()
    case .nextSibling: goToSibling()
    case .collapse: collapse(true)
    case .expand: collapse(false)
    case .compose: beginPost()
    case .composeInEditor: editElsewhere()
    case .reply: beginReply()
    case .edit: beginEdit()
    case .mute: toggleMute()
    case .favourite: toggle(.favourite)
    case .repost: toggle(.repost)
    case .save: toggle(.save)
    case .undo: undo(isRedo: false)
    case .redo: undo(isRedo: true)
    case .delete: askToDelete()
    case .retry: retry()
    case .discard: askToDiscard()
    case .palette: state.overlay = .palette(Palette(options.keymap, history: paletteHistory))
    case .help: state.overlay = .help(Help(options.keymap, context: .panes))
    case .mouse:
      hasMouse.toggle()
      effects.append(.setMouse(hasMouse))
      tell(hasMouse ? "The mouse is the program's; Shift selects text." : "The mouse is the terminal's.")
    case .redraw: effects.append(.repaint)
    case .suspend: effects.append(.suspend)
    case .interrupt: interrupt()
    case .quit: quit()
    default: performOnPanes(action)
    }
  }

  private mutating func performOnPanes(_ action: Action) {
    let numbers: [Action] = [.pane1, .pane2, .pane3, .pane4, .pane5, .pane6, .pane7, .pane8, .pane9]
    if let number = numbers.firstIndex(of: action) { return focus(number: number) }
    switch action {
    case .focusLeft, .left: focus(step: -1, wraps: false)
    case .focusRight, .right: focus(step: 1, wraps: false)
    case .focusNext: focus(step: 1, wraps: true)
    case .focusPrevious: focus(step: -1, wraps: true)
    case .close, .cancel: closePane()
    case .closeOthers: stack(Method.dropAll)
    case .back: stack(Method.back)
    case .forward: stack(Method.forward)
    case .slideLeft: slide(.slide(.left))
    case .slideRight: slide(.slide(.right))
    case .wider: widen(by: 8)
    case .narrower: widen(by: -8)
    case .standardWidth: resizePane(state.focused.paneID, to: 0)
    case .zoom: zoom()
    case .timeline: open(.timeline)
    case .mentions: open(.mentions)
    case .lists: open(.lists)
    case .messages: open(.messages)
    case .profile: open(.profile)
    case .searches: open(.search)
    case .sessions: askForSessions()
    default: break
    }
  }
}
