// A source and a sink that move when the stimulus lets them (bits 1 and 0), a register slice on each side, and between them nothing
// or a BTH parser. Prints each cycle in which a word enters or leaves.
module bench;
  parameter N = 1000;
  parameter WORDS = 1000;
  parameter PARSER = 0;
  parameter LATENCY = 3;
  parameter WIDTH = PARSER ? 83 : 128;
  reg clk = 0, rst = 1;
  reg [1:0] stimulus [0:N-1];
  reg [127:0] words [0:WORDS-1];
  reg [1023:0] file, data, waves;
  integer i, next = 0;
  reg moved;
  reg [1:0] w = 0;
  wire in_ready, mid_valid, mid_ready, out_valid;
  wire [127:0] mid_bits;
  wire [WIDTH-1:0] out_bits;
  wire in_valid = w[1] && next < WORDS && !rst;
  wire [127:0] in_bits = words[next < WORDS ? next : 0];
  wire out_ready = w[0];
  generate
    if (PARSER) begin : parse
      wire p_valid, p_ready;
      wire [82:0] p_bits;
      skid_buffer #(.WIDTH(128)) in (.clk(clk), .rst(rst), .in_valid(in_valid), .in_ready(in_ready), .in_bits(in_bits),
        .out_valid(mid_valid), .out_ready(mid_ready), .out_bits(mid_bits));
      bth_parser #(.LATENCY(LATENCY)) dut (.clk(clk), .rst(rst), .in_valid(mid_valid), .in_ready(mid_ready), .in_bits(mid_bits),
        .out_valid(p_valid), .out_ready(p_ready), .out_bits(p_bits));
      skid_buffer #(.WIDTH(83)) out (.clk(clk), .rst(rst), .in_valid(p_valid), .in_ready(p_ready), .in_bits(p_bits),
        .out_valid(out_valid), .out_ready(out_ready), .out_bits(out_bits));
    end else begin : slice
      skid_buffer #(.WIDTH(128)) dut (.clk(clk), .rst(rst), .in_valid(in_valid), .in_ready(in_ready), .in_bits(in_bits),
        .out_valid(out_valid), .out_ready(out_ready), .out_bits(out_bits));
    end
  endgenerate
  initial begin
    if (!$value$plusargs("stimulus=%s", file)) $finish;
    if (!$value$plusargs("words=%s", data)) $finish;
    $readmemh(file, stimulus);
    $readmemh(data, words);
    if ($value$plusargs("waves=%s", waves)) begin
      $dumpfile(waves);
      $dumpvars(0, bench);
    end
    #1 clk = 1; #1 clk = 0; rst = 0;
    for (i = 0; i < N; i = i + 1) begin
      w = stimulus[i];
      #1;
      if ((in_valid && in_ready) || (out_valid && out_ready))
        if (out_valid && out_ready) $display("%0d %0d %0h", i, in_valid && in_ready, out_bits);
        else $display("%0d 1 -", i);
      moved = in_valid && in_ready;
      clk = 1; #1 clk = 0;
      next = next + moved;
    end
    $finish;
  end
endmodule
