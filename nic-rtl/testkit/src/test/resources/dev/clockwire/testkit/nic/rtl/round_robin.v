// The requester after the last one granted wins; a grant is used only in cycles that are enabled.
module round_robin #(parameter N = 5) (
  input  wire         clk,
  input  wire         rst,
  input  wire [N-1:0] request,
  input  wire         enable,
  output wire         granted,
  output reg  [5:0]   winner
);
  reg [5:0] last;
  integer   i;
  reg       found;
  always @* begin
    winner = 0;
    found  = 0;
    for (i = 1; i <= N; i = i + 1)
      if (!found && request[(last + i) % N]) begin
        winner = (last + i) % N;
        found  = 1;
      end
  end
  assign granted = found && enable;
  always @(posedge clk)
    if (rst) last <= N - 1;
    else if (granted) last <= winner;
endmodule
