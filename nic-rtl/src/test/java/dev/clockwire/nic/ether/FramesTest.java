package dev.clockwire.nic.ether;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.nic.context.ContextTable;
import dev.clockwire.nic.context.DeviceParts;
import dev.clockwire.nic.context.LoneParts;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.roce.wire.FrameEncoder;
import dev.clockwire.roce.wire.Opcode;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.Clock;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.Frequency;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.SimNode;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.state.Token;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What rules and steering see in a frame, and where it goes. */
class FramesTest {
    private final FrameFields f = new FrameFields();

    /** UDP from port 0x8001 to 0x9002, whole and cut off anywhere. */
    private static byte[] udp(boolean vlan, int version) {
        ByteBuffer b = ByteBuffer.allocate(100);
        b.put(new byte[] {(byte) 0xF0, (byte) 0xF1, (byte) 0xF2, (byte) 0xF3, (byte) 0xF4, (byte) 0xF5, 0, 0, 0, 0, 0, 1
        });
        if (vlan) {
            b.putShort((short) 0x8100).putShort((short) 5);
        }
        if (version == 4) {
            b.putShort((short) FrameFields.IPV4);
            b.put((byte) 0x46).put(new byte[8]).put((byte) FrameFields.UDP).putShort((short) 0);
            b.putInt(0xC0A80001).putInt(0xC0A800FE).putInt(0);
        } else {
            b.putShort((short) FrameFields.IPV6);
            b.put(new byte[6]).put((byte) FrameFields.UDP).put(new byte[33]);
        }
        b.putShort((short) 0x8001).putShort((short) 0x9002);
        return Arrays.copyOf(b.array(), b.position());
    }

    @ParameterizedTest
    @CsvSource({"false,4", "true,4", "false,6", "true,6"})
    void aFrameIsReadAsFarAsItGoes(boolean vlan, int version) {
        byte[] whole = udp(vlan, version);
        int ip = vlan ? 18 : 14;
        int header = version == 4 ? 20 : 40;
        for (int n = whole.length; n >= 0; n--) {
            byte[] cut = Arrays.copyOf(whole, 100);
            f.read(cut, n);
            String at = "length " + n;
            assertThat(f.dstMac).as(at).isEqualTo(n >= 6 ? 0xF0F1F2F3F4F5L : 0);
            int type = version == 4 ? FrameFields.IPV4 : FrameFields.IPV6;
            assertThat(f.etherType).as(at).isEqualTo(n < 14 ? -1 : n < ip ? 0x8100 : type);
            boolean hasIp = n >= ip + header;
            assertThat(f.protocol).as(at).isEqualTo(hasIp ? FrameFields.UDP : -1);
            assertThat(f.srcIp).as(at).isEqualTo(hasIp && version == 4 ? 0xC0A80001 : 0);
            assertThat(f.dstIp).as(at).isEqualTo(hasIp && version == 4 ? 0xC0A800FE : 0);
            boolean hasPorts = n == whole.length;
            assertThat(f.srcPort).as(at).isEqualTo(hasPorts ? 0x8001 : -1);
            assertThat(f.dstPort).as(at).isEqualTo(hasPorts ? 0x9002 : -1);
            assertThat(f.ipAt).as(at).isEqualTo(n < ip ? 14 : ip);
        }
    }

    /** More fragments, or an offset: the ports may be in another frame. "Do not fragment" is no fragment. */
    @ParameterizedTest
    @CsvSource({
        "0x0000,true",
        "0x4000,true",
        "0x8000,true",
        "0x2000,false",
        "0x0001,false",
        "0x1000,false",
        "0x1FFF,false"
    })
    void fragmentsHaveNoPorts(String flags, boolean ports) {
        byte[] b = udp(false, 4);
        b[20] = (byte) (Integer.decode(flags) >>> 8);
        b[21] = (byte) (int) Integer.decode(flags);
        f.read(b, b.length);
        assertThat(f.srcPort).isEqualTo(ports ? 0x8001 : -1);
        assertThat(f.protocol).isEqualTo(FrameFields.UDP);
    }

    @ParameterizedTest
    @CsvSource({"6,true", "17,true", "1,false", "255,false"})
    void tcpAndUdpHavePorts(int protocol, boolean ports) {
        byte[] b = udp(false, 4);
        b[23] = (byte) protocol;
        f.read(b, b.length);
        assertThat(f.protocol).isEqualTo(protocol);
        assertThat(f.dstPort).isEqualTo(ports ? 0x9002 : -1);
    }

