// DCQCN reaction point of the paper: counters run every cycle. Order within a cycle: notification, alpha timer, rate timer, bytes.
module reaction_point #(
  parameter [63:0] LINE = 64'd100_000_000_000,
  parameter [63:0] FLOOR = 64'd100_000_000,
  parameter        GAIN_SHIFT = 8,
  parameter [31:0] K = 32'd55,
  parameter [31:0] T = 32'd55,
  parameter [31:0] B = 32'd100000,
  parameter [15:0] F = 16'd5,
  parameter [63:0] AI = 64'd40_000_000,
  parameter [63:0] HAI = 64'd400_000_000
) (
  input  wire        clk,
  input  wire        rst,
  input  wire        tick,    // a cycle begins: time passes
  input  wire        cnp,
  input  wire [31:0] sent,
  output reg  [63:0] rc,      // bit/s, 16 binary places
  output reg  [63:0] rt,
  output reg  [48:0] alpha,   // 48 binary places
  output reg  [15:0] ts,
  output reg  [15:0] bs
);
  localparam [63:0] LINE_Q = LINE << 16;
  localparam [63:0] FLOOR_Q = FLOOR << 16;
  localparam [48:0] ONE = 49'd1 << 48;
  reg         active;
  reg  [31:0] kt, tt, bytes;

  // blocking assignments on purpose: the steps of one cycle see each other, in the order of the rules
  reg [127:0] product, sum;
  reg  [63:0] cut;
  task increase;
    reg [15:0] most, least;
    begin
      most  = ts > bs ? ts : bs;
      least = ts > bs ? bs : ts;
      sum = rt;
      if (least > F) sum = rt + (least - F) * ({64'b0, HAI} << 16);
      else if (most >= F) sum = rt + (AI << 16);
      rt = sum > LINE_Q ? LINE_Q : sum[63:0];
      sum = ({64'b0, rt} + {64'b0, rc}) >> 1;
      rc = sum > LINE_Q ? LINE_Q : sum[63:0];
    end
  endtask

  always @(posedge clk)
    if (rst) begin
      rc = LINE_Q; rt = LINE_Q; alpha = ONE; ts = 0; bs = 0;
      active = 0; kt = 0; tt = 0; bytes = 0;
    end else begin
      if (cnp) begin
        product = rc * {79'b0, alpha};
        cut = product >> 49;
        rt = rc;
        rc = rc - cut < FLOOR_Q ? FLOOR_Q : rc - cut;
        alpha = alpha - (alpha >> GAIN_SHIFT) + (ONE >> GAIN_SHIFT);
        ts = 0; bs = 0; bytes = 0; kt = 0; tt = 0; active = 1;
      end else if (active && tick) begin
        kt = kt + 1;
        tt = tt + 1;
        if (kt == K) begin
          kt = 0;
          alpha = alpha - (alpha >> GAIN_SHIFT);
        end
        if (tt == T) begin
          tt = 0;
          ts = ts + (ts != 16'hFFFF);
          increase;
        end
      end
      if (active) begin
        bytes = bytes + sent;
        if (bytes >= B) begin
          bytes = bytes - B;
          bs = bs + (bs != 16'hFFFF);
          increase;
        end
      end
    end
endmodule
