/// The colours and characters of a screen.
struct ScreenLook: Sendable {
  let theme: Theme
  let glyphs: Glyphs
}
