// Measures the memory and time of posts as the engine holds them. Prints one line per measurement, `figure<TAB>value`.
// A process that measures memory does nothing else. Usage: posts columns|mixed|structs [ROWS], posts times [ROWS]
import Dates
@testable import Engine
import Glibc
import Posts

/// Makes posts a minute apart, as Benchmarks/make-posts.py does: about 188 bytes of text; every tenth has more than a
/// text, every twentieth is a repost, every fifth a reply.
struct Maker {
  private static let words =
    "the timeline shows what people wrote while nobody looked and every post has its own place in it"
    .split(separator: " ").map { Array($0.utf8) }
  private static let others = ["漢字", "naïve", "שלום", "👩‍🚀", "привет", "ελληνικά"].map { Array($0.utf8) }
  /// True if posts have only texts.
  let isPlain: Bool

  func post(_ number: Int) -> StoredPost {
    var text: [UInt8] = []
    for index in 0..<24 + number % 20 {
      if index > 0 { text.append(0x20) }
      let isOther = number % 10 < 3 && index == number % 24
      text += isOther ? Self.others[number % Self.others.count] : Self.words[(number * 7 + index) % Self.words.count]
    }
    var body = PostBody(text: SafeText(trusted: text))
    if !isPlain, number % 10 == 0 {
      body.language = "en"
      body.permalink = SafeText("https://example.org/@u\(number % 500)/\(number)")
      body.counts = Counts(replies: 3, reposts: 40, favourites: 700)
      body.spans = [Posts.Span(kind: .hashtag, range: 0..<3, target: "the")]
    }
    let isRepost = !isPlain && number % 20 == 7
    return StoredPost(
      id: PostID(Int64(number)), subject: PostID(Int64(isRepost ? number - 5 : number)),
      createdAt: Instant(milliseconds: 1_500_000_000_000 + Int64(number) * 60_000),
      author: AuthorID(Int64(1 + number % 500)),
      repostedBy: isRepost ? AuthorID(7) : nil, owner: AccountID(1),
      inReplyTo: !isPlain && number % 5 == 1 ? PostID(Int64(number - 40)) : nil, body: PackedBody(body))
  }
}

/// Returns the resident memory of this process in bytes.
func residentBytes() -> Int {
  let file = fopen("/proc/self/statm", "r")
  defer { fclose(file) }
  var size = 0
  var resident = 0
  _ = withUnsafeMutablePointer(to: &size) { size in
    withUnsafeMutablePointer(to: &resident) { resident in withVaList([size, resident]) { vfscanf(file, "%ld %ld", $0) }
    }
  }
  return resident * sysconf(Int32(_SC_PAGESIZE))
}

/// Returns the CPU time of this thread in seconds.
func cpuSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

@main
enum Columns {
  /// The engine's numbers of posts in a chunk, and in a slice from the store.
  static let chunkCapacity = 128
  static let slice = 2000

  static func main() {
    let arguments = CommandLine.arguments.dropFirst()
    let rows = arguments.dropFirst().first.flatMap { Int($0) } ?? 1_000_000
    switch arguments.first {
    case "columns": memory(Maker(isPlain: true), rows, "text only")
    case "mixed": memory(Maker(isPlain: false), rows, "mixed")
    case "structs": structs(Maker(isPlain: true), rows)
    default: times(Maker(isPlain: false), rows)
    }
  }

  /// Loads posts as the engine does, the newest slice first.
  static func load(_ maker: Maker, _ rows: Int) -> PostColumns {
    var columns = PostColumns(chunkCapacity: chunkCapacity)
    for end in stride(from: rows, to: 0, by: -slice) {
      columns.prependOlder((max(0, end - slice)..<end).reversed().map { maker.post($0) })
    }
    return columns
  }

  static func textBytes(_ columns: inout PostColumns) -> Int {
    var bytes = 0
    columns.withTexts(in: 0..<columns.count, for: AccountID(1)) { _, text, _ in bytes += text.count }
    return bytes
  }

  static func memory(_ maker: Maker, _ rows: Int, _ kind: String) {
    // Allocates the memory that making posts needs temporarily, before the first reading.
    _ = load(maker, 3 * slice)
    let before = residentBytes()
    var columns = load(maker, rows)
    let all = residentBytes() - before
    let texts = textBytes(&columns)
    print("text, \(kind)\t\(Double(texts) / Double(rows))")
    print("beyond text, \(kind)\t\(Double(all - texts) / Double(rows))")
  }

  static func structs(_ maker: Maker, _ rows: Int) {
    _ = (0..<3 * slice).map { maker.post($0) }
    let before = residentBytes()
    var posts: [StoredPost] = []
    posts.reserveCapacity(rows)
    for row in 0..<rows { posts.append(maker.post(row)) }
    let all = residentBytes() - before
    let texts = posts.reduce(0) { $0 + $1.body.unpacked()!.text.count }
    print("beyond text, array of structs\t\(Double(all - texts) / Double(rows))")
  }

  static func times(_ maker: Maker, _ rows: Int) {
    func measure(_ name: String, _ count: Int, _ work: () -> Void) {
      let start = cpuSeconds()
      work()
      print("\(name)\t\((cpuSeconds() - start) * 1e9 / Double(count))")
    }
    let slices = stride(from: rows, to: 0, by: -slice).map { end in
      (max(0, end - slice)..<end).reversed().map { maker.post($0) }
    }
    var columns = PostColumns(chunkCapacity: chunkCapacity)
    measure("load", rows) { for slice in slices { columns.prependOlder(slice) } }
    var sum = 0
    measure("texts", rows) {
      columns.withTexts(in: 0..<rows, for: AccountID(1)) { _, text, _ in
        sum &+= text.count &+ Int(text.count > 0 ? text[0] : 0)
      }
    }
    measure("rank by id", 200) {
      for number in 0..<200 { sum &+= columns.rank(of: PostID(Int64(number &* 7_919_999 % rows)))! }
    }
    measure("rank of no id", 200) {
      for number in 0..<200 { sum &+= columns.rank(of: PostID(Int64(rows + number))) ?? 1 }
    }
    measure("post", 100_000) {
      for number in 0..<100_000 { sum &+= columns.post(at: number &* 7919 % rows).body.bytes.count }
    }
    // An archive whose posts fall between the loaded ones: the IDs are new, the times are not.
    let inserted = (0..<100_000).map { number in
      var post = maker.post(number &* 7919 % rows)
      post.id = PostID(Int64(rows + number))
      return post
    }
    measure("insert at random", inserted.count) { for post in inserted { columns.upsert(post) } }
    measure("rank by id, interleaved", 200) {
      for number in 0..<200 { sum &+= columns.rank(of: PostID(Int64(number &* 7_919_999 % rows)))! }
    }
    precondition(sum != 0)
  }
}
