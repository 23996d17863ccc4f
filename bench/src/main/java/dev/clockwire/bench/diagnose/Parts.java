package dev.clockwire.bench.diagnose;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Devices and interfaces in a paste. A machine with one of each is one thing, however its tools call it; of several devices each is a
 * machine of its own, and its network interface belongs to it if {@code rdma link} says so.
 */
final class Parts {
    /** Where a counter was read. */
    private record Place(String machine, Kind kind, String device) {
        static Place of(String machine) {
            return new Place(machine, Kind.MACHINE, "");
        }
    }

    /** What tools call by names of their own. */
    private enum Kind {
        MACHINE,
        RDMA_DEVICE,
        /** A port that {@code perfquery} asked by its address. */
        LID,
        INTERFACE
    }

    private final Ledger unused = new Ledger();
    private final Map<Place, Machine> all = new LinkedHashMap<>();
    private final Map<String, String> owner = new TreeMap<>();
    private Place place;

    Parts(String machine) {
        place = Place.of(machine);
    }

    void machine(String name) {
        place = Place.of(name);
    }

    void rdmaDevice(String name, @Nullable String port) {
        String device = port == null || port.equals("1") ? name : name + "/" + port;
        place = new Place(place.machine(), Kind.RDMA_DEVICE, device);
    }

    void lid(String lid, String port) {
        place = new Place(place.machine(), Kind.LID, "lid" + lid + "/" + port);
    }

    void networkInterface(String name) {
        place = new Place(place.machine(), Kind.INTERFACE, name);
    }

    /** The device that is read belongs to an interface. */
    void joins(String networkInterface) {
        owner.put(place.machine() + " " + networkInterface, place.device());
    }

    Machine at() {
        return all.computeIfAbsent(place, p -> new Machine(p.machine(), unused));
    }

    private boolean isOne(String machine) {
        Map<Kind, Long> devices = all.keySet().stream()
                .filter(p -> p.machine().equals(machine) && p.kind() != Kind.MACHINE)
                .collect(Collectors.groupingBy(Place::kind, TreeMap::new, Collectors.counting()));
        return devices.values().stream().allMatch(n -> n == 1);
    }

    private String name(Place p) {
        if (p.kind() == Kind.MACHINE || isOne(p.machine())) {
            return p.machine();
        }
        String device = p.kind() == Kind.INTERFACE
                ? owner.getOrDefault(p.machine() + " " + p.device(), p.device())
                : p.device();
        return (p.machine() + " " + device).strip();
    }

    void mergeInto(Counters into) {
        all.forEach((place, machine) -> into.machine(name(place)).takeOver(machine));
    }
}
