package dev.clockwire.bench.sweep;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The command that a plan runs, as far as it can be judged without running it. */
public interface SweptCommand {
    /** Returns its options as typed ({@code -s}, {@code --size}), each with whether it takes a value. */
    Map<String, Boolean> options();

    /** Returns those of its options that name a file or a directory which a run writes. */
    Set<String> written();

    /** Returns the parameters that its {@code -P} knows; none if it has no such option. */
    Set<String> parameters();

    /** Returns why no command line can be like this one: a tool, an option or a kind that is not there, a word that is no number. */
    Optional<String> mistake(List<String> arguments);
}
