/// The release of Stack.
public enum Release {
  /// The version reported to clients.
  public static let version = "0.1.0"
}
