package dev.clockwire.roce.fabric;

import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.fault.FaultAction;
import dev.clockwire.sim.fault.FaultGate;
import dev.clockwire.sim.fault.FaultGates;
import dev.clockwire.sim.fault.FaultRule;
import dev.clockwire.sim.fault.FaultTrigger;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import dev.clockwire.sim.state.Token;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rules of a fault plan at one end of a link, the frame they hold back, and what became of frames. */
final class LinkFaults implements State {
    private static final int BITS = 8;

    private final FaultGates frames;
    private final List<FaultGate> outages;
    /** What is to hear of frames that set something off elsewhere. */
    private final List<FaultWatch> watches = new ArrayList<>();

    private final FrameDamage damage = new FrameDamage();
    /** No frame passes before. */
    private long downUntil = Long.MIN_VALUE;
    /** The device at this end was told last that there is no link. */
    private boolean toldDown;
    /** Pairs of a receiver's address and the time up to which no frame reaches it. */
    private long[] parted = {};

    /** A frame that waits for the next one. */
    @Nullable
    Token held;

    int heldLineBytes;
    private long lost;
    private long lostLineBytes;
    long corrupted;
    long unreadable;
    long duplicated;
    long late;

    /**
     * Creates the rules' state.
     *
     * @param frames gates of the rules about frames of this direction
     * @param outages gates of the rules that take the link down
     */
    LinkFaults(List<FaultGate> frames, List<FaultGate> outages) {
        this.frames = new FaultGates(frames);
        this.outages = outages;
    }

    /** Returns the gate whose rule acts on a frame, null if none. Every gate is asked, so that no rule moves another one's stream. */
    @Nullable
    FaultGate judge(long ps, Token frame) {
        for (int i = 0; i < watches.size(); i++) {
            watches.get(i).look(ps, frame);
        }
        return frames.judge(ps, frame);
    }

    void add(FaultWatch watch) {
        watches.add(watch);
    }

    List<FaultGate> outages() {
        return outages;
    }

    /** Returns how often a rule has acted at this end; an outage at a time counts once it has come. */
    long hits(FaultRule rule, long now) {
        long sum = frames.hits(rule);
        for (FaultGate gate : outages) {
            boolean came = gate.rule().trigger() instanceof FaultTrigger.At at && now >= at.ps();
            sum += gate.rule().equals(rule) ? gate.hits() + (came ? 1 : 0) : 0;
        }
        for (FaultWatch watch : watches) {
            sum += watch.gate().rule().equals(rule) ? watch.gate().hits() : 0;
        }
        return sum;
    }

    /** Returns whether the device has to hear that the link went down or came up, and takes note that it does. */
    boolean changed(long now) {
        boolean down = now < downUntil;
        for (int i = 0; i < outages.size(); i++) {
            FaultRule rule = outages.get(i).rule();
            down |= rule.trigger() instanceof FaultTrigger.At at && now >= at.ps() && now - at.ps() < rule.outagePs();
        }
        boolean news = down != toldDown;
        toldDown = down;
        return news;
    }

    boolean toldDown() {
        return toldDown;
    }

    /**
     * Returns whether the link is down during a frame.
     *
     * @param first when its first bit leaves
     * @param last when its last bit has left
     */
    boolean isDown(long first, long last, Token frame) {
        boolean down = first < downUntil;
        for (int i = 0; i < outages.size(); i++) {
            FaultGate gate = outages.get(i);
            if (gate.rule().trigger() instanceof FaultTrigger.At at) {
                down |= last > at.ps() && first - at.ps() < gate.rule().outagePs();
            } else if (gate.hits(first, frame)) {
                downUntil = Math.max(downUntil, first + gate.rule().outagePs());
                down = true;
            }
        }
        return down;
    }

    /** Loses frames to a receiver until a time. */
    void part(long mac, long until) {
        int at = 0;
        while (at < parted.length && parted[at] != mac) {
            at += 2;
        }
        if (at == parted.length) {
            parted = Arrays.copyOf(parted, at + 2);
            parted[at] = mac;
        }
        parted[at + 1] = Math.max(parted[at + 1], until);
    }

    /** Returns whether a frame's receiver cannot be reached when its first bit leaves. */
    boolean isParted(long first, Token frame) {
        for (int i = 0; i < parted.length; i += 2) {
            if (first < parted[i + 1] && frame instanceof RocePacket packet && packet.destination() == parted[i]) {
                return true;
            }
        }
        return false;
    }

    /** Returns the time up to which the link is down as far as this end knows. */
    long downUntil() {
        return downUntil;
    }

    /** The other end has lost the link. */
    void outage(long until) {
        downUntil = Math.max(downUntil, until);
    }

    /** Marks the bit to flip; returns whether the packet has it. */
    static boolean choose(FaultGate gate, FaultAction.Corrupt action, RocePacket packet) {
        int bits = packet.wireBytes() * BITS;
        int bit = action.bit() == FaultAction.Corrupt.ANY_BIT ? gate.random().below(bits) : action.bit();
        if (bit >= bits) {
            return false;
        }
        packet.flippedBit = bit;
        return true;
    }

    /** Does the damage of the marked bit; returns whether a receiver gets the packet. */
    boolean damage(RocePacket packet) {
        corrupted++;
        boolean reaches = damage.apply(packet);
        unreadable += reaches ? 0 : 1;
        return reaches;
    }

    /** A frame is gone. */
    void lose(int lineBytes) {
        lost++;
        lostLineBytes += lineBytes;
    }

    long lost() {
        return lost;
    }

    long lostLineBytes() {
        return lostLineBytes;
    }

    @Override
    public void save(Snapshot out) {
        frames.save(out);
        watches.forEach(watch -> watch.gate().save(out));
        out.putBoolean(toldDown);
        outages.forEach(gate -> gate.save(out));
        out.putLong(downUntil);
        out.putInt(parted.length);
        out.putLongs(parted);
        out.putToken(held);
        out.putInt(heldLineBytes);
        out.putLong(lost);
        out.putLong(lostLineBytes);
        out.putLong(corrupted);
        out.putLong(unreadable);
        out.putLong(duplicated);
        out.putLong(late);
    }

    @Override
    public void load(Snapshot in) {
        frames.load(in);
        watches.forEach(watch -> watch.gate().load(in));
        toldDown = in.getBoolean();
        outages.forEach(gate -> gate.load(in));
        downUntil = in.getLong();
        parted = new long[in.getInt()];
        in.getLongs(parted);
        held = in.getToken();
        heldLineBytes = in.getInt();
        lost = in.getLong();
        lostLineBytes = in.getLong();
        corrupted = in.getLong();
        unreadable = in.getLong();
        duplicated = in.getLong();
        late = in.getLong();
    }
}
