package dev.clockwire.roce.fabric.net;

import dev.clockwire.roce.fabric.bridge.FabricSwitch;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Finds switches that wait for each other in a circle: each port of it is paused, holds frames that came in where the port before it is
 * stopped, and none has sent for a while. Theory: Hu and others, Deadlocks in datacenter networks, HotNets 2016.
 */
public final class Deadlock {
    private static final int CLASSES = 8;

    private final Wiring wiring;
    private final long quietPs;

    /**
     * Creates a detector.
     *
     * @param quietPs a port that has sent within this time is not stuck
     */
    public Deadlock(Wiring wiring, long quietPs) {
        this.wiring = wiring;
        this.quietPs = quietPs;
    }

    /** Returns the ports of a circle in the order in which they wait for each other, empty if there is none. */
    public List<String> find() {
        List<List<String>> all = all();
        return all.isEmpty() ? List.of() : all.get(0);
    }

    /**
     * Returns circles that have no port in common, the ports of each in the order in which they wait for each other. A circle begins with the
     * least of its names, so that it looks the same whenever it is found; one of several classes is there once.
     */
    public List<List<String>> all() {
        Set<List<String>> circles = new LinkedHashSet<>();
        List<FabricSwitch> switches = wiring.switches();
        for (int c = 0; c < CLASSES; c++) {
            List<int[]> path = new ArrayList<>();
            boolean[][] seen = new boolean[switches.size()][];
            for (int i = 0; i < seen.length; i++) {
                seen[i] = new boolean[switches.get(i).ports()];
            }
            for (int sw = 0; sw < seen.length; sw++) {
                for (int port = 0; port < seen[sw].length; port++) {
                    int from = seen[sw][port] ? -1 : search(sw, port, c, seen, path);
                    if (from >= 0) {
                        circles.add(names(path.subList(from, path.size())));
                    }
                    path.clear();
                }
            }
        }
        return List.copyOf(circles);
    }

    private List<String> names(List<int[]> circle) {
        List<String> names = new ArrayList<>();
        circle.forEach(p -> names.add(wiring.portName(p[0], p[1])));
        Collections.reverse(names); // found from who is waited for to who waits
        Collections.rotate(names, -names.indexOf(Collections.min(names)));
        return names;
    }

    private boolean stuck(int sw, int port, int c) {
        FabricSwitch s = wiring.switches().get(sw);
        return s.isPaused(port, c) && s.queued(port, c) > 0 && s.now() - s.lastSent(port, c) >= quietPs;
    }

    /** Follows who waits for a stuck port; returns where in the path a circle begins, -1 if there is none. */
    private int search(int sw, int port, int c, boolean[][] seen, List<int[]> path) {
        for (int i = 0; i < path.size(); i++) {
            if (path.get(i)[0] == sw && path.get(i)[1] == port) {
                return i;
            }
        }
        if (seen[sw][port] || !stuck(sw, port, c)) {
            return -1;
        }
        seen[sw][port] = true;
        path.add(new int[] {sw, port});
        FabricSwitch s = wiring.switches().get(sw);
        for (int in = 0; in < s.ports(); in++) {
            int[] far = wiring.farEnd(sw, in);
            boolean waits = far[0] >= wiring.hostCount() && s.holds(in, c) && s.waitsFrom(port, c, in);
            int from = waits ? search(far[0] - wiring.hostCount(), far[1], c, seen, path) : -1;
            if (from >= 0) {
                return from;
            }
        }
        path.remove(path.size() - 1);
        return -1;
    }
}
