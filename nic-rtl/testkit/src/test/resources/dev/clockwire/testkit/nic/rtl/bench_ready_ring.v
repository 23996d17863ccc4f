// Stimulus word: again 1, scan 1, join 1, queue 6, can_go 55.
module bench;
  parameter N = 1000;
  parameter QUEUES = 8;
  reg clk = 0, rst = 1;
  reg [63:0] stimulus [0:N-1];
  reg [1023:0] file;
  integer i;
  reg [63:0] w = 0;
  wire granted;
  wire [5:0] winner;
  ready_ring #(.N(QUEUES)) dut (.clk(clk), .rst(rst), .join_valid(w[61]), .join_queue(w[60:55]), .scan(w[62]), .can_go(w[QUEUES-1:0]),
    .again(w[63]), .granted(granted), .winner(winner));
  initial begin
    if (!$value$plusargs("stimulus=%s", file)) $finish;
    $readmemh(file, stimulus);
    #1 clk = 1; #1 clk = 0; rst = 0;
    for (i = 0; i < N; i = i + 1) begin
      w = stimulus[i];
      #1 clk = 1; #1 clk = 0;
      if (granted) $display("%0d %0d", i, winner);
    end
    $finish;
  end
endmodule
