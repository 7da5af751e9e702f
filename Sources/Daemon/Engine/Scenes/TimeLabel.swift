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
