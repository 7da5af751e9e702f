internal import CUV

// The C functions that libuv calls, and nothing else. Each recovers its object and calls one method of it.

/// Returns the object in a handle's `data`, borrowed: the handle's own retain keeps it alive for the call.
private func object<Object: AnyObject>(_ data: UnsafeMutableRawPointer?, as type: Object.Type) -> Object {
  guard let data = unsafe data else { preconditionFailure("libuv called back on a handle without an object") }
  return unsafe Unmanaged<Object>.fromOpaque(data).takeUnretainedValue()
}

/// Returns the object that a request owns through its `data`; the request has ended, so the retain is consumed.
private func finished<Object: AnyObject>(_ data: UnsafeMutableRawPointer?, as type: Object.Type) -> Object {
  guard let data = unsafe data else { preconditionFailure("libuv ended a request without an object") }
  return unsafe Unmanaged<Object>.fromOpaque(data).takeRetainedValue()
}

/// `uv_close_cb`: releases the retain made by `Handle.init`.
let onHandleClosed: uv_close_cb = { handle in
  unsafe finished(handle?.pointee.data, as: Handle.self).didClose()
}

/// `uv_walk_cb`: closes the remaining handles when a loop ends.
let onWalk: uv_walk_cb = { handle, _ in
  unsafe object(handle?.pointee.data, as: Handle.self).close()
}

/// `uv_timer_cb`.
let onTimer: uv_timer_cb = { handle in unsafe object(handle?.pointee.data, as: Timer.self).fired() }

/// `uv_prepare_cb`: handles the effects of this iteration's timers before the poll, which may block.
let onPrepare: uv_prepare_cb = { handle in unsafe object(handle?.pointee.data, as: Handle.self).loop.endTurn() }

/// `uv_check_cb`: handles the results of the poll right after it.
let onCheck: uv_check_cb = { handle in unsafe object(handle?.pointee.data, as: Handle.self).loop.endTurn() }

/// `uv_idle_cb`: does nothing; an active idle handle keeps the poll from blocking.
let onIdle: uv_idle_cb = { _ in }

/// `uv_async_cb`.
let onAsync: uv_async_cb = { handle in unsafe object(handle?.pointee.data, as: AsyncHandle.self).woken() }

/// `uv_signal_cb`.
let onSignal: uv_signal_cb = { handle, _ in unsafe object(handle?.pointee.data, as: Signal.self).received() }

/// `uv_poll_cb`.
let onFolderChange: uv_poll_cb = { handle, _, _ in unsafe object(handle?.pointee.data, as: FolderWatch.self).changed() }

/// `uv_poll_cb` of a descriptor of somebody else.
let onDescriptorReady: uv_poll_cb = { handle, status, events in
  unsafe object(handle?.pointee.data, as: DescriptorPoll.self).ready(status: status, events: events)
}

/// `uv_connection_cb`.
let onConnection: uv_connection_cb = { server, status in
  unsafe object(server?.pointee.data, as: Listener.self).connectionReady(status: status)
}

/// `uv_connect_cb`.
let onConnect: uv_connect_cb = { request, status in
  unsafe finished(request?.pointee.data, as: ConnectRequest.self).ended(status: status)
}

/// `uv_alloc_cb`: lends the loop's only read buffer, which is free again when the read callback returns.
let onAllocate: uv_alloc_cb = { handle, _, buffer in
  unsafe buffer?.pointee = object(handle?.pointee.data, as: Handle.self).loop.readBuffer
}

/// `uv_read_cb`.
let onRead: uv_read_cb = { stream, count, buffer in
  unsafe object(stream?.pointee.data, as: Stream.self).readEnded(count: count, base: buffer?.pointee.base)
}

/// `uv_write_cb`.
let onWrite: uv_write_cb = { request, status in
  unsafe finished(request?.pointee.data, as: WriteRequest.self).ended(status: status)
}

/// `uv_thread_cb`: the body of a `SerialWorker`'s thread.
let onThread: uv_thread_cb = { argument in unsafe finished(argument, as: ThreadBody.self).run() }

/// `uv_exit_cb`.
let onProcessExit: uv_exit_cb = { process, status, signal in
  unsafe object(process?.pointee.data, as: ChildProcess.self).exited(status: status, signal: signal)
}
