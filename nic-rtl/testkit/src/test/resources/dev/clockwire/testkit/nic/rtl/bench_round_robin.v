// Stimulus word: enable 1, requests 63.
module bench;
  parameter N = 1000;
  parameter REQUESTERS = 5;
  reg clk = 0, rst = 1;
  reg [63:0] stimulus [0:N-1];
  reg [1023:0] file, waves;
  integer i;
  reg [63:0] w = 0;
  wire granted;
  wire [5:0] winner;
  round_robin #(.N(REQUESTERS)) dut (.clk(clk), .rst(rst), .request(w[REQUESTERS-1:0]), .enable(w[63]), .granted(granted), .winner(winner));
  reg grant = 0;  // for the waves: a grant of the cycle before
  always @(posedge clk) grant <= granted && !rst;
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
      if (granted) $display("%0d %0d", i, winner);
      clk = 1; #1 clk = 0;
    end
    $finish;
  end
endmodule
