// Reaction point of a NIC: integer Mbit/s, alpha of 10 bits, one step per microsecond strobe; a notification is latched last.
module vendor_reaction_point #(
  parameter [31:0] LINE = 100000,
  parameter [10:0] G = 1019,
  parameter [9:0]  ALPHA0 = 1023,
  parameter        GD = 11,
  parameter [6:0]  MIN_DEC = 50,
  parameter [31:0] MIN_RATE = 1,
  parameter [31:0] MONITOR = 4,
  parameter [31:0] TIME_RESET = 300,
  parameter [5:0]  THRESHOLD = 1,
  parameter [31:0] AI = 5,
  parameter [31:0] HAI = 50,
  parameter        CLAMP = 0,
  parameter        CLAMP_AFTER_INC = 1
) (
  input  wire        clk,
  input  wire        rst,
  input  wire        strobe,   // a microsecond begins
  input  wire        cnp,      // in this microsecond
  output reg  [31:0] rc,
  output reg  [31:0] rt,
  output reg  [9:0]  alpha,
  output reg         active,
  output reg  [5:0]  stage
);
  reg         alpha_latch, cut_latch, increasing;
  reg  [31:0] monitor, timer;
  reg  [42:0] wide;
  reg  [31:0] after, least;

  always @(posedge clk)
    if (rst) begin
      rc = LINE; rt = LINE; alpha = 0; active = 0; stage = 0;
      alpha_latch = 0; cut_latch = 0; increasing = 0; monitor = 0; timer = 0;
    end else begin
      if (strobe && active) begin
        wide = alpha * G;
        wide = (wide >> 10) + (alpha_latch ? 1024 - G : 0);
        alpha = wide > 1023 ? 10'd1023 : wide[9:0];
        alpha_latch = 0;
        monitor = monitor + 1;
        timer = timer + 1;
        if (monitor == MONITOR) begin
          monitor = 0;
          if (cut_latch) begin
            if (CLAMP || (CLAMP_AFTER_INC && stage != 0)) rt = rc;
            wide = rc * alpha;
            after = rc - (wide >> GD);
            wide = rc * MIN_DEC;
            least = wide / 100;
            rc = after > least ? after : least;
            if (rc < MIN_RATE) rc = MIN_RATE;
            stage = 0;
            timer = 0;
            increasing = 1;
            cut_latch = 0;
          end
        end
        if (increasing && timer == TIME_RESET) begin
          timer = 0;
          if (stage > THRESHOLD) rt = rt + HAI;
          else if (stage == THRESHOLD) rt = rt + AI;
          if (rt > LINE) rt = LINE;
          rc = (rc + rt) >> 1;
          if (stage <= THRESHOLD) stage = stage + 1;
        end
      end
      if (cnp) begin
        if (active) alpha_latch = 1;
        else begin
          active = 1;
          alpha = ALPHA0;
          rt = rc;
          monitor = 0;
        end
        cut_latch = 1;
      end
    end
endmodule
