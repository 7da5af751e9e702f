public import ClientCore

/// The number of colours a terminal can show.
public enum ColorDepth: Int, CaseIterable, Comparable, Sendable {
  /// The terminal's two default colours. Attributes remain: nothing is conveyed by colour alone.
  case none
  /// The 16 colours that the user has chosen.
  case sixteen
  /// Those, a cube of 6 x 6 x 6 and 24 greys.
  case indexed
  /// 24-bit colours.
  case full

  public static func < (left: ColorDepth, right: ColorDepth) -> Bool { left.rawValue < right.rawValue }

  /// Detects the colours of a terminal from its environment.
  ///
  /// ``ColorChoice`` decides whether there is colour at all, as in line mode. The depth is 24 bits if `COLORTERM` is
  /// `truecolor` or `24bit`, or `TERM` is a `-direct` entry or one of the terminals that set no `COLORTERM` over ssh
  /// (kitty, alacritty, foot, wezterm, ghostty); 256 if `TERM` says so; else 16.
  public static func detect(_ choice: ColorChoice, term: String?, colorTerm: String?, noColor: String?) -> ColorDepth {
    guard choice.usesColor(isTerminal: true, term: term, noColor: noColor) else { return .none }
    let term = term ?? ""
    if colorTerm == "truecolor" || colorTerm == "24bit" || term.hasSuffix("-direct") { return .full }
    let known = ["kitty", "alacritty", "foot", "wezterm", "ghostty"]
    if known.contains(where: { term == $0 || term.hasPrefix($0 + "-") || term.hasPrefix("xterm-" + $0) }) {
      return .full
    }
    return term.hasSuffix("256color") ? .indexed : .sixteen
  }

  /// Returns the colour nearest to `color` among those that can be shown.
  ///
  /// The distance is the sum of squared differences of red, green and blue, weighted 2, 4 and 3, roughly as the eye
  /// perceives them. Of the 256 colours only the cube (levels 0, 95, 135, 175, 215, 255) and the greys (8, 18, … 238)
  /// are candidates, because they are the same everywhere; of the 16 colours all are, with xterm's default values. Ties
  /// go to the first.
  public func nearest(_ color: Color) -> Color {
    switch (color, self) {
    case (.standard, _), (_, .none): .standard
    case (.named, _), (.indexed, .indexed), (.indexed, .full), (.rgb, .full): color
    case (.rgb(let red, let green, let blue), .indexed): .indexed(Self.nearestIndex(Self.RGB(red, green, blue)))
    case (.rgb(let red, let green, let blue), .sixteen): .named(Self.nearestNamed(Self.RGB(red, green, blue)))
    case (.indexed(let index), .sixteen):
      index < 16 ? .named(index) : .named(Self.nearestNamed(Self.rgb(ofIndex: index)))
    }
  }

  private struct RGB {
    var red: Int, green: Int, blue: Int

    init(_ red: UInt8, _ green: UInt8, _ blue: UInt8) {
      (self.red, self.green, self.blue) = (Int(red), Int(green), Int(blue))
    }

    func distance(to other: RGB) -> Int {
      let (red, green, blue) = (red - other.red, green - other.green, blue - other.blue)
      return 2 * red * red + 4 * green * green + 3 * blue * blue
    }
  }

  private static let levels: [UInt8] = [0, 95, 135, 175, 215, 255]

  /// xterm's default palette (XTerm-col.ad).
  private static let named: [RGB] = [
    RGB(0, 0, 0), RGB(205, 0, 0), RGB(0, 205, 0), RGB(205, 205, 0), RGB(0, 0, 238), RGB(205, 0, 205), RGB(0, 205, 205),
    RGB(229, 229, 229), RGB(127, 127, 127), RGB(255, 0, 0), RGB(0, 255, 0), RGB(255, 255, 0), RGB(92, 92, 255),
    RGB(255, 0, 255),
    RGB(0, 255, 255), RGB(255, 255, 255),
  ]

  private static func rgb(ofIndex index: UInt8) -> RGB {
    guard index < 232 else {
      let grey = 8 + 10 * (index - 232)
      return RGB(grey, grey, grey)
    }
    let cell = Int(index) - 16
    return RGB(levels[cell / 36], levels[cell / 6 % 6], levels[cell % 6])
  }

  private static func nearestIndex(_ color: RGB) -> UInt8 {
    (16...255).min { color.distance(to: rgb(ofIndex: $0)) < color.distance(to: rgb(ofIndex: $1)) }!
  }

  private static func nearestNamed(_ color: RGB) -> UInt8 {
    UInt8(named.indices.min { color.distance(to: named[$0]) < color.distance(to: named[$1]) }!)
  }
}
