/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Extremum over a sliding window, kept in three samples: the best, and the best of what came after each. Kathleen
 * Nichols' algorithm as in Linux lib/win_minmax.c.
 */
#ifndef WLANQ_TRANSPORT_TCP_MINMAX_H
#define WLANQ_TRANSPORT_TCP_MINMAX_H

#include "packet/packet.h"

struct tcp_minmax {
	struct {
		u32 t, v;
	} s[3];
};

static inline void minmax_reset(struct tcp_minmax *m, u32 t, u32 v)
{
	for (u32 i = 0; i < 3; i++) {
		m->s[i].t = t;
		m->s[i].v = v;
	}
}

static inline u32 minmax_get(const struct tcp_minmax *m)
{
	return m->s[0].v;
}

/* @v at time @t, forgotten after @win; @max: the largest is kept, else the smallest. */
static inline void minmax_running(struct tcp_minmax *m, u32 win, u32 t, u32 v, bool max)
{
	u32 age;

	if ((max ? v >= m->s[0].v : v <= m->s[0].v) || t - m->s[2].t > win) {
		minmax_reset(m, t, v);
		return;
	}
	if (max ? v >= m->s[1].v : v <= m->s[1].v) {
		m->s[1].t = m->s[2].t = t;
		m->s[1].v = m->s[2].v = v;
	} else if (max ? v >= m->s[2].v : v <= m->s[2].v) {
		m->s[2].t = t;
		m->s[2].v = v;
	}
	age = t - m->s[0].t;
	if (age > win) {
		m->s[0] = m->s[1];
		m->s[1] = m->s[2];
		m->s[2].t = t;
		m->s[2].v = v;
		if (t - m->s[0].t > win) {
			m->s[0] = m->s[1];
			m->s[1] = m->s[2];
		}
	} else if (m->s[1].t == m->s[0].t && age > win / 4) {
		m->s[1].t = m->s[2].t = t;
		m->s[1].v = m->s[2].v = v;
	} else if (m->s[2].t == m->s[1].t && age > win / 2) {
		m->s[2].t = t;
		m->s[2].v = v;
	}
}

#endif
