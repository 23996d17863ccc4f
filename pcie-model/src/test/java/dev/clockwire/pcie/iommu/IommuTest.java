package dev.clockwire.pcie.iommu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.pcie.tlp.CompletionStatus;
import dev.clockwire.sim.mem.AddressSpace;
import dev.clockwire.sim.mem.Allocation;
import dev.clockwire.sim.mem.PayloadMode;
import dev.clockwire.sim.stats.StatRegistry;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IommuTest {
    private static final long MB2 = 2 << 20;
    private static final long PAGE = 4096;

    private final AddressSpace memory = new AddressSpace("memory", PayloadMode.SIZES, 1L << 32);

    private Iommu iommu(IommuSpec spec, HugePages pages) {
        return new Iommu(spec, pages, memory, new StatRegistry(), "iommu");
    }

    @ParameterizedTest
    @CsvSource({
        "0, 2097152, 1, 0", // exactly one aligned page
        "4096, 2097152, 0, 512", // as long as one, but nowhere aligned
        "4096, 6291456, 2, 512", // two inside, 511 and 1 small ones around
        "0, 2097151, 0, 512", // a byte too short
        "2097152, 4194305, 2, 1"
    })
    void transparentHugePagesAreTheAlignedInsideOfABuffer(long offset, long length, int large, int small) {
        Allocation a = memory.allocateAt("a", (1L << 32) + offset, length, Allocation.Kind.BULK);
        assertThat(HugePages.TRANSPARENT.pages(a, a.address(), length)).isEqualTo(large + small);
        int found = 0;
        for (long at = a.address(); at < a.end(); at += PAGE) {
            found += HugePages.TRANSPARENT.page(a, at) == PageSize.LARGE ? 1 : 0;
        }
        assertThat(found).isEqualTo(large * 512);
    }

    @Property(tries = 200)
    void hitsAreThoseOfLruStackDistance(
            @ForAll @Size(min = 1, max = 300) List<@IntRange(max = 40) Integer> trace,
            @ForAll @IntRange(min = 0, max = 5) int bits) {
        AddressSpace space = new AddressSpace("memory", PayloadMode.SIZES, 1L << 32);
        Allocation a = space.allocate("a", 64 * PAGE, Allocation.Kind.BULK, 4096);
        IommuSpec spec = IommuSpec.xeon().withIotlb(1 << bits, 1 << bits);
        Iommu mmu = new Iommu(spec, HugePages.NEVER, space, new StatRegistry(), "iommu");
        List<Integer> stack = new ArrayList<>();
        long expected = 0;
        long now = 0;
        for (int page : trace) {
            int depth = stack.indexOf(page);
            expected += depth >= 0 && depth < 1 << bits ? 1 : 0;
            stack.remove((Integer) page);
            stack.add(0, page);
            now += 1_000_000; // no walk is under way
            long known = mmu.translate(now, a.address() + page * PAGE + 5, 8);
            assertThat(known - now).isEqualTo(depth >= 0 && depth < 1 << bits ? 0 : 330_000);
        }
        assertThat(mmu.hits()).isEqualTo(expected);
        assertThat(mmu.misses() + mmu.hits()).isEqualTo(trace.size());
    }

    @Test
    void walksOfOnePageAreSharedAndOthersWaitForAWalker() {
        Allocation a = memory.allocate("a", 64 * PAGE, Allocation.Kind.BULK, 4096);
        Iommu mmu = iommu(IommuSpec.xeon().withWalks(100, 2), HugePages.NEVER);
        assertThat(mmu.translate(1_000, a.address(), 64)).isEqualTo(1_100);
        assertThat(mmu.translate(1_010, a.address() + 64, 64)).isEqualTo(1_100);
        assertThat(mmu.translate(1_020, a.address() + PAGE, 64)).isEqualTo(1_120);
        assertThat(mmu.translate(1_030, a.address() + 2 * PAGE, 64)).isEqualTo(1_200);
        assertThat(mmu.translate(1_040, a.address() + 3 * PAGE, 64)).isEqualTo(1_220);
        assertThat(mmu.translate(1_100, a.address(), 64)).isEqualTo(1_100);
        assertThat(mmu.walks()).isEqualTo(4);
        assertThat(mmu.hits()).isEqualTo(1);
    }

    @Test
    void aRangeThatIsTakenAwayIsForgottenAtOnce() {
        Allocation a = memory.allocate("a", 4 * MB2, Allocation.Kind.BULK, MB2);
        Iommu mmu = iommu(IommuSpec.xeon(), HugePages.TRANSPARENT);
        mmu.translate(0, a.address(), 64);
        mmu.translate(0, a.address() + MB2, 64);
        mmu.unmap(a.address() + 4 * PAGE, PAGE);
        assertThat(mmu.translate(1_000_000, a.address() + MB2, 64)).isEqualTo(1_000_000);
        assertThat(mmu.translate(1_000_000, a.address(), 64)).isEqualTo(1_247_500); // its page was split: walked again
        assertThat(mmu.translate(1_000_000, a.address() + 4 * PAGE, 64)).isEqualTo(~1_330_000L);
        assertThat(mmu.translate(1_000_000, 12, 4)).isNegative();
        assertThat(mmu.faults()).isEqualTo(2);
    }

    @Test
    void whatCannotBeBuiltIsRefused() {
        assertThatThrownBy(() -> new IommuSpec(64, 3, 0, 330, 4, CompletionStatus.UR))
                .hasMessageContaining("64 entries in 3 ways");
        assertThatThrownBy(() -> new IommuSpec(4, 8, 0, 330, 4, CompletionStatus.UR))
                .hasMessageContaining("entries 4 is not in 8..");
        assertThatThrownBy(() -> new IommuSpec(64, 4, -1, 330, 4, CompletionStatus.UR))
                .hasMessageContaining("hit ps -1");
        assertThatThrownBy(() -> new IommuSpec(64, 4, 0, 330, 0, CompletionStatus.UR))
                .hasMessageContaining("walkers 0");
        assertThatThrownBy(() -> new IommuSpec(64, 4, 0, 330, 4, CompletionStatus.SC))
                .hasMessageContaining("UR or CA");
    }
}
