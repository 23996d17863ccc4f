package dev.clockwire.storage.reactor;

import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The channels of one thread, at most one to each device. */
public final class Channels implements State {
    private final StorageThread thread;
    private final List<IoChannel<?>> channels = new ArrayList<>();

    Channels(StorageThread thread) {
        this.thread = thread;
    }

    /** Returns the channel to a device, made if there is none; to be put back with {@link #put}. On the thread itself. */
    public <C> IoChannel<C> get(IoDevice<C> device) {
        thread.require("channel to " + device.name());
        IoChannel<C> channel = find(device);
        if (channel == null) {
            thread.reactor().reactors().deviceNumber(device); // it must be known
            channel = new IoChannel<>(thread, device);
            channels.add(channel);
        }
        channel.references++;
        return channel;
    }

    /** Puts a channel back that this thread got. */
    public void put(IoChannel<?> channel) {
        thread.require("channel to " + channel.device().name());
        if (channel.references == 0) {
            throw new ConfigurationException(
                    "channel of " + thread + " to " + channel.device().name() + " was put back more often than got");
        }
        channel.references--;
        if (channel.references == 0) {
            Reactors all = thread.reactor().reactors();
            if (thread.sendMsg(all.endChannel(), thread.id(), all.deviceNumber(channel.device())) == 0) {
                channel.endings++;
            }
        }
    }

    /** Returns the channel to a device, null if there is none. */
    @SuppressWarnings("unchecked") // a channel's type is its device's
    public <C> @Nullable IoChannel<C> find(IoDevice<C> device) {
        for (int i = 0; i < channels.size(); i++) {
            if (channels.get(i).device() == device) {
                return (IoChannel<C>) channels.get(i);
            }
        }
        return null;
    }

    /** Ends a channel, unless it was got again meanwhile. */
    void end(IoDevice<?> device) {
        IoChannel<?> channel = find(device);
        if (channel != null) {
            channel.endings--;
            if (channel.references == 0 && channel.endings == 0) {
                channels.remove(channel);
                channel.close();
            }
        }
    }

    boolean isEmpty() {
        return channels.isEmpty();
    }

    /** Returns all of them in the order they were got. */
    public List<IoChannel<?>> all() {
        return List.copyOf(channels);
    }

    /** Returns how many there are. */
    public int count() {
        return channels.size();
    }

    @Override
    public void save(Snapshot out) {
        out.putInt(channels.size());
        for (IoChannel<?> c : channels) {
            out.putInt(thread.reactor().reactors().deviceNumber(c.device()));
            out.putInt(c.references);
            out.putInt(c.endings);
            if (c.context() instanceof State s) {
                s.save(out);
            }
        }
    }

    @Override
    public void load(Snapshot in) {
        List<IoChannel<?>> before = new ArrayList<>(channels);
        channels.clear();
        for (int n = in.getInt(); n > 0; n--) {
            IoChannel<?> c = known(before, thread.reactor().reactors().device(in.getInt()));
            c.references = in.getInt();
            c.endings = in.getInt();
            if (c.context() instanceof State s) {
                s.load(in);
            }
            channels.add(c);
        }
    }

    private IoChannel<?> known(List<IoChannel<?>> before, IoDevice<?> device) {
        for (IoChannel<?> c : before) {
            if (c.device() == device) {
                return c;
            }
        }
        return new IoChannel<>(thread, device);
    }
}
