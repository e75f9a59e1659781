// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "loader.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct linux_timer {
	struct event ev;
	struct linux_machine *machine;
	struct linux_client *client;
	u32 index;
};

struct linux_machine {
	struct sim *sim;
	struct linux_machine *next; /* of the run */
	const struct linux_library *lib;
	struct linux_copy copy;
	struct seam_boot boot;
	struct draw draw;
	u32 clients;
	bool alone; /* of one client */
	const struct object *last; /* on whose behalf it was entered last */
	bool dead;
	struct linux_timer **timers;
	u32 n_timers;
};

/* ---- libraries ------------------------------------------------------------------------------- */

static void copy_close(struct linux_copy *c)
{
	if (c->so)
		dlclose(c->so);
	if (c->fd >= 0)
		close(c->fd);
	*c = (struct linux_copy){.fd = -1};
}

static bool write_all(int fd, const char *from, size_t size)
{
	while (size) {
		ssize_t n = write(fd, from, size);

		if (n <= 0)
			return false;
		from += n;
		size -= (size_t)n;
	}
	return true;
}

/*
 * The linker tells libraries apart by file, and by the name that it was given: a file in memory, kept open as long as the
 * library, has both of its own.
 */
static bool copy_open(struct linux_copy *c, const void *image, size_t size, char *err,
		      size_t err_len)
{
	char path[40];

	*c = (struct linux_copy){.fd = memfd_create("wlanq-linux", MFD_CLOEXEC)};
	if (c->fd < 0 || !write_all(c->fd, image, size)) {
		snprintf(err, err_len, "no memory for its copy");
	} else {
		/* Not /proc/self: a debugger opens it too. */
		snprintf(path, sizeof(path), "/proc/%d/fd/%d", (int)getpid(), c->fd);
		c->so = dlopen(path, RTLD_NOW | RTLD_LOCAL);
		if (c->so)
			c->core = dlsym(c->so, SEAM_SYMBOL);
		if (c->core)
			return true;
		snprintf(err, err_len, "%s",
			 c->so ? "it is a library, but not of files of Linux" : dlerror());
	}
	copy_close(c);
	return false;
}

bool linux_library_open(struct linux_library *lib, const void *image, size_t size, char *err,
			size_t err_len)
{
	struct linux_copy c;

	if (!copy_open(&c, image, size, err, err_len))
		return false;
	if (c.core->abi != SEAM_ABI) {
		snprintf(err, err_len, "it was built by another version of wlanq");
		copy_close(&c);
		return false;
	}
	*lib = (struct linux_library){image, size, c.core, c};
	return true;
}

void linux_library_close(struct linux_library *lib)
{
	copy_close(&lib->copy);
}

bool linux_library_has(const struct linux_library *lib, const char *path)
{
	size_t len = strlen(path);

	for (const char *at = lib->core->files; (at = strstr(at, path)); at += len)
		if (at - lib->core->files >= 2 && at[-1] == ' ' && at[len] == '\n')
			return true;
	return false;
}

/* ---- what machines ask for ------------------------------------------------------------------- */

static struct linux_machine *machine_of(struct seam_boot *b)
{
	return container_of(b, struct linux_machine, boot);
}

static u32 host_draw(struct seam_boot *b, void *up)
{
	struct linux_client *c = up;
	struct draw *d = c ? &c->draw : &machine_of(b)->draw;

	return (u32)(draw_bits(d->key, d->index++) >> 32);
}

static void timer_due(struct sim *sim, struct event *ev)
{
	struct linux_timer *t = container_of(ev, struct linux_timer, ev);
	struct linux_machine *m = t->machine;
	struct linux_client *c = t->client;

	m->boot.now = sim->now;
	m->last = c ? c->obj : NULL;
	m->copy.core->fired(t->index);
	if (c && c->ops->timer_done)
		c->ops->timer_done(c);
}

static void host_timer(struct seam_boot *b, void *up, u32 index, s64 at)
{
	struct linux_machine *m = machine_of(b);
	struct sim *sim = m->sim;
	struct linux_timer *t;

	if (index >= m->n_timers) {
		u32 n = index + 16;

		m->timers = realloc(m->timers, n * sizeof(m->timers[0]));
		SIM_CHECK(sim, m->last, m->timers, "no memory for timers");
		memset(&m->timers[m->n_timers], 0, (n - m->n_timers) * sizeof(m->timers[0]));
		m->n_timers = n;
	}
	t = m->timers[index];
	if (!t) {
		t = calloc(1, sizeof(*t));
		SIM_CHECK(sim, m->last, t, "no memory for a timer");
		event_init(&t->ev, timer_due, RANK_TIMER);
		t->machine = m;
		t->index = index;
		m->timers[index] = t;
	}
	t->client = up;
	if (at < 0)
		event_cancel(sim, &t->ev);
	else
		event_schedule(sim, &t->ev, at > sim->now ? at : sim->now);
}

static void host_trap(struct seam_boot *b, const char *symbol, const char *files)
{
	struct linux_machine *m = machine_of(b);

	m->dead = true;
	sim_fail(
		m->sim, m->last,
		"Linux %s: %s called %s(), which wlanq does not supply: leave out what needs it (an "
		"option, or the patch), or write the function into models/kernel/shim/tree/ and "
		"build wlanq and the core again",
		m->copy.core->version, files, symbol);
}

