// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The calls of cong-vectors.h before the running kernel's own congestion controls: its binaries, as they are, behind the
 * shim's cong.c, which is compiled in here. Only what they ask of the world is the vectors': while one is being called,
 * draws, tcp_enter_cwr() and __tcp_send_ack() are answered here (by kprobes), and jiffies are those of the vectors' clock.
 * The number of an algorithm that is written to the parameter `run` runs it. What came out is in the kernel log.
 */
#define pr_fmt(fmt) "wlanq-cong: " fmt

#include <linux/module.h>
#include <net/tcp.h>

#include "answer.h"
#include "cong.h"
#include "cong-vectors.h"

static struct cvec run;

/* ---- what cong.c finds in a library --------------------------------------------------------------- */

static struct seam_boot boot;
struct seam_boot *seam_boot = &boot;
struct seam_user *seam_user;

void seam_enter(struct seam_user *u)
{
	seam_user = u;
}

void seam_timers_drop(struct seam_user *u)
{
}

static struct tcp_congestion_ops *(*find)(const char *name);

struct tcp_congestion_ops *tcp_ca_find(const char *name)
{
	return find(name);
}

void tcp_set_ca_state(struct sock *sk, const u8 state)
{
	struct inet_connection_sock *icsk = inet_csk(sk);

	if (icsk->icsk_ca_ops->set_state)
		icsk->icsk_ca_ops->set_state(sk, state);
	icsk->icsk_ca_state = state;
}

static void enter_cwr(struct seam_boot *b, void *up)
{
	cvec_enter_cwr(up);
}

static void send_ack(struct seam_boot *b, void *up, u32 rcv_nxt)
{
	cvec_word(up, rcv_nxt);
}

/* ---- the vectors' world --------------------------------------------------------------------------- */

static void enter(struct cvec *v)
{
	time_enter(v->now);
}

static void leave(struct cvec *v)
{
	time_leave();
}

static void tell(const struct cvec *v, const char *name)
{
	pr_info("%s calls %u hash %016llx cwnd %u draws %u\n", name ? name : " ", v->calls, v->hash,
		v->s.snd_cwnd, v->draws);
}

static const struct cvec_world world = {&seam_cong_entries, enter, leave, tell};

/* ---- what is answered here ------------------------------------------------------------------------ */

static int on_ktime_get(struct kprobe *p, struct pt_regs *regs)
{
	return mine() ? answer(regs, run.now) : 0;
}

static int on_random_u32(struct kprobe *p, struct pt_regs *regs)
{
	return mine() ? answer(regs, cvec_draw(&run)) : 0;
}

static int on_random_u8(struct kprobe *p, struct pt_regs *regs)
{
	return mine() ? answer(regs, cvec_draw(&run) >> 24) : 0;
}

static int on_random_bytes(struct kprobe *p, struct pt_regs *regs)
{
	u8 *to = (u8 *)regs->di;
	size_t n = regs->si;

	if (!mine())
		return 0;
	while (n--)
		*to++ = (u8)cvec_draw(&run);
	return answer(regs, 0);
}

static int on_enter_cwr(struct kprobe *p, struct pt_regs *regs)
{
	if (!mine())
		return 0;
	tcp_enter_cwr((struct sock *)regs->di);
	return answer(regs, 0);
}

static int on_send_ack(struct kprobe *p, struct pt_regs *regs)
{
	if (!mine())
		return 0;
	seam_send_ack((struct sock *)regs->di, regs->si);
	return answer(regs, 0);
}

/* The first only tells where it is. */
static struct kprobe probes[] = {
	{.symbol_name = "tcp_ca_find"},
	{.symbol_name = "ktime_get", .pre_handler = on_ktime_get},
	{.symbol_name = "get_random_u32", .pre_handler = on_random_u32},
	{.symbol_name = "get_random_u8", .pre_handler = on_random_u8},
	{.symbol_name = "get_random_bytes", .pre_handler = on_random_bytes},
	{.symbol_name = "tcp_enter_cwr", .pre_handler = on_enter_cwr},
	{.symbol_name = "__tcp_send_ack", .pre_handler = on_send_ack},
};

/* ---- set-up --------------------------------------------------------------------------------------- */

static int run_set(const char *text, const struct kernel_param *kp)
{
	unsigned int number;
	int rc = kstrtouint(text, 0, &number);

	if (rc || number >= CVEC_NAMES)
		return rc ? rc : -EINVAL;
	if (!cvec_run(&run, number, &world))
		pr_info("%s is not there\n", cvec_names[number]);
	return 0;
}

static const struct kernel_param_ops run_ops = {.set = run_set};
module_param_cb(run, &run_ops, NULL, 0200);

static int __init lab_init(void)
{
	int rc;

	boot.enter_cwr = enter_cwr;
	boot.send_ack = send_ack;
	rc = probes_set(probes, ARRAY_SIZE(probes));
	if (!rc)
		find = (void *)probes[0].addr;
	return rc;
}

static void __exit lab_exit(void)
{
	probes_drop(probes, ARRAY_SIZE(probes));
}

module_init(lab_init);
module_exit(lab_exit);
MODULE_LICENSE("Dual BSD/GPL");
MODULE_DESCRIPTION("the running kernel's congestion controls before the calls of wlanq's lab");
