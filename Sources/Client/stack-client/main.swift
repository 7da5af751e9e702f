internal import ClientCore
internal import Glibc

exit(StackClient.run(Array(CommandLine.arguments.dropFirst())).rawValue)
