"""Reads histories (JSON Lines) from the files named; prints for each file whether every key has an order, by trying them."""
import json
import sys

sys.setrecursionlimit(10000)
NEVER = float("inf")


def has_order(ops):
    """ops: (is write, value, call, last instant, whether it must happen)"""
    dead = set()

    def go(left, value):
        if not any(ops[i][4] for i in left):
            return True
        state = (left, value)
        if state in dead:
            return False
        end = min(ops[i][3] for i in left)
        for i in left:
            write, v, call, _, _ = ops[i]
            if call <= end and (write or v == value) and go(left - {i}, v if write else value):
                return True
        dead.add(state)
        return False

    return go(frozenset(range(len(ops))), "")


for name in sys.argv[1:]:
    keys = {}
    for line in open(name, encoding="utf-8"):
        o = json.loads(line)
        ok = o["outcome"] == "ok"
        write = o["op"] == "write"
        if ok or write and o["outcome"] == "unknown":
            op = (write, o["value"], o["invoke_ps"], o["return_ps"] if ok else NEVER, ok)
            keys.setdefault(o["key"], []).append(op)
    print("yes" if all(has_order(ops) for ops in keys.values()) else "no")
