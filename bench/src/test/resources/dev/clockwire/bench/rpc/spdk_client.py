"""Talks to a target the way SPDK's rpc.py does: one request at a time, answers read until a whole JSON value has come."""
import json
import socket
import sys


class Client:
    def __init__(self, path):
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(20)
        self.sock.connect(path)
        self.buffer = ""
        self.next_id = 0

    def receive(self):
        decoder = json.JSONDecoder()
        while True:
            self.buffer = self.buffer.lstrip()
            try:
                value, end = decoder.raw_decode(self.buffer)
                self.buffer = self.buffer[end:]
                return value
            except ValueError:
                data = self.sock.recv(4096)
                if not data:
                    raise EOFError("closed")
                self.buffer += data.decode("utf-8")

    def send(self, method, params=None):
        self.next_id += 1
        request = {"jsonrpc": "2.0", "method": method, "id": self.next_id}
        if params:
            request["params"] = params
        self.sock.sendall(json.dumps(request, indent=2).encode("utf-8"))
        return self.next_id

    def call(self, method, **params):
        sent = self.send(method, params)
        answer = self.receive()
        assert answer["jsonrpc"] == "2.0" and answer["id"] == sent, answer
        assert "error" not in answer, (method, answer)
        return answer["result"]

    def error(self, method, **params):
        self.send(method, params)
        return self.receive()["error"]["code"]


def main():
    c = Client(sys.argv[1])
    methods = c.call("rpc_get_methods")
    assert "bdev_malloc_create" in methods, methods
    assert c.call("bdev_malloc_create", num_blocks=2048, block_size=512) == "Malloc0"
    assert c.call("bdev_malloc_create", num_blocks=16, block_size=4096, name="small") == "small"
    assert [b["name"] for b in c.call("bdev_get_bdevs")] == ["Malloc0", "small"]
    assert c.error("bdev_malloc_create", num_blocks=16, block_size=4096, name="small") == -17
    assert c.error("bdev_nvme_create", name="nvme0") == -32601
    assert c.error("reactor_get_stats") == -32601
    assert c.error("bdev_malloc_create", num_blocks="16", block_size=4096) == -32602
    nqn = "nqn.2016-06.io.spdk:cnode1"
    assert c.call("bdev_nvme_attach_controller", name="Nvme0", trtype="PCIe", traddr="0000:3b:00.0") == ["Nvme0n1"]
    assert c.call("nvmf_create_transport", trtype="RDMA", max_srq_depth=256, io_unit_size=131072) is True
    assert c.call("nvmf_create_subsystem", nqn=nqn, allow_any_host=True, serial_number="SPDK00000000000001") is True
    assert c.call("nvmf_subsystem_add_ns", nqn=nqn, namespace={"bdev_name": "Nvme0n1"}) == 1
    address = {"trtype": "RDMA", "adrfam": "IPv4", "traddr": "10.0.0.2", "trsvcid": "4420"}
    assert c.call("nvmf_subsystem_add_listener", nqn=nqn, listen_address=address) is True
    assert c.call("nvmf_get_subsystems")[1]["listen_addresses"] == [address]
    assert c.call("nvmf_get_stats")["poll_groups"][0]["transports"][0]["devices"][0]["total_recv_wrs"] == 256
    reactors = c.call("framework_get_reactors")
    assert reactors["reactors"][0]["idle"] > 0, reactors
    config = {"subsystems": []}
    for s in c.call("framework_get_subsystems"):
        config["subsystems"].append({"subsystem": s["subsystem"], "config": c.call("framework_get_config", name=s["subsystem"])})
    assert config == c.call("save_config"), config
    ids = [c.send("framework_get_reactors") for _ in range(20)]
    assert [c.receive()["id"] for _ in ids] == ids


main()
