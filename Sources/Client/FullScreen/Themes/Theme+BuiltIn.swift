internal import Terminal

extension Theme {
  /// Light text on a dark background.
  public static let dark = Theme(
    name: "dark",
    styles: [
      .text: look(0xD8DEE9, on: 0x1C1F26), .author: look(0xFFFFFF, .bold), .handle: look(0x8F9BB0),
      .label: look(0x8F9BB0),
      .mention: look(0x7FC8F8), .hashtag: look(0xC9A6F5), .link: look(0x7FC8F8, .underline), .warning: look(0xF2C572),
      .found: look(0xFFF2C9, on: 0x5C4A12, [.bold, .underline]),
      .counts: look(0x8F9BB0), .repost: look(0x8FCFA0), .day: look(0xB9C4D6, .bold), .border: look(0x4A5262),
      .borderFocused: look(0x7C889E), .borderSelected: look(0x55ACEE), .selected: look(on: 0x272D3A),
      .pinned: look(on: 0x2C3444),
      .guide: look(0x4A5262), .unread: look(0x66BB6A, .bold), .avatar: look(0xFFFFFF, .bold),
      .title: look(0xA9B4C6, on: 0x14161B),
      .titleFocused: look(0xFFFFFF, on: 0x2B4257, .bold), .covered: look(0x55ACEE), .thumb: look(0x7C889E),
      .clock: look(0xFFFFFF, on: 0x3A4150), .note: look(0x8F9BB0), .navigation: look(0xC3CBD9, on: 0x14161B),
      .navigationSelected: look(0xFFFFFF, on: 0x2B4257, .bold), .navigationGlow: look(0x7FD3FF, .bold),
      .navigationLine: look(0x2A2F39),
      .account: look(0xFFFFFF, .bold), .footer: look(0x7C889E), .status: look(0xC3CBD9, on: 0x14161B),
      .statusKey: look(0x7FC8F8, .bold),
      .statusWarning: look(0xF2C572, .bold), .panel: look(0xD8DEE9, on: 0x252A34), .panelBorder: look(0x55ACEE),
      .panelTitle: look(0xFFFFFF, .bold), .panelSelected: look(0xFFFFFF, on: 0x2B4257),
      .panelFaint: look(0x9AA6BA), .key: look(0x7FC8F8, .bold),
      .field: look(0xFFFFFF), .error: look(0xFF9C8A, .bold),
    ],
    avatars: [0x8C3B3B, 0x8A5A1F, 0x5D6B1E, 0x2F6E3B, 0x1F6B66, 0x26618F, 0x4A55A2, 0x70489A, 0x8B3F78, 0x5B5F66].map(
      rgb))

  /// Dark text on a light background.
  public static let light = Theme(
    name: "light",
    styles: [
      .text: look(0x20242C, on: 0xFFFFFF), .author: look(0x000000, .bold), .handle: look(0x5A6472),
      .label: look(0x5A6472),
      .mention: look(0x0B5CAD), .hashtag: look(0x6F35A5), .link: look(0x0B5CAD, .underline), .warning: look(0x8A5200),
      .found: look(0x3D2B00, on: 0xFFE9A8, [.bold, .underline]),
      .counts: look(0x5A6472), .repost: look(0x1E6B34), .day: look(0x343B47, .bold), .border: look(0xB5BDC9),
      .borderFocused: look(0x7C889E), .borderSelected: look(0x1B74C5), .selected: look(on: 0xE6F0FA),
      .pinned: look(on: 0xDCE8F5),
      .guide: look(0xB5BDC9), .unread: look(0x1E6B34, .bold), .avatar: look(0xFFFFFF, .bold),
      .title: look(0x454D5A, on: 0xE4E8EE),
      .titleFocused: look(0x0A2A45, on: 0xC6DDF3, .bold), .covered: look(0x1B74C5), .thumb: look(0x7C889E),
      .clock: look(0xFFFFFF, on: 0x454D5A), .note: look(0x5A6472), .navigation: look(0x343B47, on: 0xF1F4F8),
      .navigationSelected: look(0x0A2A45, on: 0xC6DDF3, .bold), .navigationGlow: look(0x0B5CAD, .bold),
      .navigationLine: look(0xDCE2EA),
      .account: look(0x000000, .bold), .footer: look(0x5A6472), .status: look(0x343B47, on: 0xE4E8EE),
      .statusKey: look(0x0B5CAD, .bold),
      .statusWarning: look(0x8A4400, .bold), .panel: look(0x20242C, on: 0xF3F5F8), .panelBorder: look(0x1B74C5),
      .panelTitle: look(0x000000, .bold), .panelSelected: look(0x0A2A45, on: 0xC6DDF3),
      .panelFaint: look(0x525B68), .key: look(0x0B5CAD, .bold),
      .field: look(0x000000), .error: look(0xA61B0B, .bold),
    ],
    avatars: [0x8C3B3B, 0x8A5A1F, 0x5D6B1E, 0x2F6E3B, 0x1F6B66, 0x26618F, 0x4A55A2, 0x70489A, 0x8B3F78, 0x5B5F66].map(
      rgb))

