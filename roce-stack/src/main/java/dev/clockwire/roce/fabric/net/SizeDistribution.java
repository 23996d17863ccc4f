package dev.clockwire.roce.fabric.net;

import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.random.RandomStream;
import java.util.ArrayList;
import java.util.List;

/**
 * How large flows are: points of a cumulative distribution, between which it is straight.
 *
 * @param bytes sizes, ascending, 1 or more
 * @param share of flows that are not larger, ascending to 1
 */
public record SizeDistribution(List<Long> bytes, List<Double> share) {
    private static final double END = 1e-9;
    private static final double MOST = 1L << 50;

    /** Checks that the points ascend. */
    public SizeDistribution {
        bytes = List.copyOf(bytes);
        share = List.copyOf(share);
        if (bytes.isEmpty() || bytes.size() != share.size()) {
            throw new ConfigurationException("a distribution of flow sizes has " + bytes.size() + " sizes and "
                    + share.size() + " shares: it needs as many, one at least");
        }
        for (int i = 0; i < bytes.size(); i++) {
            boolean ascends = i == 0
                    ? bytes.get(0) >= 1 && share.get(0) >= 0
                    : bytes.get(i) >= bytes.get(i - 1) && share.get(i) >= share.get(i - 1);
            if (!ascends) {
                String text = "distribution of flow sizes: point " + (i + 1) + " (" + bytes.get(i) + " B, "
                        + share.get(i) + ") does not ascend";
                throw new ConfigurationException(text);
            }
        }
        if (Math.abs(share.get(share.size() - 1) - 1) > END) {
            String text =
                    "distribution of flow sizes: the last share is " + share.get(share.size() - 1) + ", expected 1";
            throw new ConfigurationException(text);
        }
    }

    /** Returns a distribution of one size. */
    public static SizeDistribution of(long bytes) {
        return new SizeDistribution(List.of(bytes), List.of(1.0));
    }

    /**
     * Reads lines of a size in bytes and a share (or per cent, if the last is 100), separated by blanks or a comma; lines that begin with # are
     * remarks.
     *
     * @throws ConfigurationException with name and line for whatever is wrong
     */
    public static SizeDistribution parse(String name, List<String> lines) {
        List<Long> bytes = new ArrayList<>();
        List<Double> share = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).trim();
            if (line.isEmpty() || line.startsWith("#")) {
                continue;
            }
            String[] words = line.split("[,\\s]+", -1);
            if (words.length < 2) {
                throw noPoint(name, i, line);
            }
            try {
                double size = Double.parseDouble(words[0]);
                if (!(size >= 0 && size <= MOST)) {
                    throw noPoint(name, i, line);
                }
                bytes.add(Math.round(size));
                share.add(Double.parseDouble(words[words.length - 1]));
            } catch (NumberFormatException e) {
                throw noPoint(name, i, line);
            }
        }
        boolean perCent = !share.isEmpty() && share.get(share.size() - 1) > 1;
        List<Double> shares = perCent ? share.stream().map(s -> s / 100).toList() : share;
        List<Long> sizes = bytes.stream().map(b -> Math.max(1, b)).toList();
        try {
            return new SizeDistribution(sizes, shares);
        } catch (ConfigurationException e) {
            throw new ConfigurationException(name + ": " + e.getMessage());
        }
    }

    private static ConfigurationException noPoint(String name, int at, String line) {
        return new ConfigurationException(
                name + ":" + (at + 1) + ": expected bytes (0 to 2^50) and a share, found '" + line + "'");
    }

    /** Returns the mean in bytes. */
    public double mean() {
        double mean = bytes.get(0) * share.get(0);
        for (int i = 1; i < bytes.size(); i++) {
            mean += (share.get(i) - share.get(i - 1)) * (bytes.get(i) + bytes.get(i - 1)) / 2.0;
        }
        return mean;
    }

    /** Draws a size. */
    public long draw(RandomStream random) {
        double u = (random.nextLong() >>> 11) * 0x1.0p-53;
        int i = 0;
        while (share.get(i) <= u && i < share.size() - 1) {
            i++;
        }
        if (i == 0) {
            return bytes.get(0);
        }
        double below = share.get(i - 1);
        double part = share.get(i) == below ? 1 : (u - below) / (share.get(i) - below);
        return Math.max(1, Math.round(bytes.get(i - 1) + part * (bytes.get(i) - bytes.get(i - 1))));
    }
}
