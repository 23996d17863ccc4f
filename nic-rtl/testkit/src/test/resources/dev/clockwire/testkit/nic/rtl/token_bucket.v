// Per-packet token bucket: in each cycle a waiting packet is judged, charged, and the bucket refilled and cut at the burst.
module token_bucket #(parameter FRACTION = 16) (
  input  wire               clk,
  input  wire               rst,
  input  wire               set_rate,      // the new rate fills the cycle that begins with this edge
  input  wire        [47:0] rate,          // bytes a cycle, FRACTION binary places; 0 = unlimited
  input  wire               set_late,      // a rate that fills this cycle, but judges nothing in it
  input  wire        [47:0] late,
  input  wire        [31:0] burst,         // bytes; constant
  input  wire               valid,
  input  wire        [31:0] size,          // bytes of the waiting packet
  output wire               send,
  output wire signed [63:0] tokens_before  // at the start of this cycle
);
  reg signed [63:0] tokens;
  reg        [47:0] add;

  wire        [47:0] now_add  = set_rate ? rate : add;
  wire signed [63:0] capacity = $signed({32'b0, burst}) <<< FRACTION;
  wire signed [63:0] cost     = $signed({32'b0, size}) <<< FRACTION;
  wire signed [63:0] need     = cost > capacity ? capacity : cost;
  wire               free     = now_add == 0;
  assign tokens_before = tokens;
  assign send = valid && (free || tokens >= need);

  wire signed [63:0] after  = send && !free ? tokens - cost : tokens;
  wire        [47:0] fill   = set_late ? late : now_add;
  wire signed [63:0] filled = after + $signed({16'b0, fill});

  always @(posedge clk)
    if (rst) begin
      tokens <= capacity;
      add    <= rate;
    end else begin
      tokens <= filled > capacity ? capacity : filled;
      add    <= fill;
    end
endmodule
