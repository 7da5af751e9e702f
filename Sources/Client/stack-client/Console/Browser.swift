internal import UV

/// The browser of whoever runs the client.
enum Browser {
  /// The program that opens addresses: `$BROWSER`, or `xdg-open`.
  static var program: String {
    UV.Process.environment("BROWSER").flatMap { $0.isEmpty ? nil : $0 } ?? "xdg-open"
  }
}
