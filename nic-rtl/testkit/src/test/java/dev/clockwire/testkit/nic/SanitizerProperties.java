package dev.clockwire.testkit.nic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profile;
import dev.clockwire.roce.soft.SoftSpec;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.verbs.SendFlag;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.mem.AddressSpace;
import dev.clockwire.sim.mem.MemoryFinding;
import dev.clockwire.sim.random.RandomStream;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/** Random programs keep the rules: nothing is found. And to be watched changes nothing. */
class SanitizerProperties {
    private static final long LIMIT_PS = 100_000_000_000_000L;

    private static LabSpec spec(boolean soft) {
        return LabSpec.of(1).withSoft(soft ? SoftSpec.usual() : null);
    }

    @Property(tries = 12)
    void programsThatKeepTheRulesAreNotFound(
            @ForAll("programs") ProgramSpec program, @ForAll("profiles") Profile profile, @ForAll boolean soft) {
        VerbsRun run = new VerbsRun(profile, spec(soft).withSanitizer(true), program);
        VerbsRun.Outcome watched = run.run(LIMIT_PS);
        assertThat(run.lab().sanitizer().findings()).isEmpty();
        assertThat(new VerbsRun(profile, spec(soft), program).run(LIMIT_PS)).isEqualTo(watched);
    }

    @Property(tries = 8)
    void norAreTheyWhenPacketsAreLost(
            @ForAll("programs") ProgramSpec program,
            @ForAll("profiles") Profile profile,
            @ForAll boolean soft,
            @ForAll @IntRange(min = 1, max = 60) int perMille) {
        VerbsRun run = new VerbsRun(profile, spec(soft).withSanitizer(true), program);
        RandomStream random = RandomStream.named(program.seed(), "loss");
        run.lab().tapFrames((ps, end, frame) -> {
            boolean reliable = program.type() == QpType.RC;
            if (reliable && frame instanceof RocePacket packet && random.below(1000) < perMille) {
                packet.icrcOk = false;
            }
        });
        run.run(LIMIT_PS);
        assertThat(run.lab().sanitizer().findings()).isEmpty();
    }

    /** At some frame the program touches one byte of the oldest work request that it has not seen the end of. */
    @Property(tries = 20)
    void oneBreachIsFound(
            @ForAll("programs") ProgramSpec program,
            @ForAll("profiles") Profile profile,
            @ForAll boolean soft,
            @ForAll boolean receives,
            @ForAll @IntRange(max = 30) int frame) {
        VerbsRun run = new VerbsRun(profile, spec(soft).withSanitizer(true), program);
        int[] frames = new int[1];
        boolean[] done = new boolean[1];
        run.lab().tapFrames((ps, end, token) -> {
            if (frames[0]++ >= frame && !done[0]) {
                done[0] = breach(run, receives);
            }
        });
        run.run(LIMIT_PS);
        Assume.that(done[0]);
        MemoryFinding found = MemoryAssert.assertThatMemory(run.lab()).hasOneLateAccess();
        assertThat(found.toucher()).isEqualTo("the program");
        assertThat(found.module()).startsWith("host0.root");
        assertThat(found.length()).isEqualTo(1);
    }

    private static boolean breach(VerbsRun run, boolean receives) {
        AddressSpace memory = run.lab().a().host().memory();
        for (Endpoint e : run.endpoints()) {
            Work w = receives ? e.openReceive() : e.openSend();
            boolean owns = w != null && w.bind == null && !SendFlag.INLINE.in(w.flags) && w.address.length > 0;
            if (w != null && owns && w.bytes[0] > 0 && memory.at(w.address[0], 1) != null) {
                if (receives || w.opcode.needsResponse()) {
                    run.lab().a().sanitizer().reads(w.address[0], 1);
                } else {
                    run.lab().a().sanitizer().writes(w.address[0], 1);
                }
                return true;
            }
        }
        return false;
    }

    @Provide
    static Arbitrary<ProgramSpec> programs() {
        return Labs.programs();
    }

    @Provide
    static Arbitrary<Profile> profiles() {
        return Labs.profiles();
    }
}
