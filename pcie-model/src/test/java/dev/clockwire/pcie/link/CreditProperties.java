package dev.clockwire.pcie.link;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.pcie.tlp.FlowClass;
import dev.clockwire.sim.KernelMode;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.random.RandomStream;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class CreditProperties {
    private static final long ADDRESS = 1L << 36;

    private static OneWay run(KernelMode mode, long seed, int headers, int units) {
        RandomStream random = RandomStream.named(seed, "credits");
        FlowCredits credits = new FlowCredits(headers, units == 0 ? 0 : 16 + units, 1 + headers, 0, headers, 0);
        PcieLinkSpec link = PcieLinkSpec.of(4, 8)
                .withDelays(1 + random.nextLong(40_000), 10_000)
                .withCredits(credits, credits);
        OneWay way = new OneWay(SimSpec.of(1).withMode(mode), link, true);
        for (int i = 0; i < 40; i++) {
            long at = 1 + random.nextLong(600_000);
            long address = ADDRESS + 0x2000L * i + random.nextInt(200);
            int bytes = 1 + random.nextInt(3000);
            switch (random.nextInt(3)) {
                case 0 -> way.at(at, OneWay.write(address, bytes));
                case 1 -> way.at(at, OneWay.read(address, Math.min(bytes, 512), i));
                default -> way.at(at, OneWay.completion(address, Math.min(bytes, 512), i));
            }
        }
        way.sim.run(100_000_000);
        return way;
    }

    /** Nothing is lost, credits come back, never more are in use than were given, and the two ways to decide agree. */
    @Property(tries = 200)
    void creditsAreConserved(
            @ForAll long seed, @ForAll @IntRange(max = 6) int headers, @ForAll @IntRange(max = 40) int units) {
        OneWay trains = run(KernelMode.ACTIVITY, seed, headers, units);
        OneWay singles = run(KernelMode.EXHAUSTIVE, seed, headers, units);
        assertThat(trains.direction.waiting()).isZero();
        assertThat(singles.direction.waiting()).isZero();
        if (headers > 0) {
            assertThat(singles.headersInUse).allMatch(n -> n >= 0 && n <= headers);
        }
        List<String> one = trains.arrived.stream().sorted().toList();
        List<String> other = singles.arrived.stream().sorted().toList();
        assertThat(one).isEqualTo(other);
        assertThat(trains.direction.stalledPs()).isEqualTo(singles.direction.stalledPs());
        // a last packet, long after: every credit is there for it, and it is the only user
        trains.at(200_000_000, OneWay.write(ADDRESS, 256));
        trains.sim.run(200_000_001);
        assertThat(trains.direction.headersInUse(FlowClass.POSTED)).isEqualTo(headers == 0 && units == 0 ? 0 : 1);
    }
}
