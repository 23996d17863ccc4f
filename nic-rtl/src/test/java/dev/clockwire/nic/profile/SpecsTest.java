package dev.clockwire.nic.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.nic.profile.QueueSpec.Compression;
import dev.clockwire.nic.profile.QueueSpec.Policy;
import dev.clockwire.sim.error.ConfigurationException;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The records that parameters become: ranges at their ends, and which parameter is which. */
class SpecsTest {
    private static final Profile CX7 = Profiles.named("cx7-400g");

    @ParameterizedTest
    @CsvSource({
        "1,1,8,1,true", "8,2,8,1,true", "8,8,4096,1024,true", "16777216,1,64,1,true", "12,3,64,1,true",
        "0,1,8,1,false", "1,0,8,1,false", "1,2,8,1,false", "16777217,1,8,1,false", "8,2,4,1,false",
        "8,2,8192,1,false", "8,2,24,1,false", "8,2,8,0,false", "8,2,8,1025,false", "12,2,64,1,false",
        "9,2,64,1,false", "24,2,64,1,false"
    })
    void aCacheHasAPowerOfTwoOfSets(int entries, int ways, int bytes, int misses, boolean good) {
        if (good) {
            CacheSpec spec = new CacheSpec(entries, ways, bytes, misses);
            assertThat(spec.sets() * ways).isEqualTo(entries);
            assertThat(Integer.bitCount(spec.sets())).isEqualTo(1);
            assertThat(spec.random()).isFalse();
        } else {
            assertThatThrownBy(() -> new CacheSpec(entries, ways, bytes, misses))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageStartingWith("cache: ");
        }
    }

    @Test
    void aCachesMistakeIsNamedWithItsRange() {
        assertThatThrownBy(() -> new CacheSpec(8, 0, 64, 1)).hasMessage("cache: ways 0 is not in 1..16777216");
        assertThatThrownBy(() -> new CacheSpec(1, 2, 64, 1)).hasMessage("cache: entries 1 is not in 2..16777216");
        assertThatThrownBy(() -> new CacheSpec(8, 2, 7, 1)).hasMessage("cache: entry bytes 7 is not in 8..4096");
        assertThatThrownBy(() -> new CacheSpec(8, 2, 64, 2000)).hasMessage("cache: misses 2000 is not in 1..1024");
        assertThatThrownBy(() -> new CacheSpec(8, 2, 65, 1)).hasMessageContaining("65 is not a power of two");
    }

    private static QueueSpec queues(int ahead, int logEvents) {
        return new QueueSpec(Policy.WRR, true, ahead, true, logEvents, Compression.CQ, 5, 2, true);
    }

    @Test
    void queuesHaveRanges() {
        assertThatCode(() -> queues(1, 0)).doesNotThrowAnyException();
        assertThatCode(() -> queues(64, 16)).doesNotThrowAnyException();
        assertThatThrownBy(() -> queues(0, 0)).hasMessageContaining("0 WQEs ahead is not in 1..64");
        assertThatThrownBy(() -> queues(65, 0)).hasMessageContaining("65 WQEs ahead");
        assertThatThrownBy(() -> queues(1, -1)).hasMessageContaining("-1 is not in 0..16");
        assertThatThrownBy(() -> queues(1, 17)).hasMessageContaining("17 is not in 0..16");
    }

    @Test
    void answersGoByThePolicyOnlyWhereThatIsSaid() {
        assertThat(queues(1, 0).responsePolicy()).isEqualTo(Policy.WRR);
        assertThat(new QueueSpec(Policy.STRICT, false, 1, true, 0, Compression.OFF, 5, 2, true).responsePolicy())
                .isEqualTo(Policy.RR);
    }

    @Test
    void queuesOfAProfile() {
        QueueSpec q = QueueSpec.from(CX7.with("nic.sched.policy", "strict")
                .with("nic.sched.responses", "true")
                .with("nic.sched.ahead", "3")
                .with("nic.int.moderation", "true")
                .with("nic.eq.log_entries", "7")
                .with("nic.cqe.compression", "all")
                .with("nic.cqe.compression_cycles", "9")
                .with("nic.eth.queues", "4")
                .with("nic.eth.checksums", "true"));
        assertThat(q).isEqualTo(new QueueSpec(Policy.STRICT, true, 3, true, 7, Compression.ALL, 9, 4, true));
    }

    @Test
    void tablesOfAProfileAreOnTheChipUnlessBounded() {
        IcmSpec all = IcmSpec.from(CX7);
        assertThat(all.qpc()).isNull();
        assertThat(all.mpt()).isNull();
        assertThat(all.mtt()).isNull();
        assertThat(all.cqc()).isNull();
        assertThat(all.translates()).isFalse();
        IcmSpec some = IcmSpec.from(CX7.with("nic.cache.mpt_entries", "64")
                .with("nic.cache.mpt_ways", "4")
                .with("nic.cache.misses", "7")
                .with("nic.cache.replacement", "random")
                .with("nic.cache.mtt_page", "65536"));
        assertThat(some.translates()).isTrue();
        assertThat(some.mpt()).isEqualTo(new CacheSpec(64, 4, 64, 7, true));
        assertThat(some.random()).isTrue();
        assertThat(all.random()).isFalse();
        assertThat(some.pageShift()).isEqualTo(16);
        assertThat(IcmSpec.from(CX7.with("nic.cache.mtt_entries", "64")).translates())
                .isTrue();
        assertThat(Objects.requireNonNull(IcmSpec.from(CX7.with("nic.cache.mtt_entries", "64"))
                                .mtt())
                        .entryBytes())
                .isEqualTo(8);
        assertThat(Objects.requireNonNull(IcmSpec.from(
                                        CX7.with("nic.cache.qpc_entries", "64").with("nic.cache.qpc_bytes", "512"))
                                .qpc())
                        .entryBytes())
                .isEqualTo(512);
    }

