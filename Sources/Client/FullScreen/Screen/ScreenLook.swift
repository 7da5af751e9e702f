/// Colours and signs of a screen.
struct ScreenLook: Sendable {
  let theme: Theme
  let glyphs: Glyphs
}
