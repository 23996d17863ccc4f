package dev.clockwire.pcie.fabric;

import dev.clockwire.pcie.link.PcieDevice;
import dev.clockwire.pcie.link.TlpTrain;
import dev.clockwire.pcie.tlp.TlpType;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Which way packets go: by the windows of the devices, by requester or target id, or to the root complex. Port 0 leads there. */
final class SwitchRoutes implements State {
    static final int UP = 0;
    static final int NOBODY = -1;

    private static final long UNPLACED = -1;
    private static final long NARROW_END = 1L << 32;

    private final List<PcieDevice> devices = new ArrayList<>();
    private int[] port = {};
    private int[] local = {};
    private long[] address = {};

    void add(PcieDevice device) {
        devices.add(device);
        int n = port.length;
        int more = device.bars();
        port = Arrays.copyOf(port, n + more);
        local = Arrays.copyOf(local, n + more);
        address = Arrays.copyOf(address, n + more);
        for (int i = 0; i < more; i++) {
            port[n + i] = devices.size();
            local[n + i] = i;
            address[n + i] = UNPLACED;
        }
    }

    int devices() {
        return devices.size();
    }

    PcieDevice attached(int index) {
        return devices.get(index);
    }

    int windows() {
        return port.length;
    }

    PcieDevice device(int window) {
        return devices.get(port[window] - 1);
    }

    /** Returns the number of a window among those of its device. */
    int local(int window) {
        return local[window];
    }

    void place(int window, long at) {
        address[window] = at;
    }

    /** Returns the port for packet i of a train that came in at a port, {@link #NOBODY} if it is for nobody. */
    int route(int from, TlpTrain train, int i) {
        int to;
        if (train.type.isCompletion()) {
            to = byId(train.requesterId, from == UP ? NOBODY : UP);
        } else if (train.type.isConfiguration()) {
            to = from == UP ? byId(train.completerId, NOBODY) : NOBODY;
        } else if (train.type == TlpType.MSG) {
            to = from == UP ? NOBODY : UP;
        } else {
            to = byAddress(train.address + train.offset[i], from);
        }
        return to == from ? NOBODY : to;
    }

    private int byId(int id, int otherwise) {
        for (int d = 0; d < devices.size(); d++) {
            if (devices.get(d).answersTo(id)) {
                return d + 1;
            }
        }
        return otherwise;
    }

    private int byAddress(long at, int from) {
        boolean narrow = at >= 0 && at < NARROW_END;
        long low = Long.MAX_VALUE;
        long high = -1;
        for (int w = 0; w < port.length; w++) {
            long start = address[w];
            if (start == UNPLACED) {
                continue;
            }
            long end = start + device(w).barBytes(local[w]);
            if (at >= start && at < end) {
                return port[w];
            }
            if (narrow == start < NARROW_END) {
                low = Math.min(low, start);
                high = Math.max(high, end);
            }
        }
        // what lies between the windows belongs to the switch, and there to nobody
        return from == UP || (at >= low && at < high) ? NOBODY : UP;
    }

    boolean answersTo(int id) {
        return byId(id, NOBODY) != NOBODY;
    }

    @Override
    public void save(Snapshot out) {
        for (long a : address) {
            out.putLong(a);
        }
    }

    @Override
    public void load(Snapshot in) {
        for (int w = 0; w < address.length; w++) {
            address[w] = in.getLong();
        }
    }
}
