public import RPC
public import UV

/// A gRPC connection is what a stream driver drives: the two are made for each other and know nothing of each other.
extension ClientConnection: StreamMachine {}
