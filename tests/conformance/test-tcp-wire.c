// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Claim: when given packets are lost, late, doubled or marked, the model's sender and receiver put on the wire what
 * Linux's do, segment by segment and ACK by ACK.
 * Set-up: tcp-wire.txt, recorded from a Linux kernel by tests/oracle/tcp_wire.py, one connection over a path without a
 * rate; the model runs each case with the rules of its lines.
 * Expected: the same tokens in the same order in each direction.
 * Tolerance: 12 ms and 5 % in time (two ticks of 250 Hz, and what the recording machine was late each round trip); none
 * in the tokens.
 * With TCP_WIRE=NAME in the environment the model's own trace of that case is printed.
 */
#include "check-main.h"

#include <glib.h>

#include "tcp-lab.h"

#define TOLERANCE (12 * SIM_MS)
#define MAX_RULES 128u
#define ECN_CE	  3u

enum action { DROP, LATE, DUP, MARK };
enum what { DATA, ACK, SYN, SYNACK, FIN, OTHER };

struct rule {
	enum action action;
	enum what what;
	u32 n, k;
	sim_time late;
};

struct token {
	sim_time at;
	char text[64];
};

struct wire_case {
	char name[64];
	struct rule rules[MAX_RULES];
	u32 n_rules;
	struct {
		u64 bytes;
		sim_time at;
	} writes[8];
	u32 n_writes;
	sim_time close; /* after the connection; -1: not */
	char cc[16];
	char sets[8][2][32];
	u32 n_sets;
	sim_time rtt, seconds;
	u32 mss;
	bool rcvbuf_auto; /* else it stays at 128 KiB */
	GArray *want[2]; /* struct token, by direction */
};

/* ---- a case from its lines ----------------------------------------------------------------- */

static enum what what_of(const char *s)
{
	static const char *const names[] = {"data", "ack", "syn", "synack", "fin"};

	for (u32 i = 0; i < 5; i++)
		if (strcmp(s, names[i]) == 0)
			return (enum what)i;
	ck_abort_msg("what is %s?", s);
	return OTHER;
}

static void add_rules(struct wire_case *c, enum action action, char **w, u32 n)
{
	u32 lo = (u32)strtoul(w[2], NULL, 10), hi = lo;
	const char *dash = strchr(w[2], '-');

	if (dash)
		hi = (u32)strtoul(dash + 1, NULL, 10);
	for (u32 i = lo; i <= hi; i++) {
		struct rule *r = &c->rules[c->n_rules++];

		ck_assert_uint_le(c->n_rules, MAX_RULES);
		r->action = action;
		r->what = what_of(w[1]);
		r->n = i;
		r->k = action != LATE && n > 3 ? (u32)strtoul(w[3], NULL, 10) : 1;
		r->late = action == LATE ? (sim_time)strtoul(w[3], NULL, 10) * SIM_MS : 0;
	}
}

static void add_setting(struct wire_case *c, const char *key, const char *value)
{
	if (strcmp(key, "cc") == 0) {
		g_strlcpy(c->cc, value, sizeof(c->cc));
	} else if (strcmp(key, "rtt") == 0) {
		c->rtt = atoi(value) * SIM_MS;
	} else if (strcmp(key, "rcvbuf") == 0) {
		c->rcvbuf_auto = true;
	} else if (strcmp(key, "seconds") == 0) {
		c->seconds = atoi(value) * SIM_SEC;
	} else {
		g_strlcpy(c->sets[c->n_sets][0], key, 32);
		g_strlcpy(c->sets[c->n_sets++][1], value, 32);
		if (strcmp(key, "tcp_timestamps") == 0)
			c->mss = 1460;
	}
}

/* Tokens of a line of the trace; a run N-M of plain data is taken apart. */
static void add_tokens(struct wire_case *c, u32 way, char **w)
{
	struct token t = {.at = (sim_time)(g_ascii_strtod(w[1], NULL) * 1e6)};

	for (u32 i = 2; w[i]; i++) {
		u32 lo, hi;

		if (way == 0 && sscanf(w[i], "%u-%u", &lo, &hi) == 2) {
			for (; lo <= hi; lo++) {
				snprintf(t.text, sizeof(t.text), "%u%s", lo,
					 lo == hi && strchr(w[i], 'F') ? "F" : "");
				g_array_append_val(c->want[way], t);
			}
			continue;
		}
		g_strlcpy(t.text, w[i], sizeof(t.text));
		g_array_append_val(c->want[way], t);
	}
}

