/// The style of text, before it is reduced to the colours of the terminal (``ColorDepth``).
public struct Style: Hashable, Sendable {
  /// Weights and lines (ECMA-48, 8.3.117).
  public struct Attributes: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// SGR 1.
    public static let bold = Attributes(rawValue: 1)
    /// SGR 2.
    public static let faint = Attributes(rawValue: 2)
    /// SGR 3.
    public static let italic = Attributes(rawValue: 4)
    /// SGR 4.
    public static let underline = Attributes(rawValue: 8)
    /// SGR 7.
    public static let inverse = Attributes(rawValue: 16)
  }

  public var foreground: Color
  public var background: Color
  public var attributes: Attributes

  /// A style; without arguments the terminal's own.
  public init(foreground: Color = .standard, background: Color = .standard, attributes: Attributes = []) {
    self.foreground = foreground
    self.background = background
    self.attributes = attributes
  }
}

/// A colour of text or background.
public enum Color: Hashable, Sendable {
  /// The terminal's own colour.
  case standard
  /// One of the 16 colours that every terminal has and the user has chosen: 0 to 7 dark, 8 to 15 bright.
  case named(UInt8)
  /// One of 256: 16 to 231 a cube of 6 x 6 x 6, 232 to 255 greys.
  case indexed(UInt8)
  /// A 24-bit colour.
  case rgb(UInt8, UInt8, UInt8)
}
