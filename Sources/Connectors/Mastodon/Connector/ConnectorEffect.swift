package import HTTPSupport

extension MastodonConnector {
  /// An event.
  package enum Input {
    /// A line from the daemon, without its end.
    case line([UInt8])
    /// A line from the daemon that is too long.
    case lineTooLong
    /// The end of a ``Effect/fetch(_:_:)``.
    case fetched(Int, Result<FetchResponse, FetchFailure>)
    /// The header of a stream is here.
    case streamOpened(Int, status: Int)
    /// A connection of a ``Effect/openSocket(_:_:)`` is there.
    case streamConnected(Int)
    case streamReceived(Int, [UInt8])
    case streamEnded(Int, String)
    /// The end of a ``Effect/run(_:_:)``: what the command has printed.
    case ran(Int, Result<[UInt8], CommandFailure>)
    /// The deadline was reached.
    case time
  }

  /// An action for the owner to carry out.
  package enum Effect {
    /// Writes a line to the daemon.
    case write([UInt8])
    case fetch(Int, FetchRequest)
    case openStream(Int, FetchRequest)
    /// Opens a connection to the server of an address, by which bytes come and go.
    case openSocket(Int, FetchRequest)
    case send(Int, [UInt8])
    case closeStream(Int)
    /// Runs a command, its words separated by spaces, without a shell.
    case run(Int, String)
    /// Ends a command that runs, of which nothing more is told.
    case stop(Int)
    /// Keeps the secrets, before anything else is done.
    case save(Secrets)
    /// Writes a line to the daemon's log.
    case log(String)
  }
}
