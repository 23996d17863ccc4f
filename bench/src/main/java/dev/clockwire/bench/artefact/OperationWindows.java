package dev.clockwire.bench.artefact;

import dev.clockwire.sim.export.JsonWriter;
import dev.clockwire.sim.trace.JourneyIndex;
import dev.clockwire.sim.trace.StageRegistry;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Some operations of a run stage by stage, each with those posted just before and after it, so that one sees how they overlap: the first whose
 * stamps are still kept, the median, that at P99, the slowest.
 */
final class OperationWindows {
    static final String SCHEMA = "clockwire.operations/1";

    private static final int BEFORE = 3;
    private static final int AFTER = 4;
    /** More bars than this are no picture. */
    private static final int MOST_SPANS = 3000;

    private final StageRegistry names;
    private final List<Operation> operations;
    private final Map<Long, List<JourneyIndex.Stamp>> stamps = new TreeMap<>();
    private final Map<Integer, Integer> lanes = new LinkedHashMap<>();

    private record Chosen(String name, Operation operation) {}

    /**
     * Creates it of a run that is over.
     *
     * @param known operations whose stamps are all kept; empty: each journey is taken for one
     * @param fromPs journeys that began earlier are not
     */
    OperationWindows(JourneyIndex index, StageRegistry names, List<Operation> known, long fromPs) {
        this.names = names;
        index.stamps()
                .forEach(s -> stamps.computeIfAbsent(s.journey(), j -> new ArrayList<>())
                        .add(s));
        List<Operation> all = new ArrayList<>(known.isEmpty() ? journeys(fromPs) : known);
        all.sort(Comparator.comparingLong(Operation::postedPs).thenComparingLong(Operation::number));
        operations = all;
    }

    private List<Operation> journeys(long fromPs) {
        List<Operation> all = new ArrayList<>();
        stamps.forEach((journey, own) -> {
            long end = own.stream().mapToLong(JourneyIndex.Stamp::out).max().orElse(0);
            if (own.size() > 1 && own.get(0).in() >= fromPs) {
                all.add(new Operation(all.size(), own.get(0).in(), end, List.of(journey)));
            }
        });
        return all;
    }

    boolean isEmpty() {
        return operations.isEmpty();
    }

    int count() {
        return operations.size();
    }

    /**
     * Writes the windows.
     *
     * @param of how many operations the run had
     * @param cyclePs period of the NICs' core clock
     */
    String json(Provenance source, long of, double cyclePs) {
        StringBuilder text = new StringBuilder();
        JsonWriter json = new JsonWriter(text, false);
        json.beginObject().field("schema", SCHEMA);
        source.write(json);
        json.field("cycle_ps", cyclePs).field("operations", of).field("kept", operations.size());
        json.name("windows").beginArray();
        chosen().forEach(c -> write(c, json));
        json.endArray().name("lanes").beginArray();
        lanes.keySet().forEach(stage -> json.value(names.name(stage)));
        json.endArray().endObject().finish();
        return text.toString();
    }

    private List<Chosen> chosen() {
        List<Operation> sorted = new ArrayList<>(operations);
        sorted.sort(Comparator.comparingLong(Operation::latencyPs).thenComparingLong(Operation::number));
        return List.of(
                new Chosen("first", operations.get(0)),
                new Chosen("median", at(sorted, 50)),
                new Chosen("P99", at(sorted, 99)),
                new Chosen("slowest", at(sorted, 100)));
    }

    /** The smallest that is not below so many of all. */
    private static Operation at(List<Operation> sorted, int percent) {
        return sorted.get(Math.max(0, (int) ((long) sorted.size() * percent + 99) / 100 - 1));
    }

    private void write(Chosen chosen, JsonWriter json) {
        int middle = operations.indexOf(chosen.operation);
        int first = Math.max(0, middle - BEFORE);
        int end = Math.min(operations.size(), middle + AFTER + 1);
        List<Integer> nearest = IntStream.range(first, end)
                .boxed()
                .sorted(Comparator.comparingInt(i -> Math.abs(i - middle)))
                .toList();
        List<Integer> shown = new ArrayList<>();
        int room = MOST_SPANS;
        for (int i : nearest) {
            int size = size(operations.get(i));
            if (i == middle || size <= room) {
                shown.add(i);
                room -= size;
            }
        }
        shown.sort(Comparator.naturalOrder());
        json.beginObject()
                .field("name", chosen.name)
                .field("operation", chosen.operation.number())
                .field("left_out", end - first - shown.size())
                .field("spans_left_out", Math.max(0, size(chosen.operation) - MOST_SPANS));
        json.name("operations").beginArray();
        shown.forEach(i -> write(operations.get(i), json));
        json.endArray().endObject();
    }

    private int size(Operation o) {
        return o.journeys().stream().mapToInt(j -> of(j).size()).sum();
    }

    private List<JourneyIndex.Stamp> of(long journey) {
        return stamps.getOrDefault(journey, List.of());
    }

    /** A span is lane, part, begin and end in ps, what was waited for, and whose it is: 0 the operation's own, 1 its answer's. */
    private void write(Operation o, JsonWriter json) {
        json.beginObject()
                .field("number", o.number())
                .field("posted_ps", o.postedPs())
                .field("done_ps", o.donePs());
        json.name("spans").beginArray();
        o.journeys().stream()
                .flatMap(j -> of(j).stream())
                .sorted(Comparator.comparingLong(JourneyIndex.Stamp::in))
                .limit(MOST_SPANS)
                .forEach(s -> json.beginArray()
                        .value(lanes.computeIfAbsent(s.stage(), k -> lanes.size()))
                        .value(s.seq())
                        .value(s.in())
                        .value(s.out())
                        .value(names.name(s.cause()))
                        .value(o.journeys().indexOf(s.journey()))
                        .endArray());
        json.endArray().endObject();
    }
}