  /// Few colours with strong contrasts; nothing is faint.
  public static let highContrast = Theme(
    name: "high-contrast",
    styles: [
      .text: look(0xFFFFFF, on: 0x000000), .author: look(0xFFFFFF, .bold), .handle: look(0xFFFFFF),
      .label: look(0xFFFFFF),
      .mention: look(0x00FFFF, .underline), .hashtag: look(0xFFFF00), .link: look(0x00FFFF, .underline),
      .warning: look(0xFFFF00, .bold),
      .found: look(0x000000, on: 0xFFFF00, [.bold, .underline]),
      .counts: look(0xFFFFFF), .repost: look(0xFFFFFF), .day: look(0xFFFF00, .bold), .border: look(0xFFFFFF),
      .borderFocused: look(0xFFFFFF, .bold), .borderSelected: look(0xFFFF00, .bold), .selected: look(on: 0x00005F),
      .pinned: look(on: 0x00005F),
      .guide: look(0xFFFFFF), .unread: look(0x00FF00, .bold), .avatar: look(0x000000, .bold),
      .title: look(0xFFFFFF, on: 0x000000),
      .titleFocused: look(0x000000, on: 0xFFFF00, .bold), .covered: look(0xFFFFFF), .thumb: look(0xFFFF00),
      .clock: look(0x000000, on: 0xFFFFFF), .note: look(0xFFFFFF), .navigation: look(0xFFFFFF, on: 0x000000),
      .navigationSelected: look(0x000000, on: 0xFFFF00, .bold), .navigationGlow: look(attributes: [.bold, .underline]),
      .navigationLine: look(0xFFFFFF), .account: look(0xFFFFFF, .bold), .footer: look(0xFFFFFF),
      .status: look(0x000000, on: 0xFFFFFF),
      .statusKey: look(0x000000, .bold), .statusWarning: look(0xFFFFFF, on: 0xA00000, .bold),
      .panel: look(0xFFFFFF, on: 0x000000),
      .panelBorder: look(0xFFFF00), .panelTitle: look(0xFFFF00, .bold), .panelSelected: look(0x000000, on: 0xFFFF00),
      .panelFaint: look(attributes: []), .key: look(attributes: .bold), .field: look(attributes: .underline),
      .error: look(0xFFFFFF, on: 0xA00000, .bold),
    ],
    avatars: [0xFFFF00, 0x00FFFF, 0x00FF00, 0xFFFFFF, 0xFFB0FF].map(rgb))

  private static func rgb(_ number: UInt32) -> Color {
    .rgb(
      UInt8(truncatingIfNeeded: number >> 16), UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number)
    )
  }

  private static func look(_ foreground: UInt32, _ attributes: Style.Attributes = []) -> Style {
    Style(foreground: rgb(foreground), attributes: attributes)
  }

  private static func look(_ foreground: UInt32, on background: UInt32, _ attributes: Style.Attributes = []) -> Style {
    Style(foreground: rgb(foreground), background: rgb(background), attributes: attributes)
  }

  private static func look(on background: UInt32) -> Style { Style(background: rgb(background)) }

  private static func look(attributes: Style.Attributes) -> Style { Style(attributes: attributes) }
}
