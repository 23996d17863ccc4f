package dev.clockwire.bench.fabric.experiment;

import dev.clockwire.bench.fabric.FabricResult;
import dev.clockwire.bench.fabric.Series;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** What a case did, in the figures that experiments ask for. Times in us of the fabric. */
public record Outcome(FabricResult result, Series series) {
    /** Returns the completion time of a flow in us; infinite if it has not ended. */
    public double fct(int flow) {
        Double us = result.flows().get(flow).fctUs();
        return us == null ? Double.POSITIVE_INFINITY : us;
    }

    /** Returns how often a flow's acknowledgement timer ran out; hosts are light. */
    public long timeouts(int flow) {
        return Objects.requireNonNull(result.flows().get(flow).timeouts());
    }

    /** Returns the packets of a flow that were sent again for each negative acknowledgement; hosts are light. */
    public double resentPerNak(int flow) {
        FabricResult.Flow f = result.flows().get(flow);
        return f.retransmissions() / (double) Objects.requireNonNull(f.naks());
    }

    /** Returns the completion time of the last flow in us. */
    public double last() {
        double last = 0;
        for (int i = 0; i < result.flows().size(); i++) {
            last = Math.max(last, fct(i));
        }
        return last;
    }

    /** Returns the mean completion time in us. */
    public double mean() {
        double sum = 0;
        for (int i = 0; i < result.flows().size(); i++) {
            sum += fct(i);
        }
        return sum / result.flows().size();
    }

    /** Returns by how much the last flow is later than the first, in per cent. */
    public double spread() {
        double first = Double.POSITIVE_INFINITY;
        for (int i = 0; i < result.flows().size(); i++) {
            first = Math.min(first, fct(i));
        }
        return 100 * (last() - first) / first;
    }

    /** Returns the flows that have ended. */
    public double finished() {
        return result.flows().stream().filter(f -> f.fctUs() != null).count();
    }

    /** Returns the flows whose sender has given up. */
    public double exhausted() {
        return result.flows().stream()
                .filter(f -> f.status().equals("retry-exceeded"))
                .count();
    }

    /** Returns the longest queue of all ports in bytes. */
    public double maxQueue() {
        return result.switches().stream()
                .flatMap(s -> s.ports().stream())
                .mapToDouble(FabricResult.Port::maxQueueBytes)
                .max()
                .orElse(0);
    }

    /** Returns the mean goodput of each flow in Gb/s between two times. */
    private Map<String, Double> goodputs(double from, double to) {
        Map<String, Double> sums = new TreeMap<>();
        double last = from;
        long looks = 0;
        for (Series.Sample s : series.samples()) {
            if (s.us() > from && s.us() <= to) {
                looks += s.us() > last ? 1 : 0;
                last = Math.max(last, s.us());
                if (s.metric().equals("goodput_gbps")) {
                    sums.merge(s.object(), s.value(), Double::sum);
                }
            }
        }
        double n = Math.max(1, looks);
        sums.replaceAll((flow, sum) -> sum / n);
        return sums;
    }

    /** Returns the goodput of a flow in Gb/s between two times. */
    public double goodput(String flow, double from, double to) {
        return goodputs(from, to).getOrDefault(flow, 0.0);
    }

    /** Returns the goodput of all flows in Gb/s between two times. */
    public double sum(double from, double to) {
        return goodputs(from, to).values().stream()
                .mapToDouble(Double::doubleValue)
                .sum();
    }

    /** Returns Jain's index of the goodputs between two times: 1 is alike. */
    public double jain(double from, double to) {
        double sum = 0;
        double squares = 0;
        Map<String, Double> all = goodputs(from, to);
        for (double v : all.values()) {
            sum += v;
            squares += v * v;
        }
        return squares == 0 ? 0 : sum * sum / (all.size() * squares);
    }

    private double[] queue(String port, double from, double to) {
        double[] values = series.samples().stream()
                .filter(s -> s.us() > from && s.us() <= to && s.object().equals(port))
                .filter(s -> s.metric().equals("queue_bytes"))
                .mapToDouble(Series.Sample::value)
                .toArray();
        Arrays.sort(values);
        return values;
    }

    /** Returns the mean queue of a port between two times, in bytes, over the looks that found one. */
    public double meanQueue(String port, double from, double to) {
        return Arrays.stream(queue(port, from, to)).average().orElse(0);
    }

    /** Returns a quantile of the queue of a port between two times, in bytes, over the looks that found one. */
    public double queue(String port, double quantile, double from, double to) {
        double[] all = queue(port, from, to);
        return all.length == 0 ? 0 : all[(int) Math.min(all.length - 1L, Math.round(quantile * all.length))];
    }
}
