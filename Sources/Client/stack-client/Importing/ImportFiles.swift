internal import ClientCore
internal import UV

/// The files of an import, looked at before anything is sent, so that a wrong name costs nothing.
struct ImportFiles {
  /// One of them.
  struct File {
    /// Where it is; "-" is standard input.
    let path: String
    /// Without folders, if it is a file: some formats go by it.
    let name: String
    /// 0 where unknown.
    let size: UInt64
  }

  let files: [File]

  /// Bytes of all of them; 0 where that of one is unknown.
  var totalBytes: UInt64 { files.contains { $0.size == 0 } ? 0 : files.reduce(0) { $0 + $1.size } }

  /// - Parameter names: files, "-", or folders, each of which stands for the files of the archive in it.
  init(_ names: [String]) throws(ClientFailure) {
    var files: [File] = []
    for name in names {
      guard name != "-" else {
        files.append(File(path: "-", name: "stdin", size: 0))
        continue
      }
      let found = try FileReading.attempt(name) { () throws(UVError) in try FileSystem.look(at: name) }
      if found.kind == .directory {
        files += try Self.archive(name)
      } else {
        files.append(try Self.file(name))
      }
    }
    self.files = files
  }

  private static func file(_ path: String) throws(ClientFailure) -> File {
    let (kind, size) = try FileReading.attempt(path) { () throws(UVError) in try FileSystem.look(at: path) }
    // Opened once already here: a file that may not be read is told of before a daemon is started for it.
    _ = try FileReading.attempt(path) { () throws(UVError) in try Descriptor(path: path, for: .reading) }
    let name = path.split(separator: "/").last.map(String.init) ?? path
    // A device or a pipe is known by its path alone.
    return File(path: path, name: kind == .regular ? name : path, size: kind == .regular ? size : 0)
  }

  private static func archive(_ folder: String) throws(ClientFailure) -> [File] {
    var names = try FileReading.attempt(folder) { () throws(UVError) in try FileSystem.names(in: folder) }
    if let inner = try? FileSystem.names(in: folder + "/data") { names += inner.map { "data/" + $0 } }
    let chosen = ImportSelection.archiveFiles(among: names)
    guard !chosen.isEmpty else {
      throw ClientFailure(
        .notFound, "\(folder) holds no archive: there is neither tweets.js nor outbox.json",
        hint: "name the files themselves")
    }
    var files: [File] = []
    for name in chosen { files.append(try file(folder + "/" + name)) }
    return files
  }
}
