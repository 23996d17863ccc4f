// Stimulus word: set_rate 1, rate 48, valid 1, size 32. The size stays until the packet has left.
module bench;
  parameter N = 1000;
  parameter FRACTION = 16;
  parameter [31:0] BURST = 4096;
  parameter [47:0] RATE = 48'h10000;
  reg clk = 0, rst = 1;
  reg [81:0] stimulus [0:N-1];
  reg [1023:0] file, waves;
  integer i;
  wire send;
  wire signed [63:0] tokens;
  reg [81:0] w = 0;
  token_bucket #(.FRACTION(FRACTION)) dut (.clk(clk), .rst(rst), .set_rate(!rst && w[81]), .rate(rst ? RATE : w[80:33]), .set_late(1'b0), .late(48'b0), .burst(BURST),
    .valid(w[32]), .size(w[31:0]), .send(send), .tokens_before(tokens));
  reg sent = 0;  // for the waves: what left in the cycle before
  always @(posedge clk) sent <= send && !rst;
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
      #1;
      if (w[32]) $display("%0d %0d %0d", i, send, tokens);
      clk = 1; #1 clk = 0;
    end
    $finish;
  end
endmodule
