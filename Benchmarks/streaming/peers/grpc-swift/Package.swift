// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "grpc-swift-peer",
  dependencies: [
    .package(url: "https://github.com/grpc/grpc-swift-2.git", from: "2.4.3"),
    .package(url: "https://github.com/grpc/grpc-swift-nio-transport.git", from: "2.9.2"),
  ],
  targets: [
    .executableTarget(
      name: "grpc-swift-peer",
      dependencies: [
        .product(name: "GRPCCore", package: "grpc-swift-2"),
        .product(name: "GRPCNIOTransportHTTP2Posix", package: "grpc-swift-nio-transport"),
      ],
      path: "Sources/peer")
  ]
)
