/// Who sees the public posts of an import.
public enum ImportSharing: Equatable, Sendable {
  /// Everyone.
  case everyone
  /// Everyone for posts by authors that the importer has claimed and by the author whose native ID is `archive`, which
  /// it is about to claim. Posts in the name of others are for the importer alone, except those that are stored for
  /// everyone already.
  case own(archive: String?)
}
