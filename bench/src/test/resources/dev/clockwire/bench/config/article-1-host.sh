sudo mlxconfig -d /dev/mst/mt4129_pciconf0 set ROCE_NEXT_PROTOCOL=1
sudo mlxconfig -d /dev/mst/mt4129_pciconf0 set PCI_WR_ORDERING=1
sudo mlnx_qos -i ens2f0 -p 0,0,0,3,0,0,0,0
sudo mlnx_qos -i ens2f0 -c 0,0,0,1,0,0,0,0
sudo ethtool -K ens2f0 rx-fcs off
sudo ethtool -N ens2f0 flow-type tcp4 src-ip 10.0.0.1 dst-ip 10.0.0.2 action 3
./hf3fs_fuse --mount_point /mnt/3fs --mgmtd_server_addresses RDMA://10.0.0.1:8000 --io_uring_enabled=true --rdma_polling=true