static void host_bug(struct seam_boot *b, const char *file, int line, const char *what)
{
	struct linux_machine *m = machine_of(b);
	const char *base = file ? strstr(file, "/net/") : NULL;

	m->dead = true;
	if (file)
		sim_fail(m->sim, m->last, "Linux %s: %s at %s:%d", m->copy.core->version, what,
			 base ? base + 1 : file, line);
	sim_fail(m->sim, m->last, "Linux %s: %s", m->copy.core->version, what);
}

static void host_gone(struct seam_boot *b, void *up, void *cookie, enum seam_gone why)
{
	struct linux_client *c = up;

	c->ops->gone(c, cookie, why);
}

static u32 host_split(struct seam_boot *b, void *up, void *cookie, struct seam_packet *out, u32 max)
{
	struct linux_client *c = up;

	return c->ops->split(c, cookie, out, max);
}

static void *host_clone(struct seam_boot *b, void *up, void *cookie)
{
	struct linux_client *c = up;

	return c->ops->clone(c, cookie);
}

static void host_orphan(struct seam_boot *b, void *up, void *cookie)
{
	struct linux_client *c = up;

	c->ops->orphan(c, cookie);
}

static void host_wake(struct seam_boot *b, void *up)
{
	struct linux_client *c = up;

	c->ops->wake(c);
}

static void host_reduce(struct seam_boot *b, void *up, int n, int bytes)
{
	struct linux_client *c = up;

	c->ops->reduce(c, n, bytes);
}

static void host_enter_cwr(struct seam_boot *b, void *up)
{
	struct linux_client *c = up;

	c->ops->enter_cwr(c);
}

static void host_send_ack(struct seam_boot *b, void *up, u32 rcv_nxt)
{
	struct linux_client *c = up;

	c->ops->send_ack(c, rcv_nxt);
}

static void host_rates(struct seam_boot *b, void *up, void *station, const struct seam_rate *table,
		       u32 n, u32 amsdu)
{
	struct linux_client *c = up;

	c->ops->rates(c, station, table, n, amsdu);
}

static const struct seam_boot host = {
	.draw = host_draw,
	.timer = host_timer,
	.trap = host_trap,
	.bug = host_bug,
	.gone = host_gone,
	.split = host_split,
	.clone = host_clone,
	.orphan = host_orphan,
	.wake = host_wake,
	.reduce = host_reduce,
	.enter_cwr = host_enter_cwr,
	.send_ack = host_send_ack,
	.rates = host_rates,
};

/* ---- machines --------------------------------------------------------------------------------- */

static struct linux_machine *find(struct sim *sim, const struct linux_library *lib)
{
	struct linux_machine *m = sim->machines;

	while (m && (m->lib != lib || m->alone))
		m = m->next;
	return m;
}

static struct linux_machine *boot(struct object *obj, const struct linux_library *lib, bool alone)
{
	struct linux_machine *m = calloc(1, sizeof(*m));
	struct sim *sim = obj->sim;
	char err[160];

	SIM_CHECK(sim, obj, m, "no memory");
	m->sim = sim;
	m->lib = lib;
	m->last = obj;
	m->boot = host;
	m->boot.now = sim->now;
	m->next = sim->machines;
	sim->machines = m;
	/* Two trees in place of each other draw alike: the name is not the core's. */
	draw_init(&m->draw, sim->seed, alone ? obj->path : "linux", lib->core->family);
	m->alone = alone;
	m->dead = true;
	SIM_CHECK(sim, obj, copy_open(&m->copy, lib->image, lib->size, err, sizeof(err)), "%s",
		  err);
	m->dead = false;
	m->copy.core->boot(&m->boot);
	return m;
}

static void switch_off(struct linux_machine *m)
{
	struct linux_machine **at = &m->sim->machines;

	while (*at != m)
		at = &(*at)->next;
	*at = m->next;
	for (u32 i = 0; i < m->n_timers; i++) {
		if (m->timers[i])
			event_cancel(m->sim, &m->timers[i]->ev);
		free(m->timers[i]);
	}
	free(m->timers);
	if (m->copy.core)
		m->copy.core->halt();
	copy_close(&m->copy);
	free(m);
}

void linux_client_init(struct linux_client *c, struct object *obj, const struct linux_library *lib,
		       const struct linux_client_ops *ops, bool alone)
{
	struct linux_machine *m = alone ? NULL : find(obj->sim, lib);

	c->obj = obj;
	c->ops = ops;
	draw_init(&c->draw, obj->sim->seed, obj->path, "linux");
	c->machine = m ? m : boot(obj, lib, alone);
	c->machine->clients++;
}

void linux_client_fini(struct linux_client *c)
{
	if (c->machine && !--c->machine->clients)
		switch_off(c->machine);
	c->machine = NULL;
}

const struct seam_core *linux_enter(struct linux_client *c)
{
	c->machine->boot.now = c->obj->sim->now;
	c->machine->last = c->obj;
	return c->machine->copy.core;
}

bool linux_alive(const struct linux_client *c)
{
	return c->machine && !c->machine->dead;
}
