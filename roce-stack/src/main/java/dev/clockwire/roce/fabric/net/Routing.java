package dev.clockwire.roce.fabric.net;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Finds, for each host, every shortest way of every switch: breadth first from the host. Hosts pass nothing on. */
final class Routing {
    private final List<List<int[]>> neighbours;
    private final int hosts;

    Routing(List<List<int[]>> neighbours, int hosts) {
        this.neighbours = neighbours;
        this.hosts = hosts;
    }

    void fill(List<EqualCostRoutes> tables) {
        int n = neighbours.size();
        int[] distance = new int[n];
        int[] queue = new int[n];
        for (int host = 0; host < hosts; host++) {
            measure(host, distance, queue);
            for (int sw = hosts; sw < n; sw++) {
                if (distance[sw] >= 0) {
                    tables.get(sw - hosts).set(host, ports(sw, distance));
                }
            }
        }
    }

    private void measure(int host, int[] distance, int[] queue) {
        Arrays.fill(distance, -1);
        distance[host] = 0;
        queue[0] = host;
        int tail = 1;
        for (int head = 0; head < tail; head++) {
            int at = queue[head];
            for (int[] next : neighbours.get(at)) {
                if (next[0] >= hosts && distance[next[0]] < 0) {
                    distance[next[0]] = distance[at] + 1;
                    queue[tail++] = next[0];
                }
            }
        }
    }

    private int[] ports(int sw, int[] distance) {
        List<Integer> found = new ArrayList<>();
        List<int[]> around = neighbours.get(sw);
        for (int port = 0; port < around.size(); port++) {
            int d = distance[around.get(port)[0]];
            if (d >= 0 && d < distance[sw]) {
                found.add(port);
            }
        }
        return found.stream().mapToInt(Integer::intValue).toArray();
    }
}
