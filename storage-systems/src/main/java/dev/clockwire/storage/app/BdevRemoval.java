package dev.clockwire.storage.app;

import dev.clockwire.storage.bdev.Bdev;
import dev.clockwire.storage.nvmf.subsystem.Namespace;
import dev.clockwire.storage.nvmf.subsystem.Subsystem;
import org.jspecify.annotations.Nullable;

/**
 * Takes block devices away as SPDK's hot removal does: the devices on top of one first, and the namespaces that show it; then the device itself, when
 * the I/Os that are under way have ended and no thread has a channel to it.
 */
final class BdevRemoval {
    /** Who claims a device that is going. */
    private static final String GOING = "its removal";

    private final StorageApp app;

    BdevRemoval(StorageApp app) {
        this.app = app;
    }

    /** Returns whether a device is going already. */
    static boolean isGoing(Bdev bdev) {
        return GOING.equals(bdev.claimedBy());
    }

    /** Removes a device; {@code then} is called on the main thread when it is gone. */
    void remove(Bdev bdev, Runnable then) {
        Bdev above = above(bdev);
        if (isGoing(bdev)) {
            app.when(() -> !app.bdevs().all().contains(bdev), then);
        } else if (above != null) {
            remove(above, () -> remove(bdev, then));
        } else {
            hide(bdev);
            close(bdev, then);
        }
    }

    private void hide(Bdev bdev) {
        for (Subsystem s : app.target().subsystems()) {
            for (Namespace n : s.namespaces()) {
                if (n.bdev() == bdev) {
                    s.removeNamespace(n.nsid());
                }
            }
        }
    }

    private @Nullable Bdev above(Bdev bdev) {
        String owner = bdev.claimedBy();
        return app.bdevs().all().stream()
                .filter(b -> b.name().equals(owner))
                .findFirst()
                .orElse(null);
    }

    private void close(Bdev bdev, Runnable then) {
        bdev.claim(GOING);
        app.when(() -> !bdev.isOpen(), () -> {
            app.bdevs().remove(bdev);
            app.config().remove("bdev", bdev.name());
            then.run();
        });
    }
}
