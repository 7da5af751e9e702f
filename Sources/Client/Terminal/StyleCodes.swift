/// SGR (ECMA-48, 8.3.117): the shortest change from one style to another.
enum StyleCodes {
  /// Returns `style` with the colours that the terminal can show.
  static func reduced(_ style: Style, to depth: ColorDepth) -> Style {
    Style(
      foreground: depth.nearest(style.foreground), background: depth.nearest(style.background),
      attributes: style.attributes)
  }

  /// Appends the shorter of "the differences" and "reset, then everything". Both styles are reduced.
  static func append(from old: Style, to new: Style, to output: inout [UInt8]) {
    guard old != new else { return }
    let change = changes(from: old, to: new)
    // An omitted parameter is 0.
    let whole = new == Style() ? [] : [separator] + changes(from: Style(), to: new)
    output += [0x1B, 0x5B]
    output += change.count <= whole.count ? change : whole
    output.append(0x6D)
  }

  private static let separator: UInt8 = 0x3B

  private static let switches: [(Style.Attributes, on: UInt8, off: UInt8)] = [
    (.italic, 3, 23), (.underline, 4, 24), (.inverse, 7, 27),
  ]

  /// Returns the parameters as bytes rather than strings: a picture changes its style hundreds of times.
  private static func changes(from old: Style, to new: Style) -> [UInt8] {
    var codes: [UInt8] = []
    let (before, after) = (old.attributes, new.attributes)
    // Bold and faint can only be turned off together.
    let isLighter = !before.intersection([.bold, .faint]).subtracting(after).isEmpty
    if isLighter { append(22, to: &codes) }
    if after.contains(.bold), isLighter || !before.contains(.bold) { append(1, to: &codes) }
    if after.contains(.faint), isLighter || !before.contains(.faint) { append(2, to: &codes) }
    for (attribute, on, off) in switches where before.contains(attribute) != after.contains(attribute) {
      append(after.contains(attribute) ? on : off, to: &codes)
    }
    if old.foreground != new.foreground { append(new.foreground, base: 30, bright: 90, to: &codes) }
    if old.background != new.background { append(new.background, base: 40, bright: 100, to: &codes) }
    return codes
  }

  private static func append(_ color: Color, base: UInt8, bright: UInt8, to codes: inout [UInt8]) {
    switch color {
    case .standard: append(base + 9, to: &codes)
    case .named(let number): append(number < 8 ? base + number : bright + (number & 7), to: &codes)
    case .indexed(let number): for code in [base + 8, 5, number] { append(code, to: &codes) }
    case .rgb(let red, let green, let blue): for code in [base + 8, 2, red, green, blue] { append(code, to: &codes) }
    }
  }

  private static func append(_ code: UInt8, to codes: inout [UInt8]) {
    if !codes.isEmpty { codes.append(separator) }
    if code >= 100 { codes.append(0x30 + code / 100) }
    if code >= 10 { codes.append(0x30 + code / 10 % 10) }
    codes.append(0x30 + code % 10)
  }
}
