// Wraps a corpus with TextLayout on command; wrap.py describes the commands and the output.

internal import Glibc
internal import TextLayout

/// The posts of a corpus: a u32 count, count + 1 offsets as u32, then the bytes, all little-endian.
struct Corpus {
  let bytes: [UInt8]
  let ranges: [Range<Int>]

  init(path: String) {
    guard let file = unsafe fopen(path, "rb") else { fatalError("cannot open \(path)") }
    defer { unsafe fclose(file) }
    unsafe fseek(file, 0, SEEK_END)
    let size = unsafe ftell(file)
    unsafe rewind(file)
    bytes = unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      count = unsafe fread(buffer.baseAddress, 1, size, file)
    }
    let content = bytes
    func number(_ index: Int) -> Int { (0..<4).reduce(0) { $0 | Int(content[index * 4 + $1]) << (8 * $1) } }
    let count = number(0)
    let start = 4 * (count + 2)
    ranges = (0..<count).map { start + number($0 + 1)..<start + number($0 + 2) }
  }
}

/// Returns the CPU time of this process in nanoseconds.
func cpuNanoseconds() -> Int {
  var time = timespec()
  unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return time.tv_sec * 1_000_000_000 + time.tv_nsec
}

/// Wraps every post, or counts its lines, and returns the total number of lines.
func wrapAll(_ corpus: Corpus, counting: Bool, width: Int, metrics: TextMetrics, ends: inout [UInt32]) -> Int {
  let texts = corpus.bytes.span
  var lines = 0
  if counting {
    for range in corpus.ranges { lines += lineCount(of: texts.extracting(range), width: width, metrics: metrics) }
  } else {
    for range in corpus.ranges {
      ends.removeAll(keepingCapacity: true)
      wrap(texts.extracting(range), width: width, metrics: metrics, into: &ends)
      lines += ends.count
    }
  }
  return lines
}

/// Runs the commands of standard input, and prints CPU nanoseconds and the number of lines for each.
func serve(_ corpus: Corpus) throws {
  var ends: [UInt32] = []
  ends.reserveCapacity(65_536)
  let points = TextMetrics.advances(try AdvanceTable(runs: [], otherwise: 64, wide: 128))
  while let line = readLine() {
    let words = line.split(separator: " ")
    guard let width = Int(words[1]) else { fatalError("no width: \(line)") }
    let metrics = words[0] == "points" ? points : .cells(CellProfile())
    let began = cpuNanoseconds()
    let lines = wrapAll(corpus, counting: words[0] == "count", width: width, metrics: metrics, ends: &ends)
    print(cpuNanoseconds() - began, lines)
    fflush(nil)
  }
}

try serve(Corpus(path: CommandLine.arguments[1]))
