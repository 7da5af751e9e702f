/// SGR (ECMA-48, 8.3.117): what changes the terminal's look from one style to another, and no more.
enum StyleCodes {
  /// `style` as a terminal with so many colours shows it.
  static func reduced(_ style: Style, to depth: ColorDepth) -> Style {
    Style(
      foreground: depth.nearest(style.foreground), background: depth.nearest(style.background), attributes: style.attributes)
  }

  /// Appends the shorter of "what differs" and "nothing, then all of it". Both styles are reduced ones.
  static func append(from old: Style, to new: Style, to output: inout [UInt8]) {
    guard old != new else { return }
    let change = changes(from: old, to: new)
    let fresh = changes(from: Style(), to: new)
    let whole = fresh.isEmpty ? "" : ";" + fresh.joined(separator: ";")
    let partial = change.joined(separator: ";")
    output += Array((partial.utf8.count <= whole.utf8.count ? "\u{1B}[\(partial)m" : "\u{1B}[\(whole)m").utf8)
  }

  private static let switches: [(Style.Attributes, on: String, off: String)] = [
    (.italic, "3", "23"), (.underline, "4", "24"), (.inverse, "7", "27"),
  ]

  private static func changes(from old: Style, to new: Style) -> [String] {
    var codes: [String] = []
    let (before, after) = (old.attributes, new.attributes)
    // Bold and faint are switched off together.
    let isLighter = !before.intersection([.bold, .faint]).subtracting(after).isEmpty
    if isLighter { codes.append("22") }
    if after.contains(.bold), isLighter || !before.contains(.bold) { codes.append("1") }
    if after.contains(.faint), isLighter || !before.contains(.faint) { codes.append("2") }
    for (attribute, on, off) in switches where before.contains(attribute) != after.contains(attribute) {
      codes.append(after.contains(attribute) ? on : off)
    }
    if old.foreground != new.foreground { codes.append(code(new.foreground, base: 30, bright: 90)) }
    if old.background != new.background { codes.append(code(new.background, base: 40, bright: 100)) }
    return codes
  }

  private static func code(_ color: Color, base: Int, bright: Int) -> String {
    switch color {
    case .standard: "\(base + 9)"
    case .named(let number): number < 8 ? "\(base + Int(number))" : "\(bright + Int(number & 7))"
    case .indexed(let number): "\(base + 8);5;\(number)"
    case .rgb(let red, let green, let blue): "\(base + 8);2;\(red);\(green);\(blue)"
    }
  }
}
