internal import Dates
internal import ViewState

extension LayoutParameters.TimeStyle {
  /// The corresponding style in `Dates`.
  var labelStyle: LabelStyle {
    switch self {
    case .words: .words
    case .veryShort: .veryShort
    case .short: .short
    case .long: .long
    }
  }
}
