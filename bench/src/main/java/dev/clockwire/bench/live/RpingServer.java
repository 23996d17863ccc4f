package dev.clockwire.bench.live;

import dev.clockwire.roce.cm.CmEvent;
import dev.clockwire.roce.cm.CmId;
import dev.clockwire.roce.cm.CmParameters;
import dev.clockwire.roce.cm.CmTimes;
import dev.clockwire.roce.cm.ConnectionManager;
import dev.clockwire.roce.transport.AccessFlag;
import dev.clockwire.roce.verbs.MemoryRegion;
import dev.clockwire.roce.verbs.ProtectionDomain;
import dev.clockwire.sim.mem.Allocation;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** {@code rping -s}: takes connections on its port and ends when all that were made are closed again. */
final class RpingServer implements LiveProgram {
    private static final int PORT = 7174;
    /** So long the last answer may be asked for again. */
    private static final long LINGER_PS = 500_000_000_000L;

    private final Station station;
    private final Consumer<String> events;
    private final Map<CmId, RpingSession> sessions = new LinkedHashMap<>();
    private @Nullable ProtectionDomain pd;
    private @Nullable ConnectionManager manager;
    private long closed;
    private long pings;
    private long overAt = Long.MAX_VALUE;

    RpingServer(Station station, Consumer<String> events) {
        this.station = station;
        this.events = events;
    }

    @Override
    public void begin() {
        ProtectionDomain domain = station.await(station.context().allocPd());
        Allocation memory = station.memory().allocate("cm", ConnectionManager.BUFFER_BYTES, Allocation.Kind.REAL, 4096);
        MemoryRegion region =
                station.await(domain.regMr(memory.address(), memory.length(), EnumSet.of(AccessFlag.LOCAL_WRITE)));
        ConnectionManager cm = station.await(ConnectionManager.open(
                domain, region, CmTimes.LINUX, station.sim().random("live.cm")));
        cm.listen(PORT, this::happened);
        pd = domain;
        manager = cm;
    }

    private void happened(CmEvent event) {
        events.accept("cm " + event.type());
        switch (event.type()) {
            case CONNECT_REQUEST -> accept(event.id());
            case DISCONNECTED -> close(event.id());
            default -> {}
        }
    }

    private void accept(CmId id) {
        ProtectionDomain domain = pd;
        if (domain != null) {
            overAt = Long.MAX_VALUE;
            RpingSession session = new RpingSession(station, domain, id, events);
            sessions.put(id, session);
            session.postReceives();
            id.accept(CmParameters.usual());
        }
    }

    private void close(CmId id) {
        RpingSession session = sessions.remove(id);
        if (session != null) {
            session.poll();
            pings += session.pings();
            closed++;
        }
        if (sessions.isEmpty()) {
            overAt = station.sim().now() + LINGER_PS;
        }
    }

    @Override
    public void poll() {
        ConnectionManager cm = manager;
        if (cm != null) {
            cm.poll();
            sessions.values().forEach(RpingSession::poll);
        }
    }

    @Override
    public boolean isOver() {
        return station.sim().now() >= overAt;
    }

    @Override
    public String summary() {
        return closed + " connections closed, " + pings + " pings";
    }
}
