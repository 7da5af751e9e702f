/// Whose word imported posts are (docs/adr/0031).
enum ImportWord {
  /// That of a file, which changes nothing of a source that has a program of its own.
  case file
  /// That of the source itself, by its program.
  case source
}

/// Who sees the public posts of an import.
public enum ImportSharing: Equatable, Sendable {
  /// Everyone.
  case everyone
  /// Everyone for posts by authors that the importer has claimed and by the author whose native ID is `archive`, which
  /// it is about to claim. Posts in the name of others are for the importer alone, except those that are stored for
  /// everyone already.
  case own(archive: String?)
}
