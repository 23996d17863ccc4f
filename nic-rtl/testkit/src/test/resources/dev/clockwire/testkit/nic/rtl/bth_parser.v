// Takes the first 16 bytes of each packet (byte 0 in the top bits) and gives the fields of its BTH. LATENCY cycles from the cycle in
// which the bytes are visible to the one in which the fields are visible behind the output register; LATENCY + 2 packets fit.
module bth_parser #(parameter LATENCY = 3) (
  input  wire         clk,
  input  wire         rst,
  input  wire         in_valid,
  output wire         in_ready,
  input  wire [127:0] in_bits,
  output wire         out_valid,
  input  wire         out_ready,
  output wire [82:0]  out_bits
);
  localparam DEPTH = LATENCY + 2;
  reg [95:0] bth [0:DEPTH-1];
  reg [31:0] due [0:DEPTH-1];
  reg [31:0] now;
  reg [3:0]  read, write, count;

  assign in_ready  = count != DEPTH;
  assign out_valid = (count != 0 && due[read] <= now) || (LATENCY == 1 && count == 0 && in_valid);
  wire accept = in_valid && in_ready;
  wire leave  = out_valid && out_ready;

  always @(posedge clk)
    if (rst) begin
      now <= 0; read <= 0; write <= 0; count <= 0;
    end else begin
      now <= now + 1;
      if (accept) begin
        bth[write] <= in_bits[127:32];
        due[write] <= now + LATENCY - 1;
        write <= write == DEPTH - 1 ? 0 : write + 1;
      end
      if (leave) read <= read == DEPTH - 1 ? 0 : read + 1;
      count <= count + accept - leave;
    end

  wire [95:0] b = count == 0 ? in_bits[127:32] : bth[read];
  //                opcode    S      pad        TVer       P_Key      FECN   BECN   DestQP    A      PSN
  assign out_bits = {b[95:88], b[87], b[85:84], b[83:80], b[79:64], b[63], b[62], b[55:32], b[31], b[23:0]};
endmodule
