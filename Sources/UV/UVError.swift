internal import CUV

/// A libuv error: a negative errno, or one of libuv's own numbers (docs.libuv.org/en/v1.x/errors.html).
///
/// End of stream is not an error: it is reported by its own callback.
public struct UVError: Error, RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  /// libuv's number, which is negative.
  public let rawValue: Int32

  /// Wraps a number that libuv returned.
  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// Nothing exists at the path (`ENOENT`).
  public static let noSuchFile = UVError(UV_ENOENT)
  /// Something already exists at the path (`EEXIST`).
  public static let fileExists = UVError(UV_EEXIST)
  /// No process listens there (`ECONNREFUSED`).
  public static let connectionRefused = UVError(UV_ECONNREFUSED)
  /// The peer reset the connection (`ECONNRESET`).
  public static let connectionReset = UVError(UV_ECONNRESET)
  /// The address is taken (`EADDRINUSE`).
  public static let addressInUse = UVError(UV_EADDRINUSE)
  /// The mode of the file or directory forbids it (`EACCES`).
  public static let permissionDenied = UVError(UV_EACCES)
  /// Only the owner or root may do it (`EPERM`).
  public static let notPermitted = UVError(UV_EPERM)
  /// Not possible now: the socket's buffer is full, or another process holds the lock (`EAGAIN`).
  public static let tryAgain = UVError(UV_EAGAIN)
  /// The argument is invalid to the kernel or to libuv (`EINVAL`).
  public static let invalidArgument = UVError(UV_EINVAL)
  /// The path is too long for a socket address (`ENAMETOOLONG`).
  public static let nameTooLong = UVError(UV_ENAMETOOLONG)
  /// A handle of the loop is still open (`EBUSY`).
  public static let busy = UVError(UV_EBUSY)
  /// The request was cancelled because its handle was closed (`ECANCELED`).
  public static let cancelled = UVError(UV_ECANCELED)
  /// The time limit has passed (`ETIMEDOUT`).
  public static let timedOut = UVError(UV_ETIMEDOUT)
  /// The file is larger than the caller's limit (`EFBIG`).
  public static let fileTooLarge = UVError(UV_EFBIG)
  /// A symbolic link, where none is followed (`ELOOP`).
  public static let tooManyLinks = UVError(UV_ELOOP)
  /// A directory, which cannot be written (`EISDIR`).
  public static let isDirectory = UVError(UV_EISDIR)
  /// A socket or a device without a driver, which cannot be opened (`ENXIO`).
  public static let noSuchDevice = UVError(UV_ENXIO)
  /// The peer has gone (`EPIPE`).
  public static let brokenPipe = UVError(UV_EPIPE)

  /// A signal came first (`EINTR`).
  public static let interrupted = UVError(UV_EINTR)

  /// libuv's name of the error, such as `ENOENT`.
  public var name: String { unsafe String(cString: uv_err_name(rawValue)) }

  /// libuv's description of the error, such as `no such file or directory`.
  public var description: String { unsafe String(cString: uv_strerror(rawValue)) }

  private init(_ number: uv_errno_t) { self.init(rawValue: number.rawValue) }

  /// Throws the result of a libuv call if it is an error, and returns it otherwise.
  @discardableResult
  static func check(_ result: Int32) throws(UVError) -> Int32 {
    guard result >= 0 else { throw UVError(rawValue: result) }
    return result
  }
}