    @ParameterizedTest
    @CsvSource({"17,4791,true", "17,4790,false", "6,4791,false"})
    void roceIsAPortOfUdp(int protocol, int port, boolean roce) {
        byte[] b = udp(false, 4);
        b[23] = (byte) protocol;
        b[b.length - 2] = (byte) (port >>> 8);
        b[b.length - 1] = (byte) port;
        f.read(b, b.length);
        assertThat(f.isRoce()).isEqualTo(roce);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 59, 60, 61, 2048, 2049, 5000})
    void aFrameIsPaddedAndSealed(int bytes) {
        EthFrame frame = new EthFrame();
        frame.resize(Math.max(bytes, 60));
        Arrays.fill(frame.bytes, (byte) 7);
        frame.resize(bytes);
        frame.seal();
        assertThat(frame.length).isEqualTo(Math.max(bytes, 60));
        for (int i = 0; i < frame.length; i++) {
            assertThat(frame.bytes[i]).isEqualTo((byte) (i < bytes ? 7 : 0));
        }
        assertThat(frame.check()).isEqualTo(frame.fcs);
        frame.bytes[3] ^= 1;
        assertThat(frame.check()).isNotEqualTo(frame.fcs);
        frame.tag = 5;
        frame.journey = 6;
        EthFrame copy = frame.copy();
        assertThat(copy.length).isEqualTo(frame.length);
        assertThat(Arrays.copyOf(copy.bytes, copy.length)).isEqualTo(Arrays.copyOf(frame.bytes, frame.length));
        assertThat(copy.fcs).isEqualTo(frame.fcs);
        assertThat(copy.tag).isEqualTo(5);
        assertThat(copy.journey).isEqualTo(6);
        assertThat(copy.digest()).isEqualTo(frame.digest());
        copy.bytes[41] ^= 1;
        assertThat(copy.digest()).as("headers count").isNotEqualTo(frame.digest());
    }

    @ParameterizedTest
    @EnumSource
    void countersHaveAPlaceEach(EthCounter counter) {
        assertThat(Arrays.stream(EthCounter.values()).filter(c -> c.at() == counter.at()))
                .containsExactly(counter);
        assertThat(counter.at()).isBetween(0, EthCounter.COUNT - 1);
        assertThat(counter.isUsual()).isEqualTo(!counter.text().contains("csum"));
        assertThat(counter.meaning()).isNotBlank();
    }

    private static FlowRule rule(int location, int type, int protocol, int srcPort, int dstPort, int action) {
        return new FlowRule(location, type, protocol, 0, -1, 0, -1, srcPort, dstPort, action);
    }

    @ParameterizedTest
    @CsvSource({
        "0,-1,-1,-1,-1,-1,",
        "1023,65535,255,65535,65535,2147483647,",
        "-1,-1,-1,-1,-1,0,loc -1 is not in 0..1023",
        "1024,-1,-1,-1,-1,0,loc 1024",
        "0,-2,-1,-1,-1,0,proto -2 is not in -1..65535",
        "0,65536,-1,-1,-1,0,proto 65536",
        "0,-1,256,-1,-1,0,l4proto 256 is not in -1..255",
        "0,-1,-2,-1,-1,0,l4proto -2",
        "0,-1,-1,65536,-1,0,src-port 65536",
        "0,-1,-1,-2,-1,0,src-port -2",
        "0,-1,-1,-1,65536,0,dst-port 65536",
        "0,-1,-1,-1,-2,0,dst-port -2",
        "0,-1,-1,-1,-1,-2,action -2"
    })
    void rulesHaveRanges(int location, int type, int protocol, int srcPort, int dstPort, int action, String mistake) {
        if (mistake == null) {
            assertThatCode(() -> rule(location, type, protocol, srcPort, dstPort, action))
                    .doesNotThrowAnyException();
        } else {
            assertThatThrownBy(() -> rule(location, type, protocol, srcPort, dstPort, action))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining(mistake);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "flow-type ether action 1,true",
        "flow-type ether proto 0x0800 action 1,true",
        "flow-type ether proto 0x0806 action 1,false",
        "flow-type udp4 action 1,true",
        "flow-type tcp4 action 1,false",
        "flow-type ip4 l4proto 17 action 1,true",
        "flow-type ip4 l4proto 6 action 1,false",
        "flow-type udp4 src-port 0x8001 action 1,true",
        "flow-type udp4 src-port 1 action 1,false",
        "flow-type udp4 dst-port 0x9002 action 1,true",
        "flow-type udp4 dst-port 1 action 1,false",
        "flow-type ip4 src-ip 192.168.0.1 action 1,true",
        "flow-type ip4 src-ip 192.168.0.2 action 1,false",
        "flow-type ip4 src-ip 192.168.0.2 m 0.0.0.3 action 1,true",
        "flow-type ip4 dst-ip 192.168.0.254 action 1,true",
        "flow-type ip4 dst-ip 192.168.0.1 action 1,false",
        "flow-type ip4 dst-ip 192.168.0.1 m 0.0.0.254 action 1,false",
        "flow-type ip4 dst-ip 192.168.0.1 m 0.0.0.255 action 1,true",
        "flow-type ip4 src-ip 0.0.0.0 m 255.255.255.255 action 1,true",
        "flow-type ip4 src-ip 192.168.0.1 dst-ip 192.168.0.1 action 1,false"
    })
    void aRuleFitsWhereAllItsFieldsDo(String text, boolean fits) {
        byte[] b = udp(false, 4);
        f.read(b, b.length);
        assertThat(FlowRule.parse(text).fits(f)).isEqualTo(fits);
    }

    /** A rule about IPv4 addresses is about IPv4. */
    @Test
    void addressesAreThoseOfIpv4() {
        byte[] b = udp(false, 6);
        f.read(b, b.length);
        assertThat(FlowRule.parse("flow-type ether action 1").fits(f)).isTrue();
        assertThat(FlowRule.parse("flow-type ether src-ip 0.0.0.0 action 1").fits(f))
                .isFalse();
        assertThat(FlowRule.parse("flow-type ether dst-ip 0.0.0.0 action 1").fits(f))
                .isFalse();
    }

    @Test
    void aRuleWithoutALocationIsBehindAll() {
        FlowRule r = FlowRule.parse("  flow-type   tcp4 src-ip 1.2.3.4 m 0.0.0.255 dst-port 80 action -1 ");
        assertThat(r).isEqualTo(new FlowRule(1023, 0x800, 6, 0x01020304, 0xFF, 0, -1, -1, 80, -1));
        assertThat(FlowRule.parse("flow-type ether action 3 loc 7").location()).isEqualTo(7);
    }

    @ParameterizedTest
    @CsvSource({
        "flow-type ether color red,has the unknown word 'color'",
        "flow-type,ends behind 'flow-type'",
        "flow-type ether action,ends behind 'action'",
        "flow-type ether action x,has 'x' where a number is due",
        "flow-type ip4 src-ip 1.2.3 action 1,has '1.2.3' where an IPv4 address is due",
        "flow-type ip4 src-ip 1.2.3.4.5 action 1,has '1.2.3.4.5'",
        "flow-type ip4 src-ip 1.2.3. action 1,has '1.2.3.'",
        "flow-type ip4 src-ip 1.2.3.4 m,ends behind 'm'",
        "flow-type ip4 src-ip 1.2.3.1000 action 1,has '1.2.3.1000'"
    })
    void mistakesOfARule(String text, String mistake) {
        assertThatThrownBy(() -> FlowRule.parse(text))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageStartingWith("flow rule '" + text + "' " + mistake);
    }

    private static EthTable table(int queues) {
        EthTable table = new EthTable();
        List<EthTable.Ring> rings = new ArrayList<>();
        for (int i = 0; i < queues; i++) {
            rings.add(new EthTable.Ring(0x1000L * i, 4, i));
        }
        table.open(rings, rings, 1500);
        return table;
    }

    @Test
    void aTableOfQueuesAndRules() {
        EthTable t = table(3);
        assertThat(t.queues()).isEqualTo(3);
        assertThat(t.longest()).isEqualTo(1518);
        assertThat(t.send(2).base()).isEqualTo(0x2000);
        assertThat(t.receive(1).cqn()).isEqualTo(1);
        for (int h = 0; h < 300; h++) {
            assertThat(t.spread(h)).isEqualTo(h % 128 % 3);
        }
        assertThat(t.spread(-1)).isEqualTo(127 % 3);
        t.direct(5, 2);
        t.direct(127, 0);
        assertThat(t.spread(128 + 5)).isEqualTo(2);
        assertThat(t.spread(-1)).isZero();
        t.add(FlowRule.parse("flow-type ether action 2 loc 9"));
        t.add(FlowRule.parse("flow-type ether action 1 loc 3"));
        t.add(FlowRule.parse("flow-type ether action -1 loc 9"));
        assertThat(t.rules()).extracting(FlowRule::location).containsExactly(3, 9);
        assertThat(t.rules().get(1).action()).isEqualTo(FlowRule.DROP);
        assertThat(t.remove(3)).isTrue();
        assertThat(t.remove(3)).isFalse();
        byte[] b = udp(false, 4);
        f.read(b, b.length);
        assertThat(Objects.requireNonNull(t.rule(f)).location()).isEqualTo(9);
        t.remove(9);
        assertThat(t.rule(f)).isNull();
        assertThatThrownBy(() -> t.add(FlowRule.parse("flow-type ether action 3")))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("action 3 is no queue: there are 0..2");
        assertThat(t.rules()).isEmpty();
        int usual = t.hash(b, f);
        t.key(new byte[Toeplitz.KEY_BYTES]);
        assertThat(t.hash(b, f)).isZero();
        assertThat(usual).isNotZero();
    }

    /** What the steering sends to the Ethernet block. */
    private static final class Steering {
        final Sim sim = new Sim(SimSpec.of(1));
        final List<EthFrame> frames = new ArrayList<>();
        final EthTable table = table(2);
        final DeviceParts parts = LoneParts.of(
                sim,
                new Clock(sim.root(), "clock", Frequency.mhz(250)),
                Profiles.named("cx7-400g"),
                new ContextTable());
        final EthSteering steering;

        Steering() {
            EventPort line = new EventPort(new SimNode(sim.root(), "port") {}, "line") {
                @Override
                protected void event(int kind, long a, long b, @Nullable Token token) {
                    assertThat(kind).isEqualTo(EthernetPort.FRAME);
                    frames.add((EthFrame) Objects.requireNonNull(token));
                }
            };
            sim.elaborate();
            steering = new EthSteering(table, parts, line);
        }
    }

    private static RocePacket packet(boolean bytes) {
        RocePacket p = new RocePacket();
        p.opcode = Opcode.RC_SEND_ONLY.code();
        p.flow.setIpv4(1, 2);
        p.flow.udpSourcePort = 0xC001;
        p.destQp = 0x77;
        p.psn = 5;
        p.setPayloadLength(8);
        if (bytes) {
            p.payload.appendBytes(new byte[] {1, 2, 3, 4, 5, 6, 7, 8}, 0, 8);
        } else {
            p.payload.appendExtent(1, 2, 3, 8);
        }
        return p;
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aRuleTakesRocePacketsAsFrames(boolean bytes) {
        Steering s = new Steering();
        assertThat(s.steering.takes(packet(bytes), 0)).as("without rules").isFalse();
        s.table.add(FlowRule.parse("flow-type udp4 src-port 0xC002 action 1"));
        assertThat(s.steering.takes(packet(bytes), 0))
                .as("a rule about another port")
                .isFalse();
        s.table.add(FlowRule.parse("flow-type udp4 dst-port 4791 action 1 loc 2"));
        assertThat(s.steering.takes(packet(bytes), 0)).isTrue();
        s.sim.run(10);
        assertThat(s.frames).hasSize(1);
        EthFrame frame = s.frames.get(0);
        assertThat(frame.length).isEqualTo(packet(bytes).wireBytes());
        assertThat(frame.check()).isEqualTo(frame.fcs);
        f.read(frame.bytes, frame.length);
        assertThat(f.isRoce()).isTrue();
        assertThat(f.srcPort).isEqualTo(0xC001);
        assertThat(frame.bytes[14 + 20 + 8 + 12])
                .as("first byte of the payload")
                .isEqualTo((byte) (bytes ? 1 : 0));
    }

    private static EthFrame encoded() {
        RocePacket p = packet(true);
        EthFrame frame = new EthFrame();
        frame.resize(p.wireBytes());
        new FrameEncoder().encode(p, frame.bytes, 0);
        frame.seal();
        return frame;
    }

    @Test
    void aFrameThatIsRoceIsAPacket() {
        Steering s = new Steering();
        RocePacket p = Objects.requireNonNull(s.steering.roce(encoded(), 0));
        assertThat(p.destQp).isEqualTo(0x77);
        assertThat(p.psn).isEqualTo(5);
        s.sim.run(10);
        assertThat(s.frames).isEmpty();
    }

    @Test
    void otherFramesGoOn() {
        Steering s = new Steering();
        EthFrame broken = encoded();
        broken.fcs++;
        assertThat(s.steering.roce(broken, 0)).as("wrong check sequence").isNull();
        EthFrame cut = encoded();
        cut.resize(60);
        cut.seal();
        assertThat(s.steering.roce(cut, 0)).as("no whole packet").isNull();
        EthFrame udp = new EthFrame();
        byte[] b = udp(false, 4);
        udp.resize(b.length);
        System.arraycopy(b, 0, udp.bytes, 0, b.length);
        udp.seal();
        assertThat(s.steering.roce(udp, 0)).isNull();
        s.table.add(FlowRule.parse("flow-type udp4 dst-port 4791 action 1 loc 2"));
        assertThat(s.steering.roce(encoded(), 0)).as("a rule is about it").isNull();
        s.sim.run(10);
        assertThat(s.frames).hasSize(4);
    }
}
