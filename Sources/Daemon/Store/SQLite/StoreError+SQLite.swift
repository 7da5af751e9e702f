internal import CSQLite

extension StoreError {
  /// Translates a result code of SQLite into a message for the user.
  ///
  /// - Parameters:
  ///   - code: an extended result code.
  ///   - systemError: `errno` of the failed call, from `sqlite3_system_errno`, or 0.
  ///   - detail: SQLite's own message, for the kinds that include it.
  ///   - path: the store's file, for the message.
  init(code: Int32, systemError: Int32, detail: String, path: String) {
    let kind = Kind(code: code, systemError: systemError)
    let message =
      switch kind {
      case .diskFull: "no space left for the store \(path); free some space and try again"
      case .readOnly: "the store \(path) cannot be written; check the permissions of the file and of its folder"
      case .busy: "another process is using the store \(path); stop it and try again"
      case .corrupt: "the store \(path) is damaged (\(detail)); move it away and restore a backup or import again"
      case .notADatabase: "\(path) is not a store; move it away or choose another file"
      case .newerSchema: "the store \(path) was written by a later version of Stack; install that version"
      case .olderSchema: "the store \(path) was written by an earlier version of Stack; export it with that version"
      case .exists: "the store \(path) already exists"
      case .cannotOpen:
        "the store \(path) cannot be opened; check that its folder exists and that you may read and write it"
      case .inputOutput:
        "the disk failed while using the store \(path) (\(detail), errno \(systemError)); check the disk"
      case .other: "the store \(path) failed: \(detail) (code \(code))"
      }
    self.init(kind: kind, code: code, message: message)
  }

  /// The error when a copy of the store to `path` could not be started, by `errno`.
  init(creatingCopy path: String, systemError: Int32) {
    let (kind, problem): (Kind, String) =
      switch systemError {
      case 17: (.exists, "it already exists; choose another path or move it away")
      case 36: (.cannotOpen, "its name is too long; choose a shorter one")
      case 2, 20, 21, 40: (.cannotOpen, "its folder does not exist; create it first or choose another path")
      default:
        (
          Kind(code: SQLITE_IOERR, systemError: systemError),
          "the daemon cannot write there (errno \(systemError)); choose another path"
        )
      }
    self.init(kind: kind, message: "cannot write a copy to \(path): \(problem)")
  }
}

extension StoreError.Kind {
  /// ENOSPC, EDQUOT and EFBIG on Linux: no room on the disk, in the quota, or under the file size limit.
  private static let noRoom: Set<Int32> = [28, 122, 27]
  /// EACCES, EPERM and EROFS on Linux.
  private static let noPermission: Set<Int32> = [13, 1, 30]

  /// The kind of an extended result code and the `errno` behind it.
  init(code: Int32, systemError: Int32) {
    switch code & 0xFF {
    case SQLITE_FULL: self = .diskFull
    case SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH: self = .readOnly
    case SQLITE_BUSY, SQLITE_LOCKED: self = .busy
    case SQLITE_CORRUPT: self = .corrupt
    case SQLITE_NOTADB: self = .notADatabase
    case SQLITE_CANTOPEN: self = .cannotOpen
    case SQLITE_IOERR where Self.noRoom.contains(systemError): self = .diskFull
    case SQLITE_IOERR where Self.noPermission.contains(systemError): self = .readOnly
    case SQLITE_IOERR: self = .inputOutput
    default: self = .other
    }
  }
}
