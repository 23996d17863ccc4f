package dev.clockwire.bench.cli;

import dev.clockwire.nic.profile.Parameters;
import dev.clockwire.nic.profile.Profile;
import dev.clockwire.nic.profile.RunPart;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Says which settings of the user can change nothing in a run, why, and what to add. */
final class Idle {
    private final List<String> lines = new ArrayList<>();

    /**
     * Looks at parameters. One that has the value it has anyway is left alone.
     *
     * @param usual the hardware without what was typed
     * @param used the hardware of the run
     */
    Idle parameters(List<ProfileOverride> typed, Profile usual, Profile used, Set<RunPart> parts) {
        Map<String, String> last = new LinkedHashMap<>();
        typed.forEach(o -> last.put(o.path(), o.value()));
        last.forEach((path, value) -> {
            if (!used.text(path).equals(usual.text(path))) {
                Parameters.byPath(path)
                        .withoutEffect(used, parts)
                        .ifPresent(why -> lines.add(path + "=" + value + " has no effect: " + why));
            }
        });
        return this;
    }

    /**
     * Looks at an option.
     *
     * @param given whether it was typed
     * @param needed whether the run has what it needs
     * @param why as the end of a sentence
     * @param add what to take instead
     */
    Idle option(String name, boolean given, boolean needed, String why, String add) {
        if (given && !needed) {
            lines.add(name + " has no effect: " + why + "; " + add);
        }
        return this;
    }

    /** Says something else that a setting does not do. */
    Idle remark(boolean applies, String line) {
        if (applies) {
            lines.add(line);
        }
        return this;
    }

    /** Tells all of it on standard error, a line each. */
    void tell(Console console) {
        lines.forEach(console::note);
    }
}
