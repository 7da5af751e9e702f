/// Which client this is.
public enum ClientVersion {
  /// As semver.org writes versions.
  public static let current = "0.1.0"
}
