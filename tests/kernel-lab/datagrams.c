// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Both ends of the lab's UDP flows, for the guest kernel; linked statically.
 *
 *   datagrams send HOST PORT TRACE LOG   sends what TRACE lists: lines of time in ns, flow, payload bytes, TOS
 *   datagrams receive PORT FLOWS LOG     writes down what arrives, until there was nothing for two seconds
 *
 * Flow i has the port PORT + i. LOG is an array of struct record, of the real-time clock: the time just before sendto(),
 * or the kernel's receive timestamp.
 */
#include <arpa/inet.h>
#include <err.h>
#include <inttypes.h>
#include <poll.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <time.h>

#define MAX_FLOWS   16
#define MAX_PAYLOAD 1472
#define LEAD_NS	    500000000 /* from the start of the program to the trace's time 0 */
#define QUIET_MS    2000

struct record {
	uint32_t flow, seq;
	int64_t ns;
	uint32_t tos, payload;
};

static int64_t ns_of(struct timespec t)
{
	return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

static void put(FILE *log, const struct record *r)
{
	if (fwrite(r, sizeof(*r), 1, log) != 1)
		err(1, "log");
}

/* Wakes up on time: before everything else, and with no page to be fetched. */
static void be_prompt(void)
{
	struct sched_param rt = {.sched_priority = 50};

	if (sched_setscheduler(0, SCHED_FIFO, &rt) || mlockall(MCL_CURRENT | MCL_FUTURE))
		err(1, "real time");
}

static int send_trace(const char *host, int port, const char *trace, const char *log_name)
{
	struct sockaddr_in to = {.sin_family = AF_INET, .sin_addr.s_addr = inet_addr(host)};
	FILE *in = fopen(trace, "r"), *log = fopen(log_name, "w");
	int sockets[MAX_FLOWS] = {0};
	uint32_t seqs[MAX_FLOWS] = {0};
	char data[MAX_PAYLOAD] = {0};
	struct record r = {0};
	struct timespec t;
	int64_t origin, at;

	if (!in || !log)
		err(1, "%s, %s", trace, log_name);
	be_prompt();
	clock_gettime(CLOCK_REALTIME, &t);
	origin = ns_of(t) + LEAD_NS;
	while (fscanf(in, "%" SCNd64 " %" SCNu32 " %" SCNu32 " %" SCNu32, &at, &r.flow, &r.payload,
		      &r.tos) == 4) {
		if (r.flow >= MAX_FLOWS || r.payload > MAX_PAYLOAD || r.payload < sizeof(r.seq))
			errx(1, "%s: flow %u, payload %u", trace, r.flow, r.payload);
		if (!sockets[r.flow]) {
			int s = socket(AF_INET, SOCK_DGRAM, 0), tos = (int)r.tos;

			to.sin_port = htons((uint16_t)(port + (int)r.flow));
			if (s < 0 || setsockopt(s, IPPROTO_IP, IP_TOS, &tos, sizeof(tos)) ||
			    connect(s, (struct sockaddr *)&to, sizeof(to)))
				err(1, "socket");
			sockets[r.flow] = s;
		}
		t.tv_sec = (origin + at) / 1000000000;
		t.tv_nsec = (origin + at) % 1000000000;
		clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &t, NULL);
		r.seq = seqs[r.flow]++;
		memcpy(data, &r.seq, sizeof(r.seq));
		clock_gettime(CLOCK_REALTIME, &t);
		if (send(sockets[r.flow], data, r.payload, 0) != (ssize_t)r.payload)
			err(1, "send");
		r.ns = ns_of(t);
		put(log, &r);
	}
	return fclose(log);
}

static int open_receiver(int port)
{
	struct sockaddr_in here = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
	int s = socket(AF_INET, SOCK_DGRAM, 0), on = 1, bytes = 1 << 24;

	if (s < 0 || bind(s, (struct sockaddr *)&here, sizeof(here)) ||
	    setsockopt(s, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof(on)) ||
	    setsockopt(s, IPPROTO_IP, IP_RECVTOS, &on, sizeof(on)) ||
	    setsockopt(s, SOL_SOCKET, SO_RCVBUFFORCE, &bytes, sizeof(bytes)))
		err(1, "receiver");
	return s;
}

/* False: nothing there. */
static int receive_one(int s, struct record *r)
{
	char data[MAX_PAYLOAD], control[256];
	struct iovec iov = {data, sizeof(data)};
	struct msghdr msg = {.msg_iov = &iov,
			     .msg_iovlen = 1,
			     .msg_control = control,
			     .msg_controllen = sizeof(control)};
	ssize_t n = recvmsg(s, &msg, MSG_DONTWAIT);
	struct timespec t;

	if (n < (ssize_t)sizeof(r->seq))
		return 0;
	r->payload = (uint32_t)n;
	memcpy(&r->seq, data, sizeof(r->seq));
	for (struct cmsghdr *c = CMSG_FIRSTHDR(&msg); c; c = CMSG_NXTHDR(&msg, c)) {
		if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_TIMESTAMPNS) {
			memcpy(&t, CMSG_DATA(c), sizeof(t));
			r->ns = ns_of(t);
		} else if (c->cmsg_level == IPPROTO_IP && c->cmsg_type == IP_TOS) {
			r->tos = *CMSG_DATA(c);
		}
	}
	return 1;
}

static int receive(int port, int flows, const char *log_name)
{
	FILE *log = fopen(log_name, "w");
	struct pollfd fds[MAX_FLOWS];
	int quiet = -1; /* until the first has come, for ever */

	if (!log || flows < 1 || flows > MAX_FLOWS)
		err(1, "%s, %d flows", log_name, flows);
	for (int i = 0; i < flows; i++)
		fds[i] = (struct pollfd){.fd = open_receiver(port + i), .events = POLLIN};
	while (poll(fds, (nfds_t)flows, quiet) > 0) {
		for (int i = 0; i < flows; i++) {
			struct record r = {.flow = (uint32_t)i};

			while (receive_one(fds[i].fd, &r))
				put(log, &r);
		}
		quiet = QUIET_MS;
	}
	return fclose(log);
}

int main(int argc, char **argv)
{
	if (argc == 6 && !strcmp(argv[1], "send"))
		return send_trace(argv[2], atoi(argv[3]), argv[4], argv[5]);
	if (argc == 5 && !strcmp(argv[1], "receive"))
		return receive(atoi(argv[2]), atoi(argv[3]), argv[4]);
	errx(2, "send HOST PORT TRACE LOG, or receive PORT FLOWS LOG");
}
