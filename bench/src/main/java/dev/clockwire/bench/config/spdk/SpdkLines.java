package dev.clockwire.bench.config.spdk;

import dev.clockwire.bench.config.model.ImportLog;
import dev.clockwire.bench.config.model.Rule;
import dev.clockwire.bench.config.text.ConfigLine;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.storage.reactor.CoreMask;
import dev.clockwire.storage.rpc.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads command lines of {@code nvmf_tgt} and {@code rpc.py}, with assignments of a shell in front. */
public final class SpdkLines {
    private static final String FORMAT = "spdk";
    private static final Map<String, String> TARGET = Map.of(
            "-m", "nvmf target -m",
            "--cpumask", "nvmf target -m",
            "-p", "nvmf target -p",
            "-s", "nvmf target -s",
            "-r", "nvmf target -r",
            "-c", "nvmf target -c",
            "--json", "nvmf target -c");

    private static final List<String> FLAGS = List.of("--wait-for-rpc", "--interrupt-mode");

    private final ImportLog log;
    private @Nullable SpdkCalls calls;

    /** Creates a reader. */
    public SpdkLines(ImportLog log) {
        this.log = log;
    }

    /** Takes a line; false if it calls neither program. */
    public boolean read(ConfigLine line) {
        List<String> words = new ArrayList<>(line.words());
        List<String> variables = new ArrayList<>();
        while (!words.isEmpty() && words.get(0).matches("[A-Za-z_][A-Za-z0-9_]*=.*")) {
            variables.add(words.remove(0));
        }
        String program =
                words.isEmpty() ? "" : words.get(0).substring(words.get(0).lastIndexOf('/') + 1);
        if (!program.equals("rpc.py") && !program.equals("nvmf_tgt") && !program.equals("spdk_nvmf_tgt")) {
            return false;
        }
        log.begin(line.file(), line.number(), line.text(), FORMAT);
        for (String v : variables) {
            if (v.startsWith("HUGEMEM=")) {
                log.finding(
                        Rule.HUGEMEM_IS_OF_SETUP,
                        0,
                        v + " is read by scripts/setup.sh, not by " + program,
                        "nvmf_tgt -s MB limits what it takes of the huge pages");
            }
        }
        List<String> rest = words.subList(1, words.size());
        if (program.equals("rpc.py")) {
            call(rest);
        } else {
            target(program, rest);
        }
        return true;
    }

    private void target(String program, List<String> words) {
        if (!program.equals("nvmf_tgt")) {
            log.finding(Rule.NO_SUCH_OPTION, 0, "SPDK builds no program " + program, "build/bin/nvmf_tgt");
        }
        List<String> effects = new ArrayList<>();
        for (int i = 0; i < words.size(); i++) {
            String option = words.get(i);
            String here = TARGET.get(option);
            if (FLAGS.contains(option)) {
                effects.add("nvmf target " + option);
            } else if (here == null || i + 1 == words.size()) {
                log.finding(
                        Rule.NO_SUCH_OPTION,
                        0,
                        "nvmf_tgt " + option + (here == null ? " is not simulated" : " has no value"),
                        "of its options there are -m -p -s -r -c --wait-for-rpc --interrupt-mode");
            } else {
                effects.add(here + " " + words.get(++i));
                check(here, words.get(i));
            }
        }
        log.effect(effects.isEmpty() ? "a simulated target: nvmf target" : String.join(", ", effects));
    }

    private void check(String option, String value) {
        if (option.endsWith("-m")) {
            try {
                CoreMask.parse(value);
            } catch (ConfigurationException e) {
                log.finding(Rule.BAD_VALUE, 0, String.valueOf(e.getMessage()), "a mask such as 0x3");
            }
        }
    }

    private void call(List<String> all) {
        int at = 0;
        while (at + 1 < all.size() && all.get(at).matches("-[spt]|--server|--port|--timeout")) {
            at += 2;
        }
        if (at >= all.size()) {
            log.effect("no effect: no method is called");
            return;
        }
        SpdkCalls judge = calls;
        if (judge == null) {
            judge = new SpdkCalls(log);
            calls = judge;
        }
        String method = all.get(at);
        List<String> words = all.subList(at + 1, all.size());
        if (!RpcArguments.knows(method)) {
            judge.name(method);
            return;
        }
        RpcArguments arguments = RpcArguments.of(method, words);
        if (!arguments.wrong().isEmpty()) {
            log.effect("no effect: rpc.py refuses it");
            log.finding(Rule.BAD_VALUE, 0, method + ": " + arguments.wrong(), "rpc.py " + method + " --help");
            return;
        }
        JsonValue.Obj params = arguments.params();
        judge.judge(method, params);
    }
}
