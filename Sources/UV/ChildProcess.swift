internal import CUV

/// A process started by this one.
public class ChildProcess: Handle {
  fileprivate var onExit: ((Int32) -> Void)?
  /// True until it has ended.
  fileprivate private(set) var isRunning = true

  /// The environment that a process gets from this one.
  enum Setup {
    /// A session of its own, the root as its working directory, no input, and its output and errors in one place.
    case detached(Descriptor)
    /// The terminal and the working directory of this process, with an optional replacement for its input.
    case foreground(Descriptor?)
    /// A stream for its input and one for its output, not opened yet; its errors go to this process's standard error.
    case piped(input: Stream, output: Stream)
  }

  /// Starts `arguments[0]` with the remaining arguments.
  ///
  /// - Parameter onExit: called once if it ends while this loop runs, with its status, or 128 plus the signal.
  /// - Throws: the error that prevented the start; `noSuchFile` if there is no such program.
  init(loop: Loop, arguments: [String], _ setup: Setup, onExit: @escaping (Int32) -> Void) throws(UVError) {
    self.onExit = onExit
    var status: Int32 = 0
    // libuv adds the handle to the loop's list even if it cannot start the process, so the handle counts as open either
    // way.
    try unsafe super.init(loop: loop, type: UV_PROCESS) { memory in
      status = unsafe ChildProcess.spawn(memory, loop: loop, arguments: arguments, setup)
      return 0
    }
    do {
      try UVError.check(status)
    } catch {
      close()
      throw error
    }
  }

  private static func spawn(_ memory: UnsafeMutableRawPointer, loop: Loop, arguments: [String], _ setup: Setup)
    -> Int32
  {
    let pointers = unsafe arguments.map { unsafe cuv_copy_string($0) } + [nil]
    defer { for index in unsafe pointers.indices { unsafe cuv_free(pointers[index]) } }
    var streams = unsafe [uv_stdio_container_t](repeating: uv_stdio_container_t(), count: 3)
    var isDetached = false
    switch setup {
    case .detached(let output):
      isDetached = true
      // Descriptors inherited from the parent's own parent must not live on in a daemon: a pipe would never end.
      uv_disable_stdio_inheritance()
      unsafe streams[0].flags = UV_IGNORE
      for index in 1...2 {
        unsafe streams[index].flags = UV_INHERIT_FD
        unsafe streams[index].data.fd = output.number
      }
    case .foreground(let input):
      for index in 0...2 {
        unsafe streams[index].flags = UV_INHERIT_FD
        unsafe streams[index].data.fd = index == 0 ? input?.number ?? 0 : Int32(index)
      }
    case .piped(let input, let output):
      // A socket pair each; libuv opens one end as the stream. "Readable" and "writable" refer to the child.
      unsafe streams[0].flags = uv_stdio_flags(UV_CREATE_PIPE.rawValue | UV_READABLE_PIPE.rawValue)
      unsafe streams[0].data.stream = input.stream
      unsafe streams[1].flags = uv_stdio_flags(UV_CREATE_PIPE.rawValue | UV_WRITABLE_PIPE.rawValue)
      unsafe streams[1].data.stream = output.stream
      unsafe streams[2].flags = UV_INHERIT_FD
      unsafe streams[2].data.fd = 2
    }
    return unsafe pointers.withUnsafeBufferPointer { pointers in
      unsafe streams.withUnsafeMutableBufferPointer { streams in
        unsafe "/".withCString { folder in
          var options = unsafe uv_process_options_t()
          unsafe options.file = UnsafePointer(pointers[0])
          // libuv only reads them; its type lacks const.
          unsafe options.args = UnsafeMutablePointer(mutating: pointers.baseAddress)
          if isDetached { unsafe options.cwd = folder }
          unsafe options.flags = isDetached ? UV_PROCESS_DETACHED.rawValue : 0
          unsafe options.stdio_count = Int32(streams.count)
          unsafe options.stdio = streams.baseAddress
          unsafe options.exit_cb = onProcessExit
          return unsafe uv_spawn(loop.pointer, memory.assumingMemoryBound(to: uv_process_t.self), &options)
        }
      }
    }
  }

  override func willClose() { onExit = nil }

  /// Called by the trampoline.
  func exited(status: Int64, signal: Int32) {
    isRunning = false
    let callback = onExit
    onExit = nil
    callback?(signal == 0 ? Int32(clamping: status) : 128 + signal)
  }
}

