public import RPC
public import UV

/// Lets a stream driver run a gRPC connection; neither module imports the other.
extension ClientConnection: StreamMachine {}
