// Stimulus word: cnp 1, bytes sent 31.
module bench;
  parameter N = 1000;
  parameter [31:0] K = 55;
  parameter [31:0] T = 55;
  parameter [31:0] B = 100000;
  reg clk = 0, rst = 1;
  reg [31:0] stimulus [0:N-1];
  reg [1023:0] file, waves;
  integer i;
  reg [31:0] w = 0;
  wire [63:0] rc, rt;
  wire [48:0] alpha;
  wire [15:0] ts, bs;
  reaction_point #(.K(K), .T(T), .B(B)) dut (.clk(clk), .rst(rst), .tick(1'b1), .cnp(w[31]), .sent({1'b0, w[30:0]}), .rc(rc), .rt(rt), .alpha(alpha), .ts(ts), .bs(bs));
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
      $display("%0d %0d %0d %0d %0d %0d", i, rc, rt, alpha, ts, bs);
    end
    $finish;
  end
endmodule
