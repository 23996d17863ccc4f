package dev.clockwire.storage.daos.pool;

import dev.clockwire.nvme.format.LittleEndian;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The pool map: the states of all engines at a version, and with them the places of objects. An object belongs to a group of engines next to each other, in an order
 * that differs from group to group; its leader is the first of them that is in service.
 *
 * @param version from 1
 * @param replicas engines of a group
 * @param targets of each engine; an object has the same place in all engines of its group
 * @param states of the engines in their order
 */
public record PoolMap(int version, int replicas, int targets, List<TargetState> states) {
    private static final int HEAD = 6;

    /** What somebody knows who knows nothing. */
    public static final PoolMap NONE = new PoolMap(0, 0, 1, List.of());

    /** Copies the states. */
    public PoolMap {
        states = List.copyOf(states);
    }

    /** Returns the first map: all in service. */
    public static PoolMap of(int engines, int replicas, int targets) {
        return new PoolMap(1, replicas, targets, Collections.nCopies(engines, TargetState.UPIN));
    }

    /** Returns the next version, with another state of one engine. */
    public PoolMap with(int engine, TargetState state) {
        List<TargetState> next = new ArrayList<>(states);
        next.set(engine, state);
        return new PoolMap(version + 1, replicas, targets, next);
    }

    /** Returns the number of groups: as many as engines. */
    public int groups() {
        return states.size();
    }

    /** Returns the group of an object. */
    public int group(long key) {
        return (int) Long.remainderUnsigned(key, states.size());
    }

    /** Returns the target of an object, in each engine that has it. */
    public int target(long key) {
        return (int) Long.remainderUnsigned(Long.divideUnsigned(key, states.size()), targets);
    }

    /** Returns an engine of a group. */
    public int shard(int group, int i) {
        return (group + i) % states.size();
    }

    /** Returns whether an engine belongs to a group. */
    public boolean holds(int group, int engine) {
        return Math.floorMod(engine - group, states.size()) < replicas;
    }

    /** Returns the state of an engine. */
    public TargetState state(int engine) {
        return states.get(engine);
    }

    /** Returns the leader of a group, -1 if nobody is in service. */
    public int leader(int group) {
        for (int i = 0; i < replicas; i++) {
            int e = shard(group, i);
            if (states.get(e) == TargetState.UPIN) {
                return e;
            }
        }
        return -1;
    }

    /** Returns the engines of a group in a state or, with {@code UP}, those that get what is written. */
    public List<Integer> members(int group, boolean inService) {
        List<Integer> all = new ArrayList<>();
        for (int i = 0; i < replicas; i++) {
            int e = shard(group, i);
            TargetState s = states.get(e);
            if (s == TargetState.UPIN || (!inService && s == TargetState.UP)) {
                all.add(e);
            }
        }
        return all;
    }

    /** Returns whether every group of an engine has another one in service. */
    public boolean mayLose(int engine) {
        for (int g = 0; g < groups(); g++) {
            if (holds(g, engine) && members(g, true).stream().noneMatch(e -> e != engine)) {
                return false;
            }
        }
        return true;
    }

    /** Returns the engines that are gone since another map, or have forgotten what they were asked. */
    public List<Integer> lostSince(PoolMap before) {
        List<Integer> lost = new ArrayList<>();
        for (int e = 0; e < before.groups(); e++) {
            TargetState then = before.state(e);
            if (then != TargetState.DOWN && states.get(e) != TargetState.UPIN && then != states.get(e)) {
                lost.add(e);
            }
        }
        return lost;
    }

    /** Returns whether all are in service. */
    public boolean isWhole() {
        return states.stream().allMatch(s -> s == TargetState.UPIN);
    }

    /** Returns it as bytes. */
    public byte[] encode() {
        byte[] b = new byte[states.size() + HEAD];
        LittleEndian.put32(b, 0, version);
        b[4] = (byte) replicas;
        b[5] = (byte) targets;
        for (int i = 0; i < states.size(); i++) {
            b[HEAD + i] = (byte) states.get(i).code();
        }
        return b;
    }

    /** Reads one. */
    public static PoolMap decode(byte[] b, int n) {
        int version = LittleEndian.get32(b, 0);
        List<TargetState> states = new ArrayList<>();
        for (int i = HEAD; i < n; i++) {
            states.add(TargetState.of(b[i]));
        }
        return new PoolMap(version, b[4], b[5], states);
    }
}
