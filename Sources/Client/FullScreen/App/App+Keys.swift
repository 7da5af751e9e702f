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
    case (.some, .character(let character)) where context.isTyping && key.modifiers.isEmpty: type(String(character), isPaste: false)
    default: break
    }
  }

  /// Pasted text is never keys: where no text is asked for it is passed over.
  private mutating func paste(_ bytes: [UInt8]) {
    var text = String(decoding: bytes, as: UTF8.self)
    if text.utf8.contains(0x0D) { text = String(String.UnicodeScalarView(App.withoutReturns(text))) }
    if let context = state.overlay?.context, context.isTyping { return type(text, isPaste: true) }
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

  private mutating func type(_ text: String, isPaste: Bool) {
    switch state.overlay {
    case .compose(var editor):
      editor.insert(text, isPaste: isPaste)
      state.overlay = .compose(editor)
    case .palette(var palette):
      palette.field.insert(text)
      state.overlay = .palette(palette)
    case .prompt(var prompt):
      prompt.field.insert(text)
      state.overlay = .prompt(prompt)
    case .help(var help):
      help.filter.insert(text)
      help.scroll = 0
      state.overlay = .help(help)
    default: break
    }
  }

  // MARK: Over the panes

  /// Does what an action means in what lies over the panes; false where it means nothing there.
  private mutating func performInOverlay(_ action: Action) -> Bool {
    switch action {
    case .interrupt: interrupt()
    case .redraw: effects.append(.repaint)
    case .suspend: effects.append(.suspend)
    default:
      switch state.overlay {
      case .compose(let editor): return perform(action, editor)
      case .palette(let palette): return perform(action, palette)
      case .prompt(let prompt): return perform(action, prompt)
      case .menu(let menu): return perform(action, menu)
      case .help(let help): return perform(action, help)
      case .confirm:
        guard action == .confirm || action == .cancel else { return false }
        settleQuestion(action == .confirm)
      case .message: state.overlay = nil
      case nil: return false
      }
    }
    return true
  }

  private mutating func perform(_ action: Action, _ editor: ComposeEditor) -> Bool {
    var editor = editor
    switch action {
    case .send: sendPost()
    case .cancel: leavePost()
    case .toEditor, .composeInEditor: editElsewhere()
    default:
      guard editor.perform(action) else { return false }
      state.overlay = .compose(editor)
    }
    return true
  }

  private mutating func perform(_ action: Action, _ palette: Palette) -> Bool {
    var palette = palette
    switch action {
    case .choose, .confirm: enterCommand(palette)
    case .cancel: state.overlay = nil
    default:
      guard palette.perform(action) else { return false }
      state.overlay = .palette(palette)
    }
    return true
  }

  private mutating func perform(_ action: Action, _ prompt: Prompt) -> Bool {
    var prompt = prompt
    switch action {
    case .choose, .confirm: prompted(prompt.field.text)
    case .cancel: state.overlay = nil
    default:
      guard prompt.field.perform(action) else { return false }
      state.overlay = .prompt(prompt)
    }
    return true
  }

  private mutating func perform(_ action: Action, _ menu: Menu) -> Bool {
    var menu = menu
    switch action {
    case .choose, .confirm: choose(number: menu.selected)
    case .cancel: state.overlay = nil
    case .next: menu.move(by: 1)
    case .previous: menu.move(by: -1)
    case .pageDown: menu.move(by: max(1, state.viewHeight / 2))
    case .pageUp: menu.move(by: -max(1, state.viewHeight / 2))
    case .firstRow: menu.move(by: -menu.items.count)
    case .lastRow: menu.move(by: menu.items.count)
    default: return false
    }
    if case .menu = state.overlay { state.overlay = .menu(menu) }
    return true
  }

  private mutating func perform(_ action: Action, _ help: Help) -> Bool {
    var help = help
    switch action {
    case .cancel: state.overlay = nil
    default:
      guard help.perform(action, viewHeight: state.viewHeight) else { return false }
      state.overlay = .help(help)
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
    case .goToDate: prompt(.date)
    case .reveal: reveal()
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
    case .search: prompt(.search)
    case .parent: goToParent()
    case .nextSibling: goToSibling()
    case .collapse: collapse(true)
    case .expand: collapse(false)
    case .compose: beginPost()
    case .composeInEditor: editElsewhere()
    case .reply: beginReply()
    case .delete: askToDelete()
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
