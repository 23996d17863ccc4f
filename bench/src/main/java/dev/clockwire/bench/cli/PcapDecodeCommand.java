package dev.clockwire.bench.cli;

import dev.clockwire.bench.pcap.CaptureReport;
import dev.clockwire.bench.pcap.PcapDecode;
import dev.clockwire.bench.pcap.PcapText;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code pcap decode FILE...}: every RoCE frame with its headers and the verdict on its ICRC. */
@Command(name = "decode", description = "Decode every RoCE frame of pcap and pcapng files and check its ICRC.")
final class PcapDecodeCommand extends ClockwireTask {
    @Parameters(arity = "1..*", paramLabel = "FILE", description = "pcap or pcapng, Ethernet, any byte order.")
    private List<Path> files = List.of();

    @Mixin
    private JsonOption json = new JsonOption();

    PcapDecodeCommand(Console console) {
        super(console);
    }

    @Override
    public Integer call() {
        List<CaptureReport> reports = files.stream().map(PcapDecode::decode).toList();
        if (json.wanted()) {
            JsonDocument document = new JsonDocument("pcap-decode");
            console().json(reports.size() == 1 ? document.withAll(reports.get(0)) : document.with("captures", reports));
        } else {
            reports.forEach(report -> PcapText.print(report, console()::line));
        }
        return ExitCode.OK;
    }
}
