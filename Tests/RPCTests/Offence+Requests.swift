import RPC
import TestSupport

private typealias Raw = RawHTTP2

// The rules of gRPC over HTTP/2. An invalid request is answered with a status, or with plain HTTP if it is not gRPC, and
// ends neither the connection nor other calls.

extension Offence {
  private static let empty: [UInt8] = [0, 0, 0, 0, 0]

  private static func call(_ changes: [(String, String)]) -> [UInt8] { Raw.open(1, changes) + data(1, empty) }

  static let grpcTypes: [Offence] = [
    "application/grpc", "application/grpc+proto", "application/grpc;charset=utf-8", "Application/GRPC",
  ].map { Offence("gRPC, Content-Type: “\($0)”", call([("content-type", $0)]), .status(.ok)) }

  static let otherTypes: [Offence] = [
    "application/grpc+json", "application/grpc+thrift", "application/grpc-web", "application/grpc-web+proto",
    "application/grpcx", "application/json", "text/html", "",
  ].map { Offence("gRPC, Content-Type: “\($0)”", call([("content-type", $0)]), .http) }

  static let otherMethods: [Offence] = ["GET", "HEAD", "PUT", "OPTIONS"].map {
    Offence("gRPC, Method: \($0)", call([(":method", $0)]), .http)
  }

  /// Fields of a request, and the status of its call.
  private static let fieldValues: [(name: String, value: String, code: StatusCode)] = [
    ("grpc-encoding", "identity", .ok), ("grpc-encoding", "gzip", .unimplemented),
    ("grpc-encoding", "deflate", .unimplemented), ("grpc-encoding", "snappy", .unimplemented),
    ("grpc-encoding", "identity, gzip", .unimplemented), ("grpc-encoding", "", .unimplemented),
    ("grpc-accept-encoding", "gzip, snappy", .ok),
    ("grpc-timeout", "99999999H", .ok), ("grpc-timeout", "1M", .ok), ("grpc-timeout", "1S", .ok),
    ("grpc-timeout", "1m", .ok), ("grpc-timeout", "1u", .ok), ("grpc-timeout", "1n", .ok),
    ("grpc-timeout", "", .internal), ("grpc-timeout", "1", .internal), ("grpc-timeout", "S", .internal),
    ("grpc-timeout", "soon", .internal), ("grpc-timeout", "-1S", .internal), ("grpc-timeout", "+1S", .internal),
    ("grpc-timeout", "1.5S", .internal), ("grpc-timeout", "1 S", .internal), ("grpc-timeout", "1s", .internal),
    ("grpc-timeout", "1h", .internal), ("grpc-timeout", "0x1S", .internal), ("grpc-timeout", "123456789S", .internal),
    ("a-bin", "AQI", .ok), ("a-bin", "AQI=", .ok), ("a-bin", "AQ,AQI=,", .ok), ("a-bin", "!", .invalidArgument),
    ("a-bin", "AQI=,?", .invalidArgument), ("a-bin", "é", .invalidArgument),
    ("a", "é", .ok), ("grpc-future", "x", .ok), ("grpc-message-type", "a.b.C", .ok), ("user-agent", "", .ok),
  ]

  static let calls: [Offence] = fieldValues.map {
    Offence("gRPC, Request-Headers: \($0.name) “\($0.value)”", call([($0.name, $0.value)]), .status($0.code))
  }

  static let largeMetadata: [Offence] = [
    Offence(
      "gRPC, Custom-Metadata: text above the limit", call([("x", String(repeating: "y", count: 9000))]),
      .status(.resourceExhausted)),
    Offence(
      "gRPC, Custom-Metadata: bytes above the limit", call([("x-bin", String(repeating: "A", count: 9000))]),
      .status(.resourceExhausted)),
    Offence(
      "gRPC, Custom-Metadata: many fields above the limit", call((0..<250).map { ("x\($0)", "") }),
      .status(.resourceExhausted)),
  ]

  /// Bodies of a request, and the status of its call.
  private static let bodies: [(name: String, bytes: [UInt8], code: StatusCode)] = [
    ("none", [], .ok),
    ("an empty one", empty, .ok),
    ("above the limit", [0, 0, 1, 0, 1], .resourceExhausted),
    ("of 4 GiB", [0, 255, 255, 255, 255], .resourceExhausted),
    ("shorter than its length", [0, 0, 0, 0, 9, 1], .internal),
    ("longer than its length", [0, 0, 0, 0, 1, 7, 8], .internal),
    ("whole, and one shorter than its length", empty + [0, 0, 0, 0, 1], .internal),
    ("with half a prefix", [0, 0], .internal),
    ("marked as compressed", [1, 0, 0, 0, 0], .internal),
    ("with flag 2", [2, 0, 0, 0, 0], .internal),
    ("with flag 255", [255, 0, 0, 0, 0], .internal),
  ]

  static let messages: [Offence] =
    bodies.map {
      Offence("gRPC, Length-Prefixed-Message: \($0.name)", Raw.open(1) + data(1, $0.bytes), .status($0.code))
    } + [
      Offence(
        "gRPC, Compressed-Flag: 1 with the encoding identity",
        Raw.open(1, [("grpc-encoding", "identity")]) + data(1, [1, 0, 0, 0, 0]), .status(.internal)),
      Offence(
        "gRPC, Compressed-Flag: 1 with an unknown encoding",
        Raw.open(1, [("grpc-encoding", "gzip")]) + data(1, [1, 0, 0, 0, 0]), .status(.unimplemented)),
    ]
}
