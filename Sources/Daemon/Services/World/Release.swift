/// Which Stack this is.
public enum Release {
  /// The version told to clients.
  public static let version = "0.1.0"
}
