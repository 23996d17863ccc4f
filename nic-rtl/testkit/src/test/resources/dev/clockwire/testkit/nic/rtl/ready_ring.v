// Queues that are ready, each once. A scan looks at them in line: those that cannot go now move behind the others, the first that can is
// granted and leaves; where none can, the line stays. Joining comes first in a cycle, a granted queue with more work joins last.
module ready_ring #(parameter N = 8) (
  input  wire         clk,
  input  wire         rst,
  input  wire         join_valid,
  input  wire   [5:0] join_queue,
  input  wire         scan,
  input  wire [N-1:0] can_go,
  input  wire         again,       // the queue that is granted has more work
  output reg          granted,
  output reg    [5:0] winner
);
  reg [5:0]   line [0:N-1];
  reg [5:0]   turned [0:N-1];
  reg [N-1:0] in;
  integer     count, i, at;

  always @(posedge clk)
    if (rst) begin
      count = 0; in = 0; granted = 0; winner = 0;
    end else begin
      granted = 0;
      if (join_valid && !in[join_queue]) begin
        line[count] = join_queue;
        in[join_queue] = 1;
        count = count + 1;
      end
      if (scan) begin
        at = -1;
        for (i = count - 1; i >= 0; i = i - 1)
          if (can_go[line[i]]) at = i;
        if (at >= 0) begin
          granted = 1;
          winner = line[at];
          for (i = 0; i < count - 1; i = i + 1)
            turned[i] = i < count - 1 - at ? line[at + 1 + i] : line[i - (count - 1 - at)];
          for (i = 0; i < count - 1; i = i + 1) line[i] = turned[i];
          if (again) line[count - 1] = winner;
          else begin
            count = count - 1;
            in[winner] = 0;
          end
        end
      end
    end
endmodule
