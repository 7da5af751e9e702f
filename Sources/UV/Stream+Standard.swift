internal import CUV

extension Stream {
  /// Returns standard input, a pipe or a socket, to be read on the loop.
  ///
  /// - Throws: `invalidArgument` if it is a file.
  public static func pipedInput(loop: Loop) throws(UVError) -> Stream { try standard(loop: loop, 0) }

  /// Returns standard output, a pipe or a socket, to be written to on the loop.
  ///
  /// - Throws: `invalidArgument` if it is a file.
  public static func pipedOutput(loop: Loop) throws(UVError) -> Stream { try standard(loop: loop, 1) }

  private static func standard(loop: Loop, _ descriptor: Int32) throws(UVError) -> Stream {
    let stream = try Stream(loop: loop, isPipe: true)
    do throws(UVError) {
      try UVError.check(
        unsafe uv_pipe_open(stream.memory.assumingMemoryBound(to: uv_pipe_t.self), descriptor))
    } catch {
      stream.close()
      throw error
    }
    return stream
  }
}
