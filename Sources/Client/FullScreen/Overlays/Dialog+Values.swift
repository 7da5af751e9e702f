internal import Messages

/// Values that complete what is typed: asked for when they are needed, once for each box.
extension Dialog {
  /// The values that would complete what is being typed, and the word so far; nil for none.
  private var wantedValues: (kind: KnownValues.Kind, word: String)? {
    if let palette { return palette.wantedKind.map { ($0, palette.wantedWord) } }
    return editor?.wantedKind.map { ($0, "") }
  }

  /// Provides the values that complete what is being typed, as far as they are known, and asks for the others.
  mutating func complete(
    _ reader: PaneReader, _ sources: SourceTrouble, themes: [String], _ connection: inout Connection
  ) {
    guard let wanted = wantedValues else {
      if isClosed { completions.forgetAsked() }
      return
    }
    if completions.ask(wanted.kind, wanted.word) {
      switch wanted.kind {
      case .author: connection.call(.values(.author), Method.listFollowing, FollowsRequest())
      case .list: connection.call(.values(.list), Method.listLists, PageRequest())
      case .session: connection.call(.values(.session), Method.listSessions, PageRequest())
      case .file: connection.want(.listFiles(completions.folder))
      case .feed, .tag, .theme: break
      }
    }
    let values = completions.values(
      of: wanted.kind, reader, feeds: wanted.kind == .feed ? sources.feeds : [], themes: themes)
    updatePalette { $0.values = values }
    updateEditor { $0.values = values }
  }
}
