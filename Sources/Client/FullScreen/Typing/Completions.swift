internal import ClientCore
internal import Messages
internal import ViewState

/// What is known to complete a word with, and what has been asked for.
struct Completions {
  private var authors: [String] = []
  private var lists: [String] = []
  private var sessions: [String] = []
  /// The folder whose files are wanted, as typed.
  private(set) var folder = ""
  private var files: [String] = []
  /// The kinds asked for since the box opened.
  private var asked: Set<KnownValues.Kind> = []

  /// Returns true if values of a kind must be asked for: the first time, and for each folder.
  mutating func ask(_ kind: KnownValues.Kind, _ word: String) -> Bool {
    guard kind == .file else { return asked.insert(kind).inserted }
    let wanted = word.lastIndex(of: "/").map { String(word[...$0]) } ?? ""
    let isNew = asked.insert(.file).inserted || wanted != folder
    if isNew { (folder, files) = (wanted, []) }
    return isNew
  }

  /// Forgets what was asked for.
  mutating func forgetAsked() { asked = [] }

  /// Takes over the files of a folder, if they are still wanted.
  mutating func list(_ names: [String], in folder: String) { if folder == self.folder { files = names } }

  /// Takes over the values that the daemon has listed. Accounts that may not list them complete nothing.
  mutating func answered(_ kind: KnownValues.Kind, _ result: Result<[UInt8], CallEnd>) {
    guard case .success(let bytes) = result else { return }
    switch kind {
    case .author: authors = ((try? FollowsResponse(decoding: bytes))?.authors ?? []).map(\.reference)
    case .list: lists = ((try? ListListsResponse(decoding: bytes))?.lists ?? []).map(\.name)
    case .session: sessions = ((try? ListSessionsResponse(decoding: bytes))?.sessions ?? []).map(\.name)
    case .feed, .file, .tag, .theme: break
    }
  }

  /// Returns the values of a kind, with those of the rows that are held, in the focused pane first. Hidden files are left
  /// out.
  func values(
    of kind: KnownValues.Kind, _ reader: PaneReader, feeds: [SourceSummary], themes: [String]
  ) -> KnownValues {
    let panes = [reader.focused].compactMap(\.self) + reader.mirror.panes
    let rows = panes.lazy.flatMap(\.rows).map(\.content.fields)
    var values = KnownValues()
    switch kind {
    case .author: values.set(rows.map(\.author.reference) + authors, of: kind)
    case .feed: values.set(feeds.map(\.shownTitle), of: kind)
    case .file: values.set(files.filter { !$0.hasPrefix(".") }.map { folder + $0 }, of: kind)
    case .list: values.set(lists, of: kind)
    case .session: values.set(sessions, of: kind)
    case .tag: values.set(rows.flatMap(\.tags), of: kind)
    case .theme: values.set(themes, of: kind)
    }
    return values
  }
}

extension RowAuthor {
  /// The author's name on a command line; empty for none.
  fileprivate var reference: String { handle.isEmpty ? "" : "@" + String(decoding: handle, as: UTF8.self) }
}

extension RowContent.Fields {
  /// The hashtags of the text.
  fileprivate var tags: [String] {
    spans.filter { $0.kind == .hashtag }.map { "#" + String(decoding: $0.target, as: UTF8.self) }
  }
}
