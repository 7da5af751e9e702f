public import HTTPSupport
internal import UV

/// Reads documents from files of this machine.
public enum FileFetching {
  /// Reads the file of a request at once, as if a server had sent it: its entity tag is made of its modification time and
  /// size, and the status is 304 if that is the one of the request.
  public static func fetch(_ request: FetchRequest) -> Result<FetchResponse, FetchFailure> {
    guard let path = request.url.filePath else { return .failure(FetchFailure("not the address of a file")) }
    do throws(UVError) {
      let file = try FileSystem.look(at: path)
      // Opening a named pipe would block until somebody writes to it.
      guard file.kind == .regular else { return .failure(FetchFailure("not a regular file: \(path)")) }
      let tag = Array("\(file.modified)-\(file.size)".utf8)
      let isUnchanged = request.validators.entityTag == tag
      let body = isUnchanged ? [] : try FileSystem.read(path, limit: request.byteLimit)
      return .success(
        FetchResponse(
          status: isUnchanged ? 304 : 200, fields: [(name: "etag", value: tag)], body: body, url: request.url))
    } catch {
      return .failure(FetchFailure(reason(error, path, request)))
    }
  }

  private static func reason(_ error: UVError, _ path: String, _ request: FetchRequest) -> String {
    switch error {
    case .noSuchFile: "there is no file \(path)"
    case .permissionDenied: "\(path) may not be read by the daemon"
    case .fileTooLarge: "the file is longer than \(request.byteLimit >> 20) MiB"
    default: "\(path): \(error)"
    }
  }
}