/// A process that continues after this one ends: it has its own session and process group, no terminal, the root as its
/// working directory, and none of this process's descriptors except the one for its output.
public final class DetachedProcess: ChildProcess {
  /// Starts `arguments[0]` with the remaining arguments. Its standard input is empty; its output and errors go to
  /// `output`.
  ///
  /// - Parameter onExit: called once if it ends while this loop runs, with its status, or 128 plus the signal.
  /// - Throws: the error that prevented the start; `noSuchFile` if there is no such program.
  public init(
    loop: Loop, arguments: [String], output: Descriptor, onExit: @escaping (Int32) -> Void
  ) throws(UVError) {
    try super.init(loop: loop, arguments: arguments, .detached(output), onExit: onExit)
    keepsLoopRunning = false
  }
}

/// A process that uses this one's terminal until it ends: an editor or a pager.
public final class ForegroundProcess: ChildProcess {
  /// Starts `arguments[0]` with the remaining arguments. This process should neither read nor write the terminal until
  /// `onExit`.
  ///
  /// - Parameters:
  ///   - input: replaces the terminal as its input; nil for the terminal.
  ///   - onExit: called once when it ends, with its status, or 128 plus the signal.
  /// - Throws: the error that prevented the start; `noSuchFile` if there is no such program.
  public init(
    loop: Loop, arguments: [String], input: Descriptor? = nil, onExit: @escaping (Int32) -> Void
  ) throws(UVError) {
    try super.init(loop: loop, arguments: arguments, .foreground(input), onExit: onExit)
  }
}

/// A process that communicates with this one: ``input`` is its standard input, ``output`` its standard output. Its
/// errors go to this process's standard error.
public final class PipedProcess: ChildProcess {
  /// For writing only. Closing it ends the process's input, upon which it should exit.
  public let input: Stream
  /// For reading only. It ends when the process, and every process that inherited it, has exited.
  public let output: Stream

  /// For ``end(within:)``.
  private var timer: Timer?
  private var isKilled = false

  /// Starts `arguments[0]` with the remaining arguments. It does not keep the loop running.
  ///
  /// - Parameter onExit: called once if it ends while this loop runs, with its status, or 128 plus the signal.
  /// - Throws: the error that prevented the start; `noSuchFile` if there is no such program.
  public init(loop: Loop, arguments: [String], onExit: @escaping (Int32) -> Void) throws(UVError) {
    let input = try Stream(loop: loop, isPipe: true)
    let output: Stream
    do throws(UVError) {
      output = try Stream(loop: loop, isPipe: true)
    } catch {
      input.close()
      throw error
    }
    self.input = input
    self.output = output
    do throws(UVError) {
      try super.init(loop: loop, arguments: arguments, .piped(input: input, output: output), onExit: onExit)
    } catch {
      input.close()
      output.close()
      throw error
    }
    for handle in [self, input, output] as [Handle] { handle.keepsLoopRunning = false }
  }

  /// Asks the process to end (SIGTERM). Has no effect on one that has ended.
  public func terminate() { kill(SIGTERM) }

  /// Closes the streams and ends the process: SIGTERM now, SIGKILL if it has not ended after `patience`. Until then it
  /// keeps the loop running, so that it is not left behind, as a zombie or alive. `onExit` is not called.
  public func end(within patience: Duration) {
    input.close()
    output.close()
    guard isRunning, isOpen,
      let timer = try? Timer(loop: loop, { [weak self] in self?.killOrAbandon(after: patience) })
    else { return close() }
    self.timer = timer
    keepsLoopRunning = true
    onExit = { [self] _ in
      timer.close()
      close()
    }
    terminate()
    timer.arm(after: patience)
  }

  /// Kills the process, which ends at once unless the kernel is stuck in a call of it. The loop waits for that no longer
  /// than `patience`.
  private func killOrAbandon(after patience: Duration) {
    guard !isKilled else { return keepsLoopRunning = false }
    isKilled = true
    kill(SIGKILL)
    timer?.arm(after: patience)
  }

  private func kill(_ signal: Int32) {
    guard isOpen else { return }
    // The only possible failure is that the process no longer exists.
    _ = unsafe uv_process_kill(memory.assumingMemoryBound(to: uv_process_t.self), signal)
  }
}
