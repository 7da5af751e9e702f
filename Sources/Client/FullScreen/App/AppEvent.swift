public import Terminal
public import ViewState

/// What happens to an ``App``.
public enum AppEvent: Sendable {
  /// A connection stands: a view can be opened on it.
  case connected
  /// There is none, or it could not be made; why, in words.
  case disconnected(String)
  /// The view got a frame.
  case frame(Frame)
  /// The view's stream is over.
  case viewEnded(CallEnd)
  /// A call has its answer, under the number that it was made with.
  case answered(UInt64, Result<[UInt8], CallEnd>)
  /// Somebody did something.
  case input(InputEvent)
  /// The terminal has so many cells now.
  case resized(columns: Int, lines: Int)
  /// All that was drawn is on the screen.
  case painted
  /// It is time for what ``App/nextTick`` said.
  case tick
  /// An editor has ended: with a text, or with words about why not.
  case edited(Result<String, CallEnd>)
  /// A program that was started has something to say.
  case notice(String, isWarning: Bool)
}
