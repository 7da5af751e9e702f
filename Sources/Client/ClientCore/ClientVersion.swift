/// The version of this client.
public enum ClientVersion {
  /// The version number (semver.org).
  public static let current = "0.1.0"
}
