package dev.clockwire.bench.config.comware;

import dev.clockwire.bench.config.model.ClassKey;
import dev.clockwire.bench.config.model.ImportLog;
import dev.clockwire.bench.config.model.PortConfig;
import dev.clockwire.bench.config.model.PortKey;
import dev.clockwire.bench.config.model.Rule;
import java.util.List;
import java.util.Locale;

/** {@code priority-flow-control ...}. */
final class PfcCommand {
    /** Bytes of a buffer cell: 256 on Trident 3, 254 on Tomahawk 3. */
    static final int CELL = 256;

    private static final int MOST_CELLS = 1 << 22;
    private static final int MOST_STEPS = 15;
    private static final int DELAY_MS = 100;
    static final int NORMAL_MS = 10;
    private static final List<String> SECOND =
            List.of("enable", "auto", "no-drop", "dot1p", "deadlock", "pause-time", "poolid", "early-warning");
    private static final List<String> BUFFERS =
            List.of("headroom", "reserved-buffer", "ingress-buffer", "ingress-threshold-offset");

    private final ComwareReader reader;
    private final ImportLog log;
    private final List<String> words;

    PfcCommand(ComwareReader reader, List<String> words) {
        this.reader = reader;
        this.log = reader.log;
        this.words = words;
    }

    void run() {
        switch (word(1)) {
            case "enable" -> mode(1, "PFC on");
            case "auto" -> mode(2, "PFC if the port speaks DCBX; that the far end agrees is taken for granted");
            case "no-drop" -> noDrop();
            case "dot1p" -> buffer();
            case "deadlock" -> deadlock();
            case "pause-time" -> pauseTime();
            case "poolid", "poolID" -> pool();
            case "early-warning" -> log.effect("warnings of the switch; not simulated");
            default -> log.unknownWord(Rule.NOT_COMWARE, "priority-flow-control command", word(1), SECOND);
        }
    }

    private String word(int at) {
        return at < words.size() ? words.get(at) : "";
    }

    private void mode(int mode, String effect) {
        reader.targets().forEach(p -> p.set(PortKey.PFC_MODE, mode, log.where()));
        log.effect(effect);
    }

    private void noDrop() {
        int bits = word(2).equals("dot1p") ? bits(words.subList(3, words.size())) : 0;
        if (bits == 0) {
            log.bad(
                    "no-drop dot1p",
                    String.join(" ", words.subList(Math.min(words.size(), 3), words.size())),
                    "priorities 0 to 7, as in 3 or 3,4");
            return;
        }
        reader.targets().forEach(p -> lossless(p, bits, log.where()));
        log.effect("lossless priorities " + names(bits) + " (switches.pfc.classes)");
    }

    static void lossless(PortConfig port, int bits, String where) {
        for (int c = 0; c < PortConfig.CLASSES; c++) {
            port.set(ClassKey.LOSSLESS, c, bits >> c & 1, where);
        }
    }

    static String names(int bits) {
        StringBuilder names = new StringBuilder();
        for (int c = 0; c < PortConfig.CLASSES; c++) {
            if ((bits >> c & 1) != 0) {
                names.append(names.isEmpty() ? "" : ", ").append(c);
            }
        }
        return names.isEmpty() ? "none" : names.toString();
    }

    /** Returns the bits of {@code 3}, {@code 3,4}, {@code 0 to 2} or {@code 3-5}; 0 if it is none. */
    static int bits(List<String> list) {
        String text = String.join(" ", list).replace(" to ", "-").replace(' ', ',');
        int bits = 0;
        for (String part : text.split(",", -1)) {
            if (part.matches("[0-7]")) {
                bits |= 1 << Integer.parseInt(part);
            } else if (part.matches("[0-7]-[0-7]") && part.charAt(0) <= part.charAt(2)) {
                for (char c = part.charAt(0); c <= part.charAt(2); c++) {
                    bits |= 1 << (c - '0');
                }
            } else {
                return 0;
            }
        }
        return bits;
    }

    private void buffer() {
        int bits = bits(List.of(word(2)));
        if (bits == 0) {
            log.bad("dot1p", word(2), "priorities 0 to 7");
            return;
        }
        switch (word(3)) {
            case "headroom" -> cells(ClassKey.HEADROOM, bits, 4, "headroom (switches.headroom_bytes)");
            case "reserved-buffer" -> cells(ClassKey.RESERVE, bits, 4, "reserve (switches.buffer.reserve)");
            case "ingress-threshold-offset" ->
                cells(ClassKey.OFFSET, bits, 4, "resume offset (switches.buffer.resume_offset)");
            case "ingress-buffer" -> threshold(bits);
            default -> log.unknownWord(Rule.NOT_COMWARE, "priority-flow-control dot1p command", word(3), BUFFERS);
        }
    }

