// A reaction point and the token bucket that it paces, wired as the device has them. Time, then notifications, then the packet that is
// judged at the rate they leave, then the bytes it counts. Stimulus word: cnp 1, valid 1, size 30; a size stays until its packet has left.
module bench;
  parameter N = 1000;
  parameter VENDOR = 0;
  parameter [31:0] HZ_PER_US = 250;
  parameter [63:0] LINE = 64'd100_000_000_000;
  parameter [31:0] K = 55;
  parameter [31:0] T = 55;
  parameter [31:0] B = 100000;
  parameter [31:0] MONITOR = 4;
  parameter [31:0] TIME_RESET = 300;
  parameter [31:0] BURST = 8192;
  parameter [47:0] SET = 0;       // the rate software has set, 0 = none
  localparam [95:0] D = {64'd0, HZ_PER_US} * 96'd8_000_000;
  localparam [31:0] LINE_MBIT = LINE / 1_000_000;

  reg rp_clk = 0, clk = 0, rst = 1, time_passes = 0, cnp = 0;
  reg [31:0] stimulus [0:N-1];
  reg [1023:0] file;
  reg [31:0] w = 0, bytes = 0, us = 0;
  reg [47:0] early = 0, late = 0;
  integer i;
  wire [63:0] rc, rt;
  wire [48:0] alpha;
  wire [15:0] ts, bs;
  wire [31:0] vrc, vrt;
  wire [9:0] valpha;
  wire vactive;
  wire [5:0] vstage;
  wire send;
  wire signed [63:0] tokens;

  reaction_point #(.LINE(LINE), .K(K), .T(T), .B(B)) paper (.clk(rp_clk), .rst(rst), .tick(time_passes), .cnp(cnp), .sent(bytes),
    .rc(rc), .rt(rt), .alpha(alpha), .ts(ts), .bs(bs));
  vendor_reaction_point #(.LINE(LINE_MBIT), .MONITOR(MONITOR), .TIME_RESET(TIME_RESET)) vendor (.clk(rp_clk), .rst(rst),
    .strobe(time_passes && us == 0), .cnp(cnp), .rc(vrc), .rt(vrt), .alpha(valpha), .active(vactive), .stage(vstage));
  token_bucket #(.FRACTION(16)) bucket (.clk(clk), .rst(rst), .set_rate(1'b1), .rate(early), .set_late(1'b1), .late(late), .burst(BURST),
    .valid(w[30]), .size({2'b0, w[29:0]}), .send(send), .tokens_before(tokens));

  // bit/s of the reaction point to bytes a cycle with 16 binary places, to the nearest; the line rate needs no limit
  wire [95:0] bits = VENDOR ? {64'b0, vrc} * 96'd1_000_000 : {48'b0, rc[63:16]};
  wire [95:0] steps = ((bits << 16) + D / 2) / D;
  wire [47:0] point = bits >= {32'b0, LINE} ? 48'd0 : steps[47:0];
  wire [47:0] lower = point == 0 ? SET : SET == 0 || point < SET ? point : SET;

  initial begin
    if (!$value$plusargs("stimulus=%s", file)) $finish;
    $readmemh(file, stimulus);
    early = SET; late = SET;
    #1 rp_clk = 1; clk = 1; #1 rp_clk = 0; clk = 0; rst = 0;
    for (i = 0; i < N; i = i + 1) begin
      w = stimulus[i];
      us = i % HZ_PER_US;
      time_passes = i != 0; cnp = w[31]; bytes = 0;
      #1 rp_clk = 1; #1 rp_clk = 0;
      early = lower;
      #1;
      time_passes = 0; cnp = 0; bytes = send ? w[29:0] : 0;
      if (send) $display("%0d %0d", i, bucket.after);
      #1 rp_clk = 1; #1 rp_clk = 0;
      late = lower;
      #1 clk = 1; #1 clk = 0;
    end
    $finish;
  end
endmodule
