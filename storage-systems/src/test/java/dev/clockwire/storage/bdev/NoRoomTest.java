package dev.clockwire.storage.bdev;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.sim.KernelMode;
import dev.clockwire.storage.reactor.Errno;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What happens when a device or the pool has no room. */
class NoRoomTest {
    private final Disk disk = new Disk(KernelMode.ACTIVITY, Disk.SPEC);

    /** A device with room for some I/Os, which a test ends one by one. */
    private static final class Small extends Bdev {
        final List<BdevIo> held = new ArrayList<>();
        final List<Long> handed = new ArrayList<>();
        final int room;
        int refused;

        Small(Bdevs bdevs, int room) {
            super(bdevs, "Small0", 512, 1000);
            this.room = room;
        }

        @Override
        public boolean supports(IoType type) {
            return true;
        }

        @Override
        protected void submit(BdevChannel channel, BdevIo io) {
            if (held.size() == room) {
                refused++;
                io.complete(BdevStatus.NOMEM);
            } else {
                handed.add(io.lba());
                held.add(io);
            }
        }

        void endFirst() {
            held.remove(0).complete(BdevStatus.SUCCESS);
        }
    }

    private BdevChannel begin(Small bdev, int ios) {
        BdevChannel channel = disk.open(bdev);
        disk.on(20_000_000, () -> {
            for (int i = 0; i < ios; i++) {
                assertThat(channel.read(i, 1, disk.va(0), disk::done, i)).isZero();
            }
        });
        return channel;
    }

    private void end(Small bdev) {
        disk.on(1_000_000, bdev::endFirst);
    }

    /** 40 outstanding when the 41st is refused: tried again when 8 have ended, max(40/2, 40-8) = 32. */
    @Test
    void eightMustEndBeforeTheRestIsTriedAgain() {
        Small bdev = new Small(disk.bdevs, 40);
        BdevChannel channel = begin(bdev, 60);
        assertThat(channel.outstanding()).isEqualTo(40);
        assertThat(channel.waiting()).isEqualTo(20);
        assertThat(bdev.refused).isEqualTo(1); // the others wait behind it
        for (int i = 0; i < 7; i++) {
            end(bdev);
            assertThat(channel.outstanding()).isEqualTo(39 - i);
            assertThat(channel.retries()).isZero();
        }
        end(bdev);
        assertThat(channel.outstanding()).isEqualTo(40);
        assertThat(channel.waiting()).isEqualTo(12);
        assertThat(channel.retries()).isEqualTo(9); // eight fit
        while (!bdev.held.isEmpty()) {
            end(bdev);
        }
        assertThat(bdev.handed).hasSize(60).isSorted();
        assertThat(disk.log).hasSize(60).doesNotHaveDuplicates();
        assertThat(bdev.iostat().read().ops()).isEqualTo(60);
    }

    /** With few outstanding half of them: max(6/2, 6-8) = 3. */
    @Test
    void halfOfFew() {
        Small bdev = new Small(disk.bdevs, 6);
        BdevChannel channel = begin(bdev, 10);
        end(bdev);
        end(bdev);
        assertThat(channel.outstanding()).isEqualTo(4);
        end(bdev);
        assertThat(channel.outstanding()).isEqualTo(6);
        assertThat(channel.waiting()).isEqualTo(1);
    }

    @Test
    void withoutAnIoThereIsNomemAndATurnLater() {
        Disk d = new Disk(KernelMode.ACTIVITY, Disk.SPEC.withPool(5, 3));
        Small bdev = new Small(d.bdevs, 100);
        BdevChannel channel = d.open(bdev);
        d.on(1_000_000, () -> {
            assertThat(channel.awaitIo(() -> {})).isEqualTo(-Errno.EINVAL); // there are some
            for (int i = 0; i < 5; i++) {
                assertThat(channel.read(i, 1, d.va(0), d::done, i)).isZero();
            }
            assertThat(channel.read(5, 1, d.va(0), d::done, 5)).isEqualTo(-Errno.ENOMEM);
            for (int i = 5; i < 7; i++) {
                int n = i;
                assertThat(channel.awaitIo(() -> {
                            d.log.add("turn of " + n);
                            assertThat(channel.read(n, 1, d.va(0), d::done, n)).isZero();
                        }))
                        .isZero();
            }
        });
        assertThat(d.bdevs.pool().failures()).isEqualTo(1);
        d.on(1_000_000, bdev::endFirst);
        assertThat(d.log).containsExactly("0 SUCCESS", "turn of 5");
        d.on(1_000_000, bdev::endFirst);
        assertThat(d.log).containsExactly("0 SUCCESS", "turn of 5", "1 SUCCESS", "turn of 6");
        while (!bdev.held.isEmpty()) {
            d.on(1_000_000, bdev::endFirst);
        }
        assertThat(bdev.handed).containsExactly(0L, 1L, 2L, 3L, 4L, 5L, 6L);
    }

    @Test
    void constantsAreThoseOfSpdk() {
        BdevSpec spec = BdevSpec.server();
        assertThat(spec.ioPool()).isEqualTo(65_535);
        assertThat(spec.ioCache()).isEqualTo(256);
        assertThat(BdevSpec.NOMEM_THRESHOLD).isEqualTo(8);
    }
}