    private void threshold(int bits) {
        if (word(4).equals("static")) {
            cells(ClassKey.XOFF, bits, 5, "fixed threshold of pauses");
            return;
        }
        if (!word(4).equals("dynamic")
                || !word(5).matches("\\d{1,3}")
                || Integer.parseInt(word(5)) < 1
                || Integer.parseInt(word(5)) > 100) {
            log.bad("ingress-buffer", word(4) + " " + word(5), "dynamic 1 to 100 (per cent) or static CELLS");
            return;
        }
        int perCent = Integer.parseInt(word(5));
        long n = Math.round(Math.log(perCent / 100.0) / Math.log(2));
        each(ClassKey.ALPHA_LOG2, bits, n);
        log.effect(String.format(
                Locale.ROOT,
                "threshold of pauses: alpha 1/%d, the power of two next to %d %% (switches.alpha)",
                1 << -n,
                perCent));
    }

    private void cells(ClassKey key, int bits, int at, String effect) {
        String word = word(at);
        if (!word.matches("\\d{1,8}") || Integer.parseInt(word) > MOST_CELLS) {
            log.bad(word(3), word, "cells from 0 to " + MOST_CELLS);
            return;
        }
        long bytes = Long.parseLong(word) * CELL;
        each(key, bits, bytes);
        log.effect(
                effect + " of priorities " + names(bits) + ": " + bytes + " B, " + word + " cells of " + CELL + " B");
    }

    private void each(ClassKey key, int bits, long value) {
        for (PortConfig port : reader.targets()) {
            for (int c = 0; c < PortConfig.CLASSES; c++) {
                if ((bits >> c & 1) != 0) {
                    port.set(key, c, value, log.where());
                }
            }
        }
    }

    private void pauseTime() {
        if (!word(2).matches("\\d{1,5}") || Integer.parseInt(word(2)) < 1 || Integer.parseInt(word(2)) > 65_535) {
            log.bad("pause-time", word(2), "quanta from 1 to 65535");
            return;
        }
        reader.made().all().set(PortKey.QUANTA, Integer.parseInt(word(2)), log.where());
        log.effect("an XOFF asks for " + word(2) + " quanta (switches.pfc.quanta)");
    }

    private void pool() {
        if (!word(3).equals("headroom") || !word(4).matches("\\d{1,8}")) {
            log.bad("poolid", word(2) + " " + word(3) + " " + word(4), "poolid N headroom CELLS");
            return;
        }
        long bytes = Long.parseLong(word(4)) * CELL;
        reader.made().all().set(PortKey.POOL_XOFF, bytes, log.where());
        log.effect("all headrooms together: " + bytes + " B; each port has its own in the simulation");
    }

    private void deadlock() {
        switch (word(2)) {
            case "enable" -> log.effect("deadlock detection on the port; simulated on all ports once it has a time");
            case "precision" -> precision();
            case "cos" -> interval();
            case "auto-recover" -> recovery();
            case "recover-mode", "recover", "threshold" ->
                log.effect("how deadlock detection is switched on again; not simulated");
            default ->
                log.unknownWord(
                        Rule.NOT_COMWARE,
                        "priority-flow-control deadlock command",
                        word(2),
                        List.of("enable", "cos", "precision", "auto-recover", "recover-mode", "recover", "threshold"));
        }
    }

    private void precision() {
        int ms = switch (word(3)) {
            case "high" -> 1;
            case "normal" -> NORMAL_MS;
            case "low" -> NORMAL_MS * NORMAL_MS;
            default -> 0;
        };
        if (ms == 0) {
            log.bad("deadlock precision", word(3), "high, normal or low");
            return;
        }
        reader.precisionMs(ms);
        log.effect("steps of deadlock detection of " + ms + " ms");
    }

    private void interval() {
        int c = word(3).matches("[0-7]") ? Integer.parseInt(word(3)) : -1;
        if (c < 0 || !word(4).equals("interval") || !steps(word(5))) {
            log.bad("deadlock cos", String.join(" ", words.subList(3, words.size())), "cos 0 to 7 interval 1 to 15");
            return;
        }
        reader.interval(c, Integer.parseInt(word(5)));
        log.effect(
                "deadlock detection of priority " + c + " after " + word(5) + " steps (switches.watchdog.detect_ms)");
    }

    private static boolean steps(String word) {
        return word.matches("\\d{1,2}") && Integer.parseInt(word) >= 1 && Integer.parseInt(word) <= MOST_STEPS;
    }

    private void recovery() {
        if (word(3).equals("action") && (word(4).equals("discard") || word(4).equals("forwarding"))) {
            reader.made().all().set(PortKey.STORM_DROP, word(4).equals("discard") ? 1 : 0, log.where());
            log.effect("a stormed queue " + (word(4).equals("discard") ? "drops" : "sends on")
                    + " (switches.watchdog.action)");
        } else if (word(3).equals("cos") && word(4).matches("[0-7]") && word(5).equals("delay") && steps(word(6))) {
            int ms = Integer.parseInt(word(6)) * DELAY_MS;
            reader.made().all().set(PortKey.RESTORE_MS, ms, log.where());
            log.effect("restored after " + ms + " ms (switches.watchdog.restore_ms)");
        } else {
            log.bad(
                    "deadlock auto-recover",
                    String.join(" ", words.subList(3, words.size())),
                    "action discard|forwarding, or cos 0 to 7 delay 1 to 15");
        }
    }
}
