import Dates
import Glibc
import Posts

/// The posts of a corpus (Benchmarks/layout/corpus.py), about five minutes apart, by five hundred authors.
public struct Corpus {
  private let bytes: [UInt8]
  private var count = 0

  /// Reads the file at a path.
  public init(_ path: String) {
    let file = fopen(path, "r")!
    defer { fclose(file) }
    fseek(file, 0, SEEK_END)
    var bytes = [UInt8](repeating: 0, count: ftell(file))
    rewind(file)
    precondition(fread(&bytes, 1, bytes.count, file) == bytes.count)
    self.bytes = bytes
    count = number(0)
  }

  /// Returns the text of a post, starting over after the last.
  public func text(_ index: Int) -> SafeText {
    let start = 4 * (count + 2)
    let place = index % count
    return SafeText(trusted: Array(bytes[start + number(1 + place)..<start + number(2 + place)]))
  }

  /// Returns a post as an importer reads it, with its spans.
  public func post(_ index: Int, _ text: SafeText? = nil, _ visibility: Visibility = .public) -> ImportedPost {
    let text = text ?? self.text(index)
    let author = "\(index % 500)"
    return ImportedPost(
      source: "bench", nativeID: "\(index)",
      author: ImportedAuthor(nativeID: author, handle: SafeText("u\(author)"), displayName: SafeText("User \(author)")),
      createdAt: Instant(milliseconds: 1_500_000_000_000 + Int64(index) * 300_000 + Int64(index * 7_919 % 300_000)),
      body: PostBody(text: text, spans: TextSpans.find(in: text), visibility: visibility))
  }

  private func number(_ index: Int) -> Int {
    (0..<4).reduce(0) { $0 | Int(bytes[4 * index + $1]) << (8 * $1) }
  }
}

/// Returns the CPU time of this thread in seconds.
public func cpuSeconds() -> Double { seconds(CLOCK_THREAD_CPUTIME_ID) }

/// Returns wall time in seconds.
public func wallSeconds() -> Double { seconds(CLOCK_MONOTONIC) }

private func seconds(_ clock: clockid_t) -> Double {
  var time = timespec()
  clock_gettime(clock, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// Prints a figure, `name<TAB>value`.
public func printFigure(_ name: String, _ value: Double) {
  print("\(name)\t\(value)")
  fflush(nil)
}
