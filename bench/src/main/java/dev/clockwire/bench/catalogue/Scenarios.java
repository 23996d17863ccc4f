package dev.clockwire.bench.catalogue;

import java.util.List;
import java.util.stream.Stream;

/** The catalogue. */
public final class Scenarios {
    private static final List<Scenario> ALL = Stream.of(NetworkScenarios.ALL, RecoveryScenarios.ALL, HostScenarios.ALL)
            .flatMap(List::stream)
            .toList();

    private Scenarios() {}

    /** Returns all scenarios in the order of the page. */
    public static List<Scenario> all() {
        return ALL;
    }
}
