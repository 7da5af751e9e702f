internal import CUV

extension Process {
  /// Bytes of the heap that are not in use, whether the kernel still provides them or not (mallinfo2(3)). Linear in the
  /// number of free blocks, up to a millisecond.
  public static var freeHeapBytes: Int { cuv_free_heap_bytes() }

  /// Bytes of memory that the kernel provides for this process; 0 if it does not tell.
  public static var residentBytes: Int {
    var bytes = 0
    return unsafe uv_resident_set_memory(&bytes) == 0 ? bytes : 0
  }

  /// Returns whole free pages of the heap to the kernel (malloc_trim(3)). Takes a few milliseconds for 100 MiB.
  public static func returnFreeHeap() { cuv_return_free_heap() }
}
