package dev.clockwire.storage.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.storage.reactor.CoreMask;
import dev.clockwire.storage.rpc.JsonValue;
import dev.clockwire.storage.rpc.RpcMethod;
import dev.clockwire.storage.rpc.RpcParam;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Whatever parameters a method gets: one answer, and one that says no has changed nothing. */
class AnyCallProperties {
    private static final List<String> NAMES = List.of(
            "a",
            "b",
            "EE_a",
            "Malloc0",
            "Nvme0",
            "Nvme0n1",
            "0000:3b:00.0",
            "PCIe",
            "RDMA",
            "IPv4",
            "10.0.0.2",
            "4420",
            "nqn.2016-06.io.spdk:cnode1",
            "nqn.2014-08.org.nvmexpress.discovery",
            "read",
            "failure",
            "clear",
            "static",
            "bdev",
            " ",
            "a/b.c d",
            "\u00fc\u4e16",
            "x".repeat(200),
            "00112233445566778899aabbccddeeff");
    private static final long[] NUMBERS = {
        0,
        1,
        2,
        7,
        64,
        255,
        256,
        511,
        512,
        1000,
        4096,
        65_535,
        65_536,
        1 << 20,
        Integer.MAX_VALUE,
        1L << 40,
        Long.MAX_VALUE,
        -1
    };

    @Property(tries = 30)
    void anyCallsAreAnswered(@ForAll long seed) {
        Random random = new Random(seed);
        AppRig r = new AppRig(AppSpec.on(CoreMask.first(1)).waiting());
        r.ok("framework_start_init");
        List<String> methods = r.app.methods().names(true);
        for (int i = 0; i < 25; i++) {
            String name = methods.get(random.nextInt(methods.size()));
            RpcMethod m = r.app.methods().find(name);
            assertThat(m).isNotNull();
            if (m == null || name.equals("nvmf_create_transport")) {
                continue; // needs devices: see NvmfMethodsTest
            }
            String before = state(r);
            JsonValue.Obj params = object(m.params(), random);
            JsonValue.Obj answer = r.app.call(name, params);
            if (answer.find("error") instanceof JsonValue.Obj e) {
                assertThat(e.find("message")).as(name + params.text()).isInstanceOf(JsonValue.Text.class);
                assertThat(e.text()).doesNotContain("-32603");
                assertThat(state(r)).as(name + params.text() + answer.text()).isEqualTo(before);
            }
        }
        AppRig again = AppRig.onOneCore();
        assertThat(again.ok("bdev_get_bdevs").text()).isEqualTo("[]");
    }

    private static String state(AppRig r) {
        return r.ok("save_config").text()
                + r.ok("bdev_get_bdevs").text()
                + r.ok("nvmf_get_subsystems").text();
    }

    private static JsonValue.Obj object(List<RpcParam> known, Random random) {
        JsonValue.Builder b = JsonValue.object();
        for (RpcParam p : known) {
            if (p.required() ? random.nextInt(30) > 0 : random.nextInt(3) == 0) {
                b.with(p.name(), random.nextInt(20) == 0 ? JsonValue.Null.VALUE : value(p, random));
            }
        }
        return b.done();
    }

    private static JsonValue value(RpcParam p, Random random) {
        return switch (p.kind()) {
            case TEXT ->
                JsonValue.of(
                        p.choices().isEmpty() || random.nextInt(10) == 0
                                ? NAMES.get(random.nextInt(NAMES.size()))
                                : p.choices().get(random.nextInt(p.choices().size())));
            case INTEGER ->
                JsonValue.of(
                        random.nextInt(4) == 0
                                ? (random.nextBoolean() ? p.least() : p.most())
                                : NUMBERS[random.nextInt(NUMBERS.length)]);
            case FLAG -> JsonValue.of(random.nextBoolean());
            case OBJECT -> object(p.members(), random);
            case LIST -> {
                List<JsonValue> all = new ArrayList<>();
                for (int i = random.nextInt(4); i > 0; i--) {
                    all.add(value(p.members().get(0), random));
                }
                yield JsonValue.of(all);
            }
        };
    }
}
