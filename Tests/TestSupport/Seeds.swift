import Glibc

/// True in `scripts/test --all`, which sets `STACK_TESTS`: laws are tried with all of their seeds.
public let triesAllSeeds = unsafe getenv("STACK_TESTS") != nil

/// Returns the seeds with which to try a law: all of them in `scripts/test --all`, otherwise the first eighth.
public func seeds<Seed: Strideable>(_ all: ClosedRange<Seed>) -> ClosedRange<Seed> where Seed.Stride: SignedInteger {
  guard !triesAllSeeds else { return all }
  return all.lowerBound...all.lowerBound.advanced(by: (Seed.Stride(all.count) - 1) / 8)
}

/// Returns the seeds with which to try a law: all of them in `scripts/test --all`, otherwise the first eighth.
public func seeds<Seed: Strideable>(_ all: Range<Seed>) -> Range<Seed> where Seed.Stride: SignedInteger {
  guard !triesAllSeeds else { return all }
  return all.lowerBound..<all.lowerBound.advanced(by: (Seed.Stride(all.count) + 7) / 8)
}
