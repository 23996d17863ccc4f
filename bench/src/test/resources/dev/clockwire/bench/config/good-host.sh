#!/bin/sh
ip link set dev ens2f0 mtu 4200
mlnx_qos -i ens2f0 --trust=dscp --pfc 0,0,0,1,0,0,0,0 --cable_len=3
mlnx_qos -i ens2f0 -d os
mlnx_qos -i ens2f0 -s ets,ets,ets,ets,ets,ets,strict,strict -t 10,10,10,50,10,10,0,0
cma_roce_mode -d mlx5_0 -p 1 -m 2
cma_roce_tos -d mlx5_0 -t 106
echo 1 > /sys/class/net/ens2f0/ecn/roce_np/enable/3
echo 1 > /sys/class/net/ens2f0/ecn/roce_rp/enable/3
echo 48 > /sys/class/net/ens2f0/ecn/roce_np/cnp_dscp
