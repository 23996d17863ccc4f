package dev.clockwire.bench.config.spdk;

import dev.clockwire.storage.rpc.JsonValue;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How rpc.py (SPDK 26.09) turns words into parameters. Of each method: names of words without an option, then options; {@code #} in front of a
 * name is a number, {@code !} a flag, and {@code outer.inner} a member.
 */
final class RpcArguments {
    private static final Map<String, String> TABLE = Map.ofEntries(
            Map.entry(
                    "nvmf_create_transport",
                    "-t trtype --trtype trtype -q #max_queue_depth -m #max_io_qpairs_per_ctrlr -c #in_capsule_data_size"
                            + " -i #max_io_size -u #io_unit_size -a #max_aq_depth -n #num_shared_buffers -b #buf_cache_size"
                            + " -s #max_srq_depth -r !no_srq"),
            Map.entry(
                    "nvmf_create_subsystem",
                    "nqn -s serial_number -d model_number -a !allow_any_host -m #max_namespaces -i #min_cntlid"
                            + " -I #max_cntlid -r !ana_reporting"),
            Map.entry("nvmf_delete_subsystem", "nqn"),
            Map.entry(
                    "nvmf_subsystem_add_ns",
                    "nqn namespace.bdev_name -n #namespace.nsid -g namespace.nguid -e namespace.eui64 -u namespace.uuid"),
            Map.entry("nvmf_subsystem_add_host", "nqn host"),
            Map.entry(
                    "nvmf_subsystem_add_listener",
                    "nqn -t listen_address.trtype -a listen_address.traddr -s listen_address.trsvcid"
                            + " -f listen_address.adrfam"),
            Map.entry(
                    "bdev_nvme_attach_controller",
                    "-b name -t trtype -a traddr -f adrfam -s trsvcid -n subnqn -q hostnqn"),
            Map.entry("bdev_nvme_detach_controller", "name"),
            Map.entry("bdev_malloc_create", "#megabytes #block_size -b name -u uuid -p #physical_block_size"),
            Map.entry("bdev_malloc_delete", "name"),
            Map.entry("bdev_null_create", "name #megabytes #block_size -u uuid"),
            Map.entry("bdev_aio_create", "filename name #block_size -r !readonly"),
            Map.entry("bdev_set_options", "-p #bdev_io_pool_size -c #bdev_io_cache_size"),
            Map.entry("log_set_level", "level"),
            Map.entry("spdk_kill_instance", "sig_name"));

    private final List<String> places = new ArrayList<>();
    private final Map<String, String> options = new LinkedHashMap<>();
    private final Map<String, JsonValue> values = new LinkedHashMap<>();
    /** What is wrong with the words, empty if nothing is. */
    private String wrong = "";

    private RpcArguments(String line) {
        String[] words = line.isEmpty() ? new String[0] : line.split(" ", -1);
        for (int i = 0; i < words.length; i++) {
            if (words[i].startsWith("-")) {
                options.put(words[i], words[++i]);
            } else {
                places.add(words[i]);
            }
        }
    }

    /** Returns whether the words of a method are known. */
    static boolean knows(String method) {
        return TABLE.containsKey(method);
    }

    /** Reads the words behind a method that is {@link #knows known}. */
    static RpcArguments of(String method, List<String> words) {
        RpcArguments a = new RpcArguments(TABLE.getOrDefault(method, ""));
        a.read(words);
        return a;
    }

    private void read(List<String> words) {
        int place = 0;
        for (int i = 0; i < words.size() && wrong.isEmpty(); i++) {
            String word = words.get(i);
            if (word.startsWith("-") && word.length() > 1) {
                String target = options.get(word);
                if (target == null) {
                    wrong = "option " + word + " is not known; there are " + String.join(" ", options.keySet());
                } else if (target.startsWith("!")) {
                    put(target, "true");
                } else if (++i == words.size()) {
                    wrong = "option " + word + " has no value";
                } else {
                    put(target, words.get(i));
                }
            } else if (place == places.size()) {
                wrong = "'" + word + "' is one word too many";
            } else {
                put(places.get(place++), word);
            }
        }
        if (wrong.isEmpty() && place < places.size() && !places.get(place).equals("#block_size")) {
            wrong = "'" + places.get(place).replaceAll("^[#!]|.*\\.", "") + "' is missing";
        }
    }

    private void put(String target, String word) {
        if (target.startsWith("!")) {
            values.put(target.substring(1), JsonValue.Bool.TRUE);
        } else if (!target.startsWith("#")) {
            values.put(target, JsonValue.of(word));
        } else if (word.matches("\\d{1,15}")) {
            values.put(target.substring(1), new JsonValue.Num(word));
        } else {
            wrong = "'" + word + "' is no number, as " + target.substring(1) + " is";
        }
    }

    /** Returns what is wrong with the words, empty if nothing is. */
    String wrong() {
        return wrong;
    }

    /** Returns the parameters; a size in MiB has become blocks, as rpc.py makes them. */
    JsonValue.Obj params() {
        Map<String, JsonValue.Builder> inner = new LinkedHashMap<>();
        JsonValue.Builder all = JsonValue.object();
        values.forEach((name, value) -> {
            int dot = name.indexOf('.');
            if (dot > 0) {
                inner.computeIfAbsent(name.substring(0, dot), n -> JsonValue.object())
                        .with(name.substring(dot + 1), value);
            } else if (name.equals("megabytes")) {
                all.with("num_blocks", blocks(value));
            } else {
                all.with(name, value);
            }
        });
        inner.forEach((name, b) -> all.with(name, b.done()));
        return all.done();
    }

    private long blocks(JsonValue megabytes) {
        JsonValue block = values.get("block_size");
        long size = block instanceof JsonValue.Num n ? Math.max(1, Long.parseLong(n.literal())) : 1;
        return megabytes instanceof JsonValue.Num n ? Long.parseLong(n.literal()) * (1L << 20) / size : 0;
    }
}
