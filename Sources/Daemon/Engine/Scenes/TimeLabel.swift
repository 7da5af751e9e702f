internal import Dates
internal import ViewState

extension LayoutParameters {
  /// Returns the style of the labels of rows, which may be under day lines or not.
  func labelStyle(underDays: Bool) -> LabelStyle {
    switch timeStyle {
    case .words: .words
    case .veryShort: .veryShort
    case .short: .short
    case .long: .long
    case .withinDay: underDays ? .withinDay : .veryShort
    }
  }
}

extension RowContent.Fields {
  /// The instant that the row's label tells: of a repost that of the original, beside whose author the label stands.
  var labelledAt: Instant {
    Instant(milliseconds: originalAtMilliseconds == 0 ? createdAtMilliseconds : originalAtMilliseconds)
  }

  /// Returns the style of the row's label among rows with this style. The line of a day says nothing about the original
  /// of a repost, so its label names the date.
  func labelStyle(among style: LabelStyle) -> LabelStyle {
    originalAtMilliseconds != 0 && style == .withinDay ? .veryShort : style
  }
}
