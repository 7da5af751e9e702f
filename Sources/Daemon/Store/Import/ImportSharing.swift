/// Whose word imported posts are (docs/adr/0031).
enum ImportWord {
  /// That of a file, which changes nothing of a source that has a program of its own.
  case file
  /// That of a feed, by the program that reads it.
  case feed
  /// That of a server, by the program that speaks for a login there.
  case server(OriginServer)

  /// The number of the server; 0 for none.
  var server: Int64 { if case .server(let server) = self { server.number } else { 0 } }
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
