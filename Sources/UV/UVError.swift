internal import CUV

/// A libuv error: a negative errno, or one of libuv's own numbers (docs.libuv.org/en/v1.x/errors.html).
///
/// End of stream is not among them: it is a fact about a stream, told by its own callback.
public struct UVError: Error, RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  /// libuv's number: below zero.
  public let rawValue: Int32

  /// Wraps a number that libuv returned.
  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// Nothing is at the path (`ENOENT`).
  public static let noSuchFile = UVError(UV_ENOENT)
  /// Something is at the path already (`EEXIST`).
  public static let fileExists = UVError(UV_EEXIST)
  /// Nobody listens there (`ECONNREFUSED`).
  public static let connectionRefused = UVError(UV_ECONNREFUSED)
  /// The peer tore the connection down (`ECONNRESET`).
  public static let connectionReset = UVError(UV_ECONNRESET)
  /// The address is taken (`EADDRINUSE`).
  public static let addressInUse = UVError(UV_EADDRINUSE)
  /// The file's or directory's mode forbids it (`EACCES`).
  public static let permissionDenied = UVError(UV_EACCES)
  /// Only the owner or root may do it (`EPERM`).
  public static let notPermitted = UVError(UV_EPERM)
  /// Not now: the socket's buffer is full, or another holds the lock (`EAGAIN`).
  public static let tryAgain = UVError(UV_EAGAIN)
  /// The argument makes no sense to the kernel or to libuv (`EINVAL`).
  public static let invalidArgument = UVError(UV_EINVAL)
  /// The path is longer than a socket address may be (`ENAMETOOLONG`).
  public static let nameTooLong = UVError(UV_ENAMETOOLONG)
  /// A handle of the loop is still open (`EBUSY`).
  public static let busy = UVError(UV_EBUSY)
  /// The request was given up because its handle was closed (`ECANCELED`).
  public static let cancelled = UVError(UV_ECANCELED)
  /// The time allowed has passed (`ETIMEDOUT`).
  public static let timedOut = UVError(UV_ETIMEDOUT)
  /// The file is larger than the caller allowed (`EFBIG`).
  public static let fileTooLarge = UVError(UV_EFBIG)
  /// The peer has gone and reads no more (`EPIPE`).
  public static let brokenPipe = UVError(UV_EPIPE)

  /// A signal came first (`EINTR`).
  public static let interrupted = UVError(UV_EINTR)

  /// libuv's name of it: `ENOENT`.
  public var name: String { unsafe String(cString: uv_err_name(rawValue)) }

  /// libuv's sentence for it: `no such file or directory`.
  public var description: String { unsafe String(cString: uv_strerror(rawValue)) }

  private init(_ number: uv_errno_t) { self.init(rawValue: number.rawValue) }

  /// Throws what a libuv call returned if that was an error, and gives back the number otherwise.
  @discardableResult
  static func check(_ result: Int32) throws(UVError) -> Int32 {
    guard result >= 0 else { throw UVError(rawValue: result) }
    return result
  }
}
