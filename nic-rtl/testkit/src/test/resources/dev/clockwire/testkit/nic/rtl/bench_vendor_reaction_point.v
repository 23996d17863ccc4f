// Stimulus word: cnp 1. Every cycle is a microsecond.
module bench;
  parameter N = 1000;
  parameter [31:0] MONITOR = 4;
  parameter [31:0] TIME_RESET = 300;
  parameter [10:0] G = 1019;
  parameter [5:0] THRESHOLD = 1;
  parameter CLAMP = 0;
  parameter CLAMP_AFTER_INC = 1;
  reg clk = 0, rst = 1;
  reg [0:0] stimulus [0:N-1];
  reg [1023:0] file, waves;
  integer i;
  reg w = 0;
  wire [31:0] rc, rt;
  wire [9:0] alpha;
  wire active;
  wire [5:0] stage;
  vendor_reaction_point #(.MONITOR(MONITOR), .TIME_RESET(TIME_RESET), .G(G), .THRESHOLD(THRESHOLD), .CLAMP(CLAMP), .CLAMP_AFTER_INC(CLAMP_AFTER_INC))
    dut (.clk(clk), .rst(rst), .strobe(1'b1), .cnp(w), .rc(rc), .rt(rt), .alpha(alpha), .active(active), .stage(stage));
  initial begin
    if (!$value$plusargs("stimulus=%s", file)) $finish;
    $readmemh(file, stimulus);
    if ($value$plusargs("waves=%s", waves)) begin
      $dumpfile(waves);
      $dumpvars(0, bench);
    end
    #1 clk = 1; #1 clk = 0; rst = 0;
    for (i = 0; i < N; i = i + 1) begin
      w = stimulus[i];
      #1 clk = 1; #1 clk = 0;
      $display("%0d %0d %0d %0d %0d", i, rc, rt, active ? $signed({22'b0, alpha}) : -32'sd1, stage);
    end
    $finish;
  end
endmodule
