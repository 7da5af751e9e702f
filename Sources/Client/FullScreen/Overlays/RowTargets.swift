internal import ClientCore
internal import ViewState

/// The targets of a post's links, mentions, hashtags and attachments.
struct RowTargets {
  private let fields: RowContent.Fields

  /// The targets of a row.
  init(_ row: PlacedRow) { fields = row.content.fields }

  /// Returns the targets of the spans of a kind, each once.
  private func spans(_ kind: RowSpan.Kind) -> [(text: String, target: [UInt8])] {
    var known: Set<[UInt8]> = []
    return fields.spans.filter { $0.kind == kind && known.insert($0.target).inserted }.map { span in
      let range = span.range.clamped(to: 0..<fields.text.count)
      return (String(decoding: fields.text[range], as: UTF8.self), span.target)
    }
  }

  /// The links, as a menu.
  var links: [(Menu.Item, Dialog.Choice)] {
    spans(.link).map {
      (Menu.Item($0.text, detail: String(decoding: $0.target, as: UTF8.self)), .browse($0.target))
    }
  }

  /// The attachments, as a menu.
  var attachments: [(Menu.Item, Dialog.Choice)] {
    fields.media.map { item in
      let text = item.altText.isEmpty ? "(no description)" : String(decoding: item.altText, as: UTF8.self)
      return (Menu.Item(text, detail: "\(item.kind)"), .browse(item.url))
    }
  }

  /// The people mentioned, as a menu.
  var people: [(Menu.Item, Dialog.Choice)] {
    spans(.mention).map { String(decoding: $0.target, as: UTF8.self) }.map { (Menu.Item("@\($0)"), .author("@\($0)")) }
  }

  /// The hashtags, as a menu.
  var topics: [(Menu.Item, Dialog.Choice)] {
    spans(.hashtag).map { String(decoding: $0.target, as: UTF8.self) }.map { (Menu.Item("#\($0)"), .tag($0)) }
  }
}