    @Test
    void aContextsSizeIsAPowerOfTwo() {
        assertThatThrownBy(() -> IcmSpec.from(CX7.with("nic.cache.qpc_bytes", "384")))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("nic.cache.qpc_bytes=384");
        assertThatThrownBy(() -> IcmSpec.from(CX7.with("nic.cache.mpt_entries", "60")))
                .hasMessageContaining("nic.cache.mpt_entries=60");
    }

    private static IcmSpec icm(int page, int ports) {
        return new IcmSpec(null, false, ports, null, null, null, page, false, 24, 5, true);
    }

    @Test
    void pagesAndPortsHaveRanges() {
        assertThat(icm(4096, 1).pageShift()).isEqualTo(12);
        assertThatThrownBy(() -> icm(2048, 1)).hasMessageContaining("2048");
        assertThatThrownBy(() -> icm(4097, 1)).hasMessageContaining("4097");
        assertThatThrownBy(() -> icm(4096, 0)).hasMessageContaining("0 ports");
        assertThat(icm(4096, 1).wqeCache()).isEqualTo(new CacheSpec(24, 24, 64, 5, true));
        assertThat(icm(4096, 1).wqeCache().sets()).isEqualTo(1);
    }

    /** IBTA 1.7, 9.7.6.1.3: a code n stands for 4.096 us x 2^n; 0 is no timer at all. */
    @Test
    void aTimeoutIsNoticedLater() {
        NicSpec exact = NicSpec.from(CX7.with("nic.qp.ack_timeout_factor", "1"));
        NicSpec late = NicSpec.from(CX7.with("nic.qp.ack_timeout_factor", "2.5"));
        assertThat(exact.ackTimeoutPs(1)).isEqualTo(8_192_000);
        assertThat(late.ackTimeoutPs(1)).isEqualTo(20_480_000);
        assertThat(late.ackTimeoutPs(0)).isEqualTo(exact.ackTimeoutPs(0));
    }

    @ParameterizedTest
    @CsvSource({"0,0", "1,1", "64,1", "65,2", "128,2", "129,3"})
    void beatsAreWholeOnes(int bytes, int beats) {
        assertThat(NicSpec.from(CX7.with("nic.datapath_bytes", "64")).beats(bytes))
                .isEqualTo(beats);
    }

    @Test
    void wordsBecomeSwitches() {
        NicSpec a = NicSpec.from(CX7.with("nic.uar.layout", "packed")
                .with("nic.dma.store_and_forward", "message")
                .with("nic.pci_wr_ordering", "force_relax"));
        assertThat(a.packedUar()).isTrue();
        assertThat(a.storeWholeMessages()).isTrue();
        assertThat(a.relaxedWrites()).isTrue();
        NicSpec b = NicSpec.from(CX7.with("nic.uar.layout", "page")
                .with("nic.dma.store_and_forward", "packet")
                .with("nic.pci_wr_ordering", "per_mkey"));
        assertThat(b.packedUar()).isFalse();
        assertThat(b.storeWholeMessages()).isFalse();
        assertThat(b.relaxedWrites()).isFalse();
    }

    @Test
    void ratesOfAProfile() {
        Profile p = CX7.with("nic.core_mhz", "250")
                .with("link.gbps", "100")
                .with("nic.rate.fsm", "article")
                .with("nic.rate.bucket", "article-literal")
                .with("nic.dcqcn.alpha_us", "55")
                .with("nic.dcqcn.timer_us", "300")
                .with("nic.dcqcn.floor_mbps", "10")
                .with("nic.dcqcn.additive_mbps", "40")
                .with("nic.dcqcn.hyper_mbps", "900000")
                .with("nic.dcqcn.rpg_min_rate", "1000000");
        RateSpec r = RateSpec.from(p);
        assertThat(r.coreHz()).isEqualTo(250_000_000);
        assertThat(r.lineRate()).isEqualTo(100_000_000_000L);
        assertThat(r.articleStates()).isTrue();
        assertThat(r.literalBucket()).isTrue();
        assertThat(r.paper().toString()).contains("" + 55 * 250).contains("" + 300 * 250);
        assertThat(r.paper().toString()).contains("10000000").contains("40000000");
        assertThat(r.paper().toString()).as("no rate above the line's").doesNotContain("900000000000");
        assertThat(r.vendor().toString()).contains("100000").doesNotContain("1000000");
        RateSpec plain = RateSpec.from(CX7);
        assertThat(plain.articleStates()).isFalse();
        assertThat(plain.literalBucket()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"off,OFF", "paper,PAPER", "vendor,VENDOR", "article-literal,ARTICLE_LITERAL"})
    void reactionPoints(String text, RateSpec.Dcqcn which) {
        assertThat(RateSpec.from(CX7.with("nic.rate.dcqcn", text)).dcqcn()).isEqualTo(which);
    }
}
