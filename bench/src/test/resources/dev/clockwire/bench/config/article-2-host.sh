mlxconfig -d /dev/mst/mt4123_pciconf0 set ROCE_NEXT_PROTOCOL=1
mlxconfig -d /dev/mst/mt4123_pciconf0 set ROCE_CC_PROTOCOL=1 # 1=DCQCN
echo 1 > /sys/class/infiniband/mlx5_0/ports/1/hw_counters/poll_cq
setpci -s 0000:3b:00.0 COMMAND=0x0100
cma_roce_mode -d mlx5_0 -p 1
