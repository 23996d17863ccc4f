package dev.clockwire.pcie.fabric;

import dev.clockwire.pcie.config.BridgeSpace;
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
    private static final int BUS_SHIFT = 8;
    private static final int DEVICE_SHIFT = 3;
    /** Devices of a bus. */
    static final int MOST_DEVICES = 32;

    static final int UP = 0;
    static final int NOBODY = -1;
    /** The switch itself. */
    static final int OWN = -2;

    private static final long UNPLACED = -1;
    private static final long NARROW_END = 1L << 32;

    private final int id;
    private final List<PcieDevice> devices = new ArrayList<>();
    private final List<BridgeSpace> bridges = new ArrayList<>();
    private int[] port = {};
    private int[] local = {};
    private long[] address = {};

    SwitchRoutes(int id) {
        this.id = id;
    }

    /** Adds the configuration space of the next port. */
    void add(BridgeSpace bridge) {
        bridges.add(bridge);
    }

    /** Returns the configuration space of a port. */
    BridgeSpace bridge(int at) {
        return bridges.get(at);
    }

    /** Returns the bus inside the switch, which its ports to devices are on. */
    int innerBus() {
        return (id >>> BUS_SHIFT) + 1;
    }

    /** Returns bus, device and function of a port. */
    int portId(int at) {
        return at == UP ? id : innerBus() << BUS_SHIFT | (at - 1) << DEVICE_SHIFT;
    }

    /** Returns the port with an id, {@link #NOBODY} if none has it. */
    int portOf(int of) {
        for (int at = 0; at < bridges.size(); at++) {
            if (portId(at) == of) {
                return at;
            }
        }
        return NOBODY;
    }

    /** Returns the last bus behind a port. */
    int lastBus(int at) {
        if (at != UP) {
            return devices.get(at - 1).lastBus();
        }
        int last = innerBus();
        for (PcieDevice d : devices) {
            last = Math.max(last, d.lastBus());
        }
        return last;
    }

    /** Returns the first address behind a port, the largest number if there is none. */
    long first(int at, boolean narrow) {
        long low = Long.MAX_VALUE;
        for (int w = 0; w < port.length; w++) {
            if (isBehind(w, at, narrow)) {
                low = Math.min(low, address[w]);
            }
        }
        return low;
    }

    /** Returns the end of the addresses behind a port, 0 if there are none. */
    long end(int at, boolean narrow) {
        long high = 0;
        for (int w = 0; w < port.length; w++) {
            if (isBehind(w, at, narrow)) {
                high = Math.max(high, address[w] + device(w).barBytes(local[w]));
            }
        }
        return high;
    }

    private boolean isBehind(int window, int at, boolean narrow) {
        return address[window] != UNPLACED
                && (at == UP || port[window] == at)
                && (address[window] < NARROW_END) == narrow;
    }

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

    /** Returns the port for packet i of a train that came in at a port, {@link #OWN}, or {@link #NOBODY} if it is for nobody. */
    int route(int from, TlpTrain train, int i) {
        int to;
        if (train.type.isCompletion()) {
            to = byId(train.requesterId, from == UP ? NOBODY : UP);
        } else if (train.type.isConfiguration()) {
            to = from == UP ? configured(train.completerId) : NOBODY;
        } else if (train.type == TlpType.MSGD) {
            to = byId(train.completerId, NOBODY);
        } else if (train.type == TlpType.MSG) {
            to = from == UP ? NOBODY : UP;
        } else {
            to = allowed(from, byAddress(train.address + train.offset[i], from));
        }
        return to == from ? NOBODY : to;
    }

    private int configured(int target) {
        return portOf(target) == NOBODY ? byId(target, NOBODY) : OWN;
    }

    /** Command.BusMaster of a port lets requests from behind it pass, Command.Mem requests to what is behind it. */
    private int allowed(int from, int to) {
        boolean entered =
                from == UP ? bridges.get(UP).decodes() : bridges.get(from).masters();
        boolean left = to == NOBODY
                || (to == UP ? bridges.get(UP).masters() : bridges.get(to).decodes());
        return entered && left ? to : NOBODY;
    }

    private int byId(int of, int otherwise) {
        for (int d = 0; d < devices.size(); d++) {
            if (devices.get(d).answersTo(of)) {
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

    /** Whether a device here gets from its port to a range in one window of another one, as bridges are set now. */
    boolean reaches(int requester, long at, long bytes) {
        int from = byId(requester, NOBODY);
        if (from == NOBODY) {
            return false;
        }
        int to = byAddress(at, from);
        if (to == from) {
            return devices.get(from - 1).reaches(requester, at, bytes);
        }
        return to > UP && allowed(from, to) == to && isOneWindow(at, bytes);
    }

    private boolean isOneWindow(long at, long bytes) {
        for (int w = 0; w < port.length; w++) {
            long from = at - address[w];
            if (address[w] != UNPLACED && from >= 0 && from <= device(w).barBytes(local[w]) - bytes) {
                return true;
            }
        }
        return false;
    }

    boolean answersTo(int of) {
        return portOf(of) != NOBODY || byId(of, NOBODY) != NOBODY;
    }

    @Override
    public void save(Snapshot out) {
        for (long a : address) {
            out.putLong(a);
        }
        for (BridgeSpace b : bridges) {
            b.save(out);
        }
    }

    @Override
    public void load(Snapshot in) {
        for (int w = 0; w < address.length; w++) {
            address[w] = in.getLong();
        }
        for (BridgeSpace b : bridges) {
            b.load(in);
        }
    }
}
