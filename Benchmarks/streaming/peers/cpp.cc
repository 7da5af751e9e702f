// The C++ gRPC peer of the streaming benchmarks: sends every published message to every watcher.
//
//   cpp unix:PATH|tcp:PORT
//
// /bench.Fanout/Watch is a stream, /bench.Fanout/Publish is unary. Messages are bytes, neither encoded nor copied: all watchers share a
// grpc::ByteBuffer. One thread and one completion queue, without locks: of gRPC's interfaces the one with the lowest CPU a delivery (the
// callback interface takes more).
#include <grpcpp/generic/async_generic_service.h>
#include <grpcpp/grpcpp.h>

#include <cstdio>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <unordered_set>

namespace {

class Call;

struct Hub {
  grpc::AsyncGenericService service;
  std::unique_ptr<grpc::ServerCompletionQueue> queue;
  std::unordered_set<Call*> watchers;
};

// One call, from its request to its end. Each pending operation has a tag, which is freed on completion.
class Call {
 public:
  explicit Call(Hub& hub) : hub_(hub), stream_(&context_) {
    // Completes after the end of a call, however it ended; never for a call that did not begin.
    context_.AsyncNotifyWhenDone(Tag([this](bool) { hub_.watchers.erase(this), is_over_ = true; }, false));
    hub_.service.RequestCall(&context_, &stream_, hub_.queue.get(), hub_.queue.get(), Tag([this](bool ok) { Begin(ok); }));
  }

  void Send(const grpc::ByteBuffer& message) {
    waiting_.push_back(message);
    if (!is_writing_) WriteNext();
  }

  // Runs the work of a tag, and frees the call once it is over and has no pending operations.
  static void Complete(void* tag, bool ok) {
    std::unique_ptr<Operation> operation(static_cast<Operation*>(tag));
    Call* call = operation->call;
    operation->work(ok);
    call->pending_ -= operation->counts;
    if (call->is_over_ && call->pending_ == 0) delete call;
  }

 private:
  struct Operation {
    Call* call;
    std::function<void(bool)> work;
    int counts;
  };

  void* Tag(std::function<void(bool)> work, bool counts = true) {
    pending_ += counts;
    return new Operation{this, std::move(work), counts};
  }

  void Begin(bool ok) {
    if (!ok) return;
    new Call(hub_);
    stream_.Read(&request_, Tag([this](bool ok) {
      if (!ok) return;
      if (context_.method() == "/bench.Fanout/Watch") {
        hub_.watchers.insert(this);
        is_writing_ = true;
        stream_.SendInitialMetadata(Tag([this](bool ok) { Written(ok); }));
      } else {
        for (Call* watcher : hub_.watchers) watcher->Send(request_);
        stream_.WriteAndFinish(grpc::ByteBuffer(nullptr, 0), grpc::WriteOptions(), grpc::Status::OK, Tag([](bool) {}));
      }
    }));
  }

  void WriteNext() {
    is_writing_ = true;
    stream_.Write(waiting_.front(), Tag([this](bool ok) { Written(ok); }));
    waiting_.pop_front();
  }

  void Written(bool ok) {
    is_writing_ = false;
    if (!ok) {
      hub_.watchers.erase(this);
      stream_.Finish(grpc::Status::CANCELLED, Tag([](bool) {}));
    } else if (!waiting_.empty()) {
      WriteNext();
    }
  }

  Hub& hub_;
  grpc::GenericServerContext context_;
  grpc::GenericServerAsyncReaderWriter stream_;
  grpc::ByteBuffer request_;
  std::deque<grpc::ByteBuffer> waiting_;
  int pending_ = 0;
  bool is_writing_ = false, is_over_ = false;
};

}  // namespace

int main(int count, char** words) {
  std::string address = count == 2 ? words[1] : "";
  if (address.compare(0, 4, "tcp:") == 0) {
    address = "127.0.0.1:" + address.substr(4);
  } else if (address.compare(0, 5, "unix:") != 0) {
    std::fputs("Usage: cpp unix:PATH|tcp:PORT\n", stderr);
    return 2;
  }
  Hub hub;
  grpc::ServerBuilder builder;
  builder.AddListeningPort(address, grpc::InsecureServerCredentials());
  builder.RegisterAsyncGenericService(&hub.service);
  hub.queue = builder.AddCompletionQueue();
  std::unique_ptr<grpc::Server> server = builder.BuildAndStart();
  if (server == nullptr) return 1;
  new Call(hub);
  std::puts("ready");
  std::fflush(stdout);
  void* tag;
  bool ok;
  while (hub.queue->Next(&tag, &ok)) Call::Complete(tag, ok);
}
