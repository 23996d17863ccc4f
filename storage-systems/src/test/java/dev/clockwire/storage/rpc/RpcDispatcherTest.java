package dev.clockwire.storage.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RpcDispatcherTest {
    private final List<String> calls = new ArrayList<>();
    private final List<String> remarks = new ArrayList<>();
    private final List<RpcReply> held = new ArrayList<>();
    private boolean started = true;
    private final RpcDispatcher dispatcher = new RpcDispatcher(new RpcMethods(() -> started, remarks::add)
            .add("early", RpcMethod.When.STARTUP, List.of(), (p, r) -> r.done())
            .add("late", RpcMethod.When.RUNTIME, List.of(), (p, r) -> held.add(r))
            .add(
                    "echo",
                    RpcMethod.When.ALWAYS,
                    List.of(
                            RpcParam.integer("n", 1, 100),
                            RpcParam.text("t", 4).optional(),
                            RpcParam.choice("c", "RDMA", "TCP").optional(),
                            RpcParam.flag("f").optional(),
                            RpcParam.flag("old").withoutEffect(),
                            RpcParam.list("l", RpcParam.text("")).optional(),
                            RpcParam.object("o", RpcParam.integer("k", 0, Long.MAX_VALUE))
                                    .optional()),
                    (p, r) -> {
                        calls.add("echo " + p.integer("n"));
                        r.result(JsonValue.of(p.integer("n")));
                    })
            .meant("ehco_get", "late"));

    private static JsonValue.Builder request(String method) {
        return JsonValue.object().with("jsonrpc", "2.0").with("method", method);
    }

    private static JsonValue echo(String name, JsonValue value) {
        JsonValue params = JsonValue.object().with(name, value).done();
        return request("echo").with("id", 1).with("params", params).done();
    }

    private List<@Nullable JsonValue> answers(JsonValue request) {
        List<@Nullable JsonValue> answers = new ArrayList<>();
        dispatcher.handle(request, answers::add);
        return answers;
    }

    private String answer(JsonValue request) {
        JsonValue one = answers(request).get(0);
        return one == null ? "" : one.text();
    }

    @Test
    void callsAreAnsweredWithTheirIds() {
        assertThat(answer(echo("n", new JsonValue.Num("1e1"))))
                .isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":10}");
        JsonValue.Obj huge =
                request("early").with("id", new JsonValue.Num("1e999")).done();
        assertThat(answer(huge))
                .contains("\"id\":1e999")
                .contains("\"code\":-1,")
                .contains("before framework");
        assertThat(answer(request("nothing").with("id", "x").done())).contains("\"id\":\"x\"", "-32601");
    }

    @Test
    void callsWithoutIdAreAnsweredOnlyIfTheyFail() {
        JsonValue params = JsonValue.object().with("n", 5).done();
        assertThat(answers(request("echo").with("params", params).done())).containsExactly((JsonValue) null);
        assertThat(calls).containsExactly("echo 5");
        assertThat(answer(request("nothing").done())).contains("\"id\":null", "-32601");
    }

    @Test
    void statesDecideWhatCanBeCalled() {
        assertThat(dispatcher.methods().names(true)).containsExactly("echo", "late");
        started = false;
        assertThat(dispatcher.methods().names(true)).containsExactly("early", "echo");
        assertThat(answer(request("late").with("id", 1).done()))
                .contains("\"code\":-1,")
                .contains("after framework");
        assertThat(answer(request("early").with("id", 1).done())).contains("\"result\":true");
    }

    @Test
    void namesThatNeverWereGetTheRightOne() {
        assertThat(answer(request("ehco_get").with("id", 1).done())).contains("did you mean late?");
        assertThat(answer(request("ecko").with("id", 1).done())).contains("did you mean echo?");
        assertThat(answer(request("x".repeat(100_000)).with("id", 1).done())).hasSizeLessThan(300);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "n | 0 | 'n' is 0: must be a whole number, 1 to 100",
                "n | 1.5 | 'n' is 1.5: must be a whole number",
                "n | 1e400 | 'n' is 1e400: must be a whole number",
                "n | -1e-999999999 | must be a whole number",
                "n | 99999999999999999999999999999999999999999999999999 | must be a whole number",
                "m | 1 | unknown parameter 'm'",
                "t | 1 | 't' is a number: must be a string",
                "f | 1 | 'f' is a number: must be true or false",
                "l | 1 | 'l' is a number: must be an array",
                "o | 1 | 'o' is a number: must be an object",
            })
    void wrongParametersAreNamed(String name, String literal, String words) {
        assertThat(answer(echo(name, new JsonValue.Num(literal)))).contains("-32602", words);
        assertThat(calls).isEmpty();
    }

    @Test
    void partsOfParametersAreNamedToo() {
        JsonValue inner = JsonValue.object()
                .with("n", 1)
                .with("o", JsonValue.object().with("k", -1).done())
                .done();
        assertThat(answer(request("echo").with("id", 1).with("params", inner).done()))
                .contains("'o.k' is -1");
        JsonValue list = JsonValue.object()
                .with("n", 1)
                .with("l", List.of(JsonValue.of("a"), JsonValue.Null.VALUE))
                .done();
        assertThat(answer(request("echo").with("id", 1).with("params", list).done()))
                .contains("'l[1]' is null");
        assertThat(answer(echo("t", JsonValue.of("12345")))).contains("'t' has 5 characters: must be 1 to 4");
        assertThat(answer(echo("c", JsonValue.of("IB")))).contains("must be one of RDMA, TCP");
        assertThat(answer(echo("f", JsonValue.Bool.TRUE))).contains("parameter 'n' is missing");
        JsonValue twice = JsonValue.object().with("n", 1).with("n", 2).done();
        assertThat(answer(request("echo").with("id", 1).with("params", twice).done()))
                .contains("'n' is given twice");
    }

    @Test
    void whatHasNoEffectIsTold() {
        JsonValue params = JsonValue.object().with("n", 1).with("old", true).done();
        answers(request("echo").with("id", 1).with("params", params).done());
        assertThat(remarks).containsExactly("echo: parameter 'old' has no effect here");
    }

    @Test
    void whatIsNoRequestIsSaid() {
        assertThat(answer(JsonValue.of(1))).contains("\"id\":null", "-32600", "a number is no request");
        assertThat(answer(JsonValue.of(List.of()))).contains("-32600", "an empty batch");
        assertThat(answer(
                        JsonValue.object().with("method", "echo").with("id", 7).done()))
                .contains("\"id\":7", "-32600", "'jsonrpc'");
        assertThat(answer(
                        JsonValue.object().with("jsonrpc", "2.0").with("id", 7).done()))
                .contains("'method'");
        assertThat(answer(request("echo").with("id", true).done())).contains("\"id\":null", "-32600", "'id'");
        assertThat(answer(request("echo").with("id", "x".repeat(129)).done())).contains("\"id\":null", "-32600");
        assertThat(answer(request("echo").with("params", 1).done())).contains("-32600", "'params'");
        assertThat(answer(
                        request("echo").with("params", List.of(JsonValue.of(1))).done()))
                .contains("have names");
        assertThat(answer(request("echo").with("method", "echo").done())).contains("-32600", "twice");
        assertThat(answer(request("echo").with("extra", 1).done())).contains("-32600", "no such member");
    }

    @Test
    void batchesAreAnsweredTogetherInOrder() {
        JsonValue params = JsonValue.object().with("n", 5).done();
        JsonValue silent = request("echo").with("params", params).done();
        JsonValue late = request("late").with("id", 2).done();
        List<@Nullable JsonValue> answers = answers(JsonValue.of(List.of(
                request("echo").with("id", 1).with("params", params).done(), late, silent, JsonValue.Bool.TRUE)));
        assertThat(answers).isEmpty();
        assertThat(calls).hasSize(1);
        held.get(0).done();
        JsonValue all = answers.get(0);
        assertThat(all == null ? "" : all.text())
                .isEqualTo(
                        "[{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":5},{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":true},"
                                + "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32600,"
                                + "\"message\":\"Invalid request: a boolean is no request\"}}]");
        assertThat(calls).hasSize(2);
        assertThat(answers(JsonValue.of(List.of(silent, silent)))).containsExactly((JsonValue) null);
    }

    @Test
    void batchesHaveALimitAndNoDepth() {
        List<JsonValue> many = new ArrayList<>();
        for (int i = 0; i < 1024; i++) {
            many.add(echo("n", JsonValue.of(1)));
        }
        assertThat(answers(JsonValue.of(many))).hasSize(1);
        assertThat(calls).hasSize(1024);
        many.add(JsonValue.Bool.TRUE);
        assertThat(answer(JsonValue.of(many))).contains("-32600", "a batch of 1025 calls");
    }
}
