import Dates
import Posts
import Simulation
import TestSupport
import Testing

@testable import Store

/// A writer on a simulated disk that records its completed commits.
private final class DiskWriter {
  let disk: SimulatedDisk
  let durability: Durability
  private let vfs: SimulatedVFS
  private var store: PostStore?
  private var reader: StoreReader?
  private var random: SeededGenerator
  /// Texts of the posts whose commit returned, and the last commit's revision.
  private(set) var promised: [String] = []
  private(set) var revision: UInt64 = 0
  private var next = 0

  init(seed: UInt64, durability: Durability = .full) {
    disk = SimulatedDisk(seed: seed)
    vfs = SimulatedVFS(disk)
    random = SeededGenerator(seed: seed ^ 0xD15C)
    self.durability = durability
  }

  deinit {
    // Files must be closed before the file system is released.
    store = nil
    reader = nil
  }

  /// Commits posts, several at a time, up to `limit` commits. Returns false if one failed.
  func write(commits limit: Int) -> Bool {
    do {
      let store = try opened()
      for _ in 0..<limit {
        let texts = (0..<Int.random(in: 1...4, using: &random)).map { _ in
          next += 1
          return "post \(next) " + String(repeating: "x", count: .random(in: 0...3000, using: &random))
        }
        let account = try store.account(uid: 7, name: "ann").id
        let posts = texts.map {
          Write.compose(
            Composition(
              account: account, body: PostBody(text: SafeText($0)), createdAt: Instant(milliseconds: Int64(next)),
              requestID: $0.prefix(9).description))
        }
        let commit = try store.commit([.setPostLimit(account, StoreLimits.postLimit)] + posts)
        promised += texts
        revision = commit.revision
        if Int.random(in: 0..<4, using: &random) == 0 { _ = try openedReader().count(of: .home(account), for: account) }
        if Int.random(in: 0..<9, using: &random) == 0 {
          try store.close()
          self.store = nil
          reader = nil
          return true
        }
      }
      return true
    } catch {
      return false
    }
  }

  private func opened() throws -> PostStore {
    if let store { return store }
    let opened = try PostStore(path: "posts.db", epoch: 7, vfs: vfs.name, durability: durability)
    store = opened
    return opened
  }

  private func openedReader() throws -> StoreReader {
    if let reader { return reader }
    let opened = try StoreReader(path: "posts.db", vfs: vfs.name)
    reader = opened
    return opened
  }

  /// Starts a new process on the disk.
  func restart() {
    disk.restart()
    store = nil
    reader = nil
  }

  /// Returns the store's flaws; empty if it kept all committed posts.
  func findings() -> [String] {
    do {
      let store = try opened()
      var findings = try store.integrity()
      guard let account = try store.account(named: "ann") else {
        return promised.isEmpty ? findings : ["the account is lost"]
      }
      let posts = try store.page(of: .home(account.id), for: account.id, limit: .max)?.posts ?? []
      let texts = posts.map { $0.body.unpacked()?.text.string ?? "damaged" }
      if Set(texts).count < texts.count { findings.append("a post exists twice") }
      let lost = Set(promised).subtracting(texts)
      if !lost.isEmpty { findings.append("\(lost.count) committed posts are lost") }
      if store.revision < revision { findings.append("revision \(store.revision), expected at least \(revision)") }
      return findings
    } catch {
      return ["\(error)"]
    }
  }
}

@Suite("The store on a failing disk")
struct DiskTests {
  /// Runs a writer six times, each time until a power cut in the middle of the disk's operations.
  private func cuts(_ seed: UInt64, _ durability: Durability) -> (writer: DiskWriter, findings: [String]) {
    let writer = DiskWriter(seed: seed, durability: durability)
    var random = SeededGenerator(seed: seed)
    var findings: [String] = []
    for _ in 0..<6 {
      writer.disk.operationsUntilPowerCut = Int.random(in: 0...120, using: &random)
      _ = writer.write(commits: 12)
      if !writer.disk.isDown { writer.disk.cutPower() }
      writer.restart()
      findings += writer.findings()
    }
    return (writer, findings)
  }

  @Test("a power cut loses no committed post", arguments: seeds(0..<40 as Range<UInt64>))
  func powerCuts(seed: UInt64) {
    let (writer, findings) = cuts(seed, .full)
    #expect(findings == [])
    #expect(writer.disk.counts.powerCuts == 6)
  }

  @Test("power cuts lose and tear writes and lose names; an unsynced store loses posts")
  func withoutSync() {
    let seeds = (0..<40 as Range<UInt64>).lazy
    #expect(seeds.contains { cuts($0, .off).findings.contains { $0.contains("lost") } })
    var (writes, torn, names) = (0, 0, 0)
    for seed in seeds where writes == 0 || torn == 0 || names == 0 {
      let counts = cuts(seed, .full).writer.disk.counts
      writes += counts.lostWrites
      torn += counts.tornWrites
      names += counts.lostNames
    }
    #expect(writes > 0 && torn > 0 && names > 0)
  }

  @Test("a killed process loses no committed post, synced or not", arguments: seeds(0..<20 as Range<UInt64>))
  func kills(seed: UInt64) {
    let writer = DiskWriter(seed: seed, durability: .off)
    for _ in 0..<5 {
      _ = writer.write(commits: 8)
      writer.disk.killProcess()
      writer.restart()
      #expect(writer.findings() == [])
    }
  }

  @Test(
    "a full disk refuses commits, keeps the store, and accepts more once there is room",
    arguments: seeds(0..<20 as Range<UInt64>))
  func full(seed: UInt64) {
    let writer = DiskWriter(seed: seed)
    #expect(writer.write(commits: 3))
    writer.disk.capacityBytes = writer.disk.usedBytes + 20_000
    while writer.write(commits: 5) {}
    #expect(writer.disk.counts.fullWrites > 0)
    writer.disk.capacityBytes = nil
    #expect(writer.write(commits: 5))
    #expect(writer.findings() == [])
    writer.disk.cutPower()
    writer.restart()
    #expect(writer.findings() == [])
  }

  @Test(
    "a disk with I/O errors and power cuts loses no committed post", arguments: seeds(0..<40 as Range<UInt64>))
  func errors(seed: UInt64) {
    let writer = DiskWriter(seed: seed)
    var random = SeededGenerator(seed: seed)
    for _ in 0..<4 {
      writer.disk.errorRates.reads = 5
      writer.disk.errorRates.writes = 20
      writer.disk.errorRates.syncs = 60
      for _ in 0..<6 {
        _ = writer.write(commits: 4)
        // Sometimes a new process continues after the failure.
        if Bool.random(using: &random) {
          writer.disk.killProcess()
          writer.restart()
        }
      }
      writer.disk.errorRates = SimulatedDisk.ErrorRates()
      writer.disk.cutPower()
      writer.restart()
      #expect(writer.findings() == [])
    }
    #expect(writer.disk.counts.writeErrors + writer.disk.counts.syncErrors > 0)
  }

  @Test("the same seed gives the same run", arguments: 0..<5 as Range<UInt64>)
  func deterministic(seed: UInt64) {
    let first = cuts(seed, .full).writer
    let second = cuts(seed, .full).writer
    #expect(first.disk.operations == second.disk.operations && first.promised == second.promised)
    #expect("\(first.disk.counts)" == "\(second.disk.counts)")
  }
}