static void case_line(struct wire_case *c, char **w)
{
	u32 n = g_strv_length(w);

	if (strcmp(w[0], "set") == 0) {
		add_setting(c, w[1], w[2]);
	} else if (strcmp(w[0], "write") == 0) {
		c->writes[c->n_writes].bytes = strtoul(w[1], NULL, 10);
		c->writes[c->n_writes++].at = atoi(w[2]) * SIM_MS;
	} else if (strcmp(w[0], "close") == 0) {
		c->close = atoi(w[1]) * SIM_MS;
	} else if (strcmp(w[0], ">") == 0 || strcmp(w[0], "<") == 0) {
		add_tokens(c, w[0][0] == '<', w);
	} else {
		static const char *const actions[] = {"drop", "late", "dup", "mark"};
		u32 a = 0;

		while (a < 4 && strcmp(w[0], actions[a]))
			a++;
		ck_assert_msg(a < 4, "%s: %s", c->name, w[0]);
		add_rules(c, (enum action)a, w, n);
	}
}

static struct wire_case *case_new(const char *name)
{
	struct wire_case *c = g_new0(struct wire_case, 1);

	g_strlcpy(c->name, name, sizeof(c->name));
	g_strlcpy(c->cc, "reno", sizeof(c->cc));
	c->rtt = 40 * SIM_MS;
	c->seconds = 4 * SIM_SEC;
	c->close = -1;
	c->mss = 1448;
	for (u32 i = 0; i < 2; i++)
		c->want[i] = g_array_new(FALSE, FALSE, sizeof(struct token));
	return c;
}

static void case_free(void *arg)
{
	struct wire_case *c = arg;

	for (u32 i = 0; i < 2; i++)
		g_array_free(c->want[i], TRUE);
	g_free(c);
}

static GPtrArray *cases_load(const char *path)
{
	GPtrArray *cases = g_ptr_array_new_with_free_func(case_free);
	char *text, **lines;

	ck_assert_msg(g_file_get_contents(path, &text, NULL, NULL), "cannot read %s", path);
	lines = g_strsplit(text, "\n", -1);
	for (char **l = lines; *l; l++) {
		char **w;

		if (!**l || **l == '#')
			continue;
		w = g_strsplit(*l, " ", -1);
		if (strcmp(w[0], "case") == 0)
			g_ptr_array_add(cases, case_new(w[1]));
		else
			case_line(cases->pdata[cases->len - 1], w);
		g_strfreev(w);
	}
	g_strfreev(lines);
	g_free(text);
	return cases;
}

/* ---- its run ------------------------------------------------------------------------------- */

struct wire_run {
	const struct wire_case *c;
	struct tcp_lab *lab;
	u32 isn[2];
	u32 seen[512]; /* transmissions by segment */
	u32 count[OTHER + 1];
	GArray *got[2];
	u32 next_write;
	u64 pending;
	struct event app;
	sim_time connected;
};

static void app_step(struct wire_run *r)
{
	const struct wire_case *c = r->c;
	sim_time now = r->lab->lab.sim->now - r->connected;

	while (r->next_write < c->n_writes && c->writes[r->next_write].at <= now)
		r->pending += c->writes[r->next_write++].bytes * c->mss;
	if (r->pending)
		r->pending -= tcp_write(r->lab->client, r->pending);
	if (r->next_write < c->n_writes)
		event_schedule(r->lab->lab.sim, &r->app,
			       r->connected + c->writes[r->next_write].at);
	else if (!r->pending && c->close >= 0 && now >= c->close)
		tcp_close(r->lab->client);
	else if (!r->pending && c->close >= 0)
		event_schedule(r->lab->lab.sim, &r->app, r->connected + c->close);
}

static void app_event(struct sim *sim, struct event *ev)
{
	app_step(container_of(ev, struct wire_run, app));
}

static void wire_established(void *arg, struct tcp_sock *sk)
{
	struct wire_run *r = arg;

	r->lab->client = sk;
	r->connected = r->lab->lab.sim->now;
	app_step(r);
}

