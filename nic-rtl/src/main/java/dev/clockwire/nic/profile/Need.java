package dev.clockwire.nic.profile;

import dev.clockwire.sim.error.Plain;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Something without which a parameter changes nothing.
 *
 * @param met whether a profile and the parts of a run have it
 * @param lacks why a profile has it not, as the end of a sentence
 * @param remedy what to add
 */
record Need(BiPredicate<Profile, Set<RunPart>> met, Function<Profile, String> lacks, String remedy) {
    /** Another parameter has this value. */
    static Need is(String path, String value) {
        return of(path, value::equals, value);
    }

    /** Another parameter has not this value; the example is one that will do. */
    static Need not(String path, String value, String example) {
        return of(path, text -> !value.equals(text), example);
    }

    /** Another parameter is not 0. */
    static Need some(String path) {
        return not(path, "0", "N");
    }

    private static Need of(String path, Predicate<String> met, String example) {
        return new Need(
                (p, parts) -> met.test(value(p, path)),
                p -> path + " is " + value(p, path),
                "-P " + path + "=" + example);
    }

    /** The run has a part. */
    static Need part(RunPart part) {
        return new Need((p, parts) -> parts.contains(part), p -> part.absent(), part.remedy());
    }

    /** One of two is enough. */
    Need or(Need other) {
        return new Need(
                (p, parts) -> met.test(p, parts) || other.met.test(p, parts),
                p -> lacks.apply(p) + ", and " + other.lacks.apply(p),
                remedy + " or " + other.remedy);
    }

    /** Returns the same need in other words. */
    Need called(String lacking, String add) {
        return new Need(met, p -> lacking, add);
    }

    /** Not everything of a host is on one NUMA node. */
    static Need elsewhere() {
        return new Need(
                (p, parts) -> Stream.of("host.numa.nic_node", "host.numa.memory_node", "host.numa.core_node")
                                .map(p::text)
                                .distinct()
                                .count()
                        > 1,
                p -> "NIC, memory and core are on one node",
                "-P host.numa.core_node=1");
    }

    private static String value(Profile p, String path) {
        boolean number = Parameters.byPath(path).kind() == Param.Kind.NUMBER;
        return number ? Plain.text(p.number(path)) : p.text(path);
    }
}
