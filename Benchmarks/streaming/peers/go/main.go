// The Go gRPC peer of the streaming benchmarks: sends every published message to every watcher.
//
//	go-peer unix:PATH|tcp:PORT
//
// /bench.Fanout/Watch is a stream, /bench.Fanout/Publish is unary. Messages are bytes: the codec does not encode them.
package main

import (
	"context"
	"fmt"
	"net"
	"os"
	"strings"
	"sync"

	"google.golang.org/grpc"
)

// The bytes of a message.
type message []byte

// Passes bytes through.
type bytesCodec struct{}

func (bytesCodec) Marshal(value interface{}) ([]byte, error) { return *value.(*message), nil }
func (bytesCodec) Unmarshal(data []byte, value interface{}) error {
	*value.(*message) = append(message(nil), data...)
	return nil
}
func (bytesCodec) String() string { return "proto" }

// The watchers. A watcher that is 64 messages behind blocks the publisher.
type hub struct {
	mutex    sync.Mutex
	watchers map[chan *message]struct{}
}

func (hub *hub) publish(published *message) {
	hub.mutex.Lock()
	defer hub.mutex.Unlock()
	for watcher := range hub.watchers {
		watcher <- published
	}
}

func (hub *hub) watch(stream grpc.ServerStream) error {
	watcher := make(chan *message, 64)
	hub.mutex.Lock()
	hub.watchers[watcher] = struct{}{}
	hub.mutex.Unlock()
	defer func() {
		go func() { // unblocks a publisher that waits for this watcher
			for range watcher {
			}
		}()
		hub.mutex.Lock()
		delete(hub.watchers, watcher)
		hub.mutex.Unlock()
		close(watcher)
	}()
	if err := stream.SendHeader(nil); err != nil {
		return err
	}
	for {
		select {
		case published := <-watcher:
			if err := stream.SendMsg(published); err != nil {
				return err
			}
		case <-stream.Context().Done():
			return nil
		}
	}
}

func handlePublish(service interface{}, _ context.Context, decode func(interface{}) error, _ grpc.UnaryServerInterceptor) (interface{}, error) {
	published := new(message)
	if err := decode(published); err != nil {
		return nil, err
	}
	service.(*hub).publish(published)
	return new(message), nil
}

func handleWatch(service interface{}, stream grpc.ServerStream) error {
	if err := stream.RecvMsg(new(message)); err != nil {
		return err
	}
	return service.(*hub).watch(stream)
}

func main() {
	if len(os.Args) != 2 || !strings.Contains(os.Args[1], ":") {
		fmt.Fprintln(os.Stderr, "Usage: go-peer unix:PATH|tcp:PORT")
		os.Exit(2)
	}
	network, address, _ := strings.Cut(os.Args[1], ":")
	if network == "tcp" {
		address = "127.0.0.1:" + address
	}
	listener, err := net.Listen(network, address)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	server := grpc.NewServer(grpc.CustomCodec(bytesCodec{}))
	server.RegisterService(&grpc.ServiceDesc{
		ServiceName: "bench.Fanout",
		HandlerType: (*interface{})(nil),
		Methods:     []grpc.MethodDesc{{MethodName: "Publish", Handler: handlePublish}},
		Streams:     []grpc.StreamDesc{{StreamName: "Watch", Handler: handleWatch, ServerStreams: true}},
	}, &hub{watchers: map[chan *message]struct{}{}})
	fmt.Println("ready")
	if err := server.Serve(listener); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
