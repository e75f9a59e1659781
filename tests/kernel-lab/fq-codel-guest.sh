# SPDX-License-Identifier: GPL-3.0-or-later
# Run in the guest by boot.sh: namespaces a and b on either side of a router, whose way to b is tbf with fq_codel.
# RATE, BURST and FLOWS are in the file `setting`. Prints tc's counters as JSON, and both logs.
set -e
. /setting
ip=/net/ip tc=/net/tc
for m in veth sch_tbf; do insmod /lib/$m.ko; done
sysctl -qw net.ipv6.conf.all.disable_ipv6=1 net.ipv6.conf.default.disable_ipv6=1 net.ipv4.ip_forward=1
mkdir -p /run /etc
$ip link set lo up
n=1
for host in a b; do
	$ip netns add $host
	$ip link add r$host address 02:00:00:00:0$n:01 type veth peer name eth0 address 02:00:00:00:0$n:02 netns $host
	$ip addr add 10.0.$n.1/24 dev r$host
	$ip link set r$host up
	$ip neigh replace 10.0.$n.2 lladdr 02:00:00:00:0$n:02 dev r$host nud permanent
	$ip -n $host addr add 10.0.$n.2/24 dev eth0
	$ip -n $host link set eth0 up
	$ip -n $host neigh replace 10.0.$n.1 lladdr 02:00:00:00:0$n:01 dev eth0 nud permanent
	$ip -n $host route add default via 10.0.$n.1
	n=$((n + 1))
done
$tc qdisc add dev rb root handle 1: tbf rate $RATE burst $BURST limit 1000000
$tc qdisc add dev rb parent 1:1 fq_codel
$ip netns exec b /net/datagrams receive 6001 $FLOWS /tmp/received &
$ip netns exec a /net/datagrams send 10.0.2.2 6001 /trace /tmp/sent
wait
echo "tc $($tc -s -j qdisc show dev rb | tr -d '\n')"
for log in sent received; do
	echo "log $log"
	gzip -c /tmp/$log | base64
	echo "end"
done