static void wire_writable(void *arg, struct tcp_sock *sk)
{
	app_step(arg);
}

static void wire_peer_closed(void *arg, struct tcp_sock *sk)
{
	tcp_close(sk);
}

static const struct tcp_user wire_client = {.established = wire_established,
					    .writable = wire_writable};
static const struct tcp_user wire_server = {.peer_closed = wire_peer_closed};

static void note(struct wire_run *r, u32 way, const char *text)
{
	struct token t = {.at = r->lab->lab.sim->now};

	g_strlcpy(t.text, text, sizeof(t.text));
	g_array_append_val(r->got[way], t);
}

static void note_ack(struct wire_run *r, const struct packet *p)
{
	u32 acked = p->tcp.ack - r->isn[0] - 1, mss = r->c->mss;
	char text[64];
	int n = snprintf(text, sizeof(text), "%u%s", acked / mss, acked % mss ? "+" : "");

	for (u32 i = 0; i < p->tcp.n_sack; i++)
		n += snprintf(text + n, sizeof(text) - (u32)n, "%c%u-%u", i ? ',' : '[',
			      (p->tcp.sack[i].start - r->isn[0] - 1) / mss,
			      (p->tcp.sack[i].end - r->isn[0] - 1) / mss);
	snprintf(text + n, sizeof(text) - (u32)n, "%s%s", p->tcp.n_sack ? "]" : "",
		 p->tcp.flags & TCP_FLAG_ECE ? "e" : "");
	note(r, 1, text);
}

/* Which packet of the case's language it is; its token goes into the trace. */
static enum what classify(struct wire_run *r, u32 way, const struct packet *p, u32 *n, u32 *k)
{
	u32 seg = (p->tcp.seq - r->isn[way] - 1) / r->c->mss;
	bool fin = p->tcp.flags & TCP_FLAG_FIN;
	enum what what = OTHER;
	char text[32];

	*k = 1;
	if (p->tcp.flags & TCP_FLAG_SYN) {
		r->isn[way] = p->tcp.seq;
		what = way ? SYNACK : SYN;
	} else if (way == 0 && (p->payload || fin)) {
		snprintf(text, sizeof(text), "%u%s", seg, fin ? "F" : "");
		note(r, 0, text);
		what = p->payload ? DATA : FIN;
		ck_assert_uint_lt(seg, 512);
		*k = ++r->seen[seg];
	} else if (way == 1) {
		note_ack(r, p);
		what = fin ? OTHER : ACK;
	}
	if (what == DATA) {
		*n = seg;
	} else {
		*k = 1;
		*n = ++r->count[what];
	}
	return what;
}

static bool apply(struct tcp_lab *l, u32 way, struct packet *p, sim_time *late)
{
	struct wire_run *r = l->arg;
	struct pipe *w = &l->pipe[way];
	u32 n, k;
	enum what what = classify(r, way, p, &n, &k);

	for (u32 i = 0; i < r->c->n_rules; i++) {
		const struct rule *rule = &r->c->rules[i];

		if (what == OTHER || rule->what != what || rule->n != n || rule->k != k)
			continue;
		switch (rule->action) {
		case DROP:
			return true;
		case LATE:
			*late += rule->late;
			break;
		case DUP:
			w->delivered++;
			pipe_fly(w, packet_clone(l->lab.sim, p), l->lab.sim->now + w->delay);
			break;
		case MARK:
			if (p->skb.tos & ECN_CE)
				p->skb.tos |= ECN_CE;
			break;
		}
	}
	return false;
}

static void case_settings(const struct wire_case *c, struct tcp_lab *l)
{
	for (u32 i = 0; i < 2 * c->n_sets; i++) {
		struct tcp_params *par = l->tp[i % 2];
		const char *key = c->sets[i / 2][0];
		int value = atoi(c->sets[i / 2][1]);

		if (strcmp(key, "tcp_ecn") == 0)
			par->ecn = value;
		else if (strcmp(key, "tcp_sack") == 0)
			par->sack = value;
		else if (strcmp(key, "tcp_dsack") == 0)
			par->dsack = value;
		else if (strcmp(key, "tcp_early_retrans") == 0)
			par->tlp = value;
		else if (strcmp(key, "tcp_frto") == 0)
			par->frto = value;
		else if (strcmp(key, "tcp_recovery") == 0)
			par->rack = RACK_ON; /* since 6.17 it cannot be turned off */
		else if (strcmp(key, "tcp_timestamps") == 0)
			par->timestamps = value;
		else
			ck_abort_msg("%s: sysctl %s", c->name, key);
	}
}

