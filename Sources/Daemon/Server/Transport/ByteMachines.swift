public import RPC
public import UV

/// Lets a stream driver drive a gRPC connection. The two fit together without depending on each other.
extension ServerConnection: StreamMachine {}
