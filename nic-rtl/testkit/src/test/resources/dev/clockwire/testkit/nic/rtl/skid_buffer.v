// A register slice of two words: valid, ready and bits are all driven by registers, at full rate.
module skid_buffer #(parameter WIDTH = 64) (
  input  wire             clk,
  input  wire             rst,
  input  wire             in_valid,
  output wire             in_ready,
  input  wire [WIDTH-1:0] in_bits,
  output wire             out_valid,
  input  wire             out_ready,
  output wire [WIDTH-1:0] out_bits
);
  reg [WIDTH-1:0] head, tail;
  reg [1:0]       count;
  assign in_ready  = count != 2;
  assign out_valid = count != 0;
  assign out_bits  = head;
  wire put  = in_valid && in_ready;
  wire take = out_valid && out_ready;

  always @(posedge clk)
    if (rst) count <= 0;
    else begin
      count <= count + put - take;
      if (take) head <= count == 2 ? tail : in_bits;
      else if (put && count == 0) head <= in_bits;
      if (put && (count == 1 && !take)) tail <= in_bits;
    end
endmodule
