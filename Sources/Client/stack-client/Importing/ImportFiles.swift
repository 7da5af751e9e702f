internal import ClientCore
internal import UV

/// The files of an import, checked before anything is sent, so that a wrong name costs nothing.
struct ImportFiles {
  /// A file to import.
  struct File {
    /// The path; "-" is standard input.
    let path: String
    /// The file name without directories; some formats depend on it.
    let name: String
    /// The size in bytes; 0 if unknown.
    let size: UInt64
  }

  let files: [File]

  /// The total size in bytes; 0 if a size is unknown.
  var totalBytes: UInt64 { files.contains { $0.size == 0 } ? 0 : files.reduce(0) { $0 + $1.size } }

  /// Checks the files.
  ///
  /// - Parameter names: files, "-", or directories that contain an archive.
  init(_ names: [String]) throws(ClientFailure) {
    var files: [File] = []
    for name in names {
      guard name != "-" else {
        files.append(File(path: "-", name: "stdin", size: 0))
        continue
      }
      if try Self.kind(of: name) == .directory {
        files += try Self.archive(name)
      } else {
        files.append(try Self.file(name))
      }
    }
    self.files = files
  }

  /// Returns the kind of a file. If there is none, and its name is that of a format, says so: a format alone is an easy
  /// mistake.
  private static func kind(of name: String) throws(ClientFailure) -> FileSystem.Kind {
    do {
      return try FileReading.attempt(name) { () throws(UVError) in try FileSystem.look(at: name) }.kind
    } catch {
      guard error.exitCode == .notFound, ImportSelection.formats.contains(where: { $0.name == name }) else {
        throw error
      }
      throw ClientFailure(
        .notFound, error.message, hint: "\(name) is a format: name a file after it, or - for standard input")
    }
  }

  private static func file(_ path: String) throws(ClientFailure) -> File {
    let look = try FileReading.attempt(path) { () throws(UVError) in try FileSystem.look(at: path) }
    // Opened here already, so that an unreadable file is reported before a daemon is started.
    _ = try FileReading.attempt(path) { () throws(UVError) in try Descriptor(path: path, for: .reading) }
    let name = path.split(separator: "/").last.map(String.init) ?? path
    // A device or a pipe is named by its path.
    let isRegular = look.kind == .regular
    return File(path: path, name: isRegular ? name : path, size: isRegular ? look.size : 0)
  }

  private static func archive(_ folder: String) throws(ClientFailure) -> [File] {
    var names = try FileReading.attempt(folder) { () throws(UVError) in try FileSystem.names(in: folder) }
    if let inner = try? FileSystem.names(in: folder + "/data") { names += inner.map { "data/" + $0 } }
    let chosen = ImportSelection.archiveFiles(among: names)
    guard !chosen.isEmpty else {
      throw ClientFailure(
        .notFound, "\(folder) contains no archive: neither tweets.js nor outbox.json",
        hint: "name the files to import")
    }
    var files: [File] = []
    for name in chosen { files.append(try file(folder + "/" + name)) }
    return files
  }
}