static void print_trace(const struct wire_run *r)
{
	for (u32 way = 0; way < 2; way++)
		for (u32 i = 0; i < r->got[way]->len; i++) {
			const struct token *t = &g_array_index(r->got[way], struct token, i);

			printf("%c %.1f %s\n", "><"[way], (double)t -> at / 1e6, t -> text);
		}
}

/* NULL when the traces agree, else where they part. */
static char *difference(const struct wire_run *r)
{
	for (u32 way = 0; way < 2; way++) {
		const GArray *want = r->c->want[way], *got = r->got[way];

		for (u32 i = 0; i < want->len || i < got->len; i++) {
			const struct token *a = &g_array_index(want, struct token, i);
			const struct token *b = &g_array_index(got, struct token, i);
			sim_time off;

			if (i >= want->len || i >= got->len)
				return g_strdup_printf(
					"%c%u: Linux %s, model %s at %.1f", "><"[way], i,
					i < want -> len ? a -> text : "nothing",
					i < got->len ? b->text : "nothing",
					(double)(i < got->len ? b->at : a->at) / 1e6);
			off = b->at - a->at;
			if (strcmp(a->text, b->text) || off > TOLERANCE + a->at / 20 ||
			    off < -TOLERANCE - a->at / 20)
				return g_strdup_printf("%c%u: Linux %s at %.0f, model %s at %.1f",
						       "><"[way], i, a -> text,
						       (double)a -> at / 1e6, b -> text,
						       (double)b -> at / 1e6);
		}
	}
	return NULL;
}

static char *case_run(const struct wire_case *c)
{
	const struct model_class *cc = strcmp(c->cc, "cubic") ? &tcp_reno_class : &tcp_cubic_class;
	struct tcp_lab *l = tcp_lab_new("6.18", cc);
	struct wire_run r = {.c = c, .lab = l};
	const char *show = g_getenv("TCP_WIRE");
	char *diff;

	l->client_user = &wire_client;
	l->server_user = &wire_server;
	l->arg = &r;
	l->verdict = apply;
	case_settings(c, l);
	l->tp[1]->moderate_rcvbuf = c->rcvbuf_auto;
	l->tp[0]->wmem_default = l->tp[0]->wmem_max = 8 << 20; /* all is written at once */
	for (u32 i = 0; i < 2; i++) {
		l->np[i].tso = false;
		l->tp[i]->comp_sack_slack =
			0; /* a busy machine's timers run at their soft expiry */
		l->pipe[i].delay = c->rtt / 2;
		l->pipe[i].room = 0;
		r.got[i] = g_array_new(FALSE, FALSE, sizeof(struct token));
	}
	event_init(&r.app, app_event, RANK_TIMER);
	tcp_lab_start(l);
	tcp_lab_run(l, c->seconds);
	diff = difference(&r);
	if (show && strcmp(show, c->name) == 0)
		print_trace(&r);
	event_cancel(l->lab.sim, &r.app);
	tcp_lab_free(l);
	for (u32 i = 0; i < 2; i++)
		g_array_free(r.got[i], TRUE);
	return diff;
}

START_TEST(test_as_linux)
{
	GPtrArray *cases = cases_load(TCP_WIRE_CASES);
	u32 failed = 0, run = 0;

	for (u32 i = 0; i < cases->len; i++) {
		const struct wire_case *c = cases->pdata[i];
		char *diff;

		if (!c->want[0]->len)
			continue;
		run++;
		diff = case_run(c);
		if (diff) {
			printf("%s: %s\n", c->name, diff);
			failed++;
		}
		g_free(diff);
	}
	printf("%u of %u cases differ\n", failed, run);
	fflush(stdout);
	ck_assert_uint_ge(run, 60);
	ck_assert_uint_eq(failed, 0);
	g_ptr_array_free(cases, TRUE);
}
END_TEST

CHECK_MAIN("tcp-wire", test_as_linux)
