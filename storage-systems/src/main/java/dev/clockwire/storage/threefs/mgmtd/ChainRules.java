package dev.clockwire.storage.threefs.mgmtd;

import java.util.ArrayList;
import java.util.List;

/**
 * How a chain follows what nodes say of their targets: 3FS's {@code generateNewChain}, in the form its code has (an offline target that comes back may begin
 * to sync at once; its documents let it wait first). Pure.
 */
public final class ChainRules {
    private ChainRules() {}

    /** What a node says of a target. */
    @FunctionalInterface
    public interface Locals {
        /** Returns it. */
        LocalState of(Target target);
    }

    /** Returns the chain that follows, with the next version if anything has changed. */
    public static Chain next(Chain chain, Locals locals) {
        boolean serving = serves(chain, locals, TargetState.SERVING);
        boolean revived = !serving && serves(chain, locals, TargetState.LASTSRV);
        boolean anyServing = serving || revived;
        boolean syncing = false;
        boolean lastsrv = false;
        for (Target t : chain.targets()) {
            syncing |= t.state() == TargetState.SYNCING && locals.of(t) == LocalState.ONLINE && anyServing;
        }
        List<Target> changed = new ArrayList<>();
        for (Target t : chain.targets()) {
            LocalState local = locals.of(t);
            TargetState now = switch (t.state()) {
                case SERVING -> {
                    if (local != LocalState.OFFLINE) {
                        yield TargetState.SERVING;
                    }
                    boolean first = !anyServing && !lastsrv;
                    lastsrv |= first;
                    yield first ? TargetState.LASTSRV : TargetState.OFFLINE;
                }
                case LASTSRV ->
                    local == LocalState.OFFLINE
                            ? anyServing ? TargetState.OFFLINE : TargetState.LASTSRV
                            : serving ? TargetState.OFFLINE : TargetState.SERVING;
                case SYNCING ->
                    switch (local) {
                        case UP_TO_DATE -> TargetState.SERVING;
                        case ONLINE -> anyServing ? TargetState.SYNCING : TargetState.WAITING;
                        case OFFLINE -> TargetState.OFFLINE;
                    };
                case WAITING, OFFLINE -> {
                    if (local == LocalState.OFFLINE) {
                        yield TargetState.OFFLINE;
                    }
                    boolean may = local == LocalState.ONLINE && anyServing && !syncing;
                    syncing |= may;
                    yield may ? TargetState.SYNCING : TargetState.WAITING;
                }
            };
            changed.add(t.in(now));
        }
        List<Target> ordered = new ArrayList<>();
        for (TargetState state : List.of(
                TargetState.SERVING,
                TargetState.LASTSRV,
                TargetState.SYNCING,
                TargetState.WAITING,
                TargetState.OFFLINE)) {
            changed.stream().filter(t -> t.state() == state).forEach(ordered::add);
        }
        return ordered.equals(chain.targets()) ? chain : new Chain(chain.id(), chain.version() + 1, ordered);
    }

    private static boolean serves(Chain chain, Locals locals, TargetState as) {
        return chain.targets().stream().anyMatch(t -> t.state() == as && locals.of(t) != LocalState.OFFLINE);
    }
}
