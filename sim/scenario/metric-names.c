// SPDX-License-Identifier: GPL-3.0-or-later
#include "scenario/metric-names.h"

#include <string.h>

#include "scenario/bind.h"

static const char *const ac_names[AC_COUNT] = {"vo", "vi", "be", "bk"};

static const char *const stat_names[] = {"min", "mean", "p50", "p90", "p95", "p99", "max", "mdev"};

static void add(GPtrArray *list, const char *head, const char *tail)
{
	g_ptr_array_add(list, *tail ? g_strdup_printf("%s.%s", head, tail) : g_strdup(head));
}

static void add_distribution(struct metric_names *m, const char *base, bool mdev)
{
	add(m->bases, base, "");
	add(m->series, base, "");
	for (size_t i = 0; i < G_N_ELEMENTS(stat_names) - !mdev; i++)
		add(m->full, base, stat_names[i]);
}

static void add_queue(struct metric_names *m, const char *name)
{
	static const char *const parts[] = {"packets", "bytes", "sojourn_ms"};

	for (size_t i = 0; i < G_N_ELEMENTS(parts); i++) {
		char *base = g_strdup_printf("%s.%s", name, parts[i]);

		add_distribution(m, base, false);
		g_free(base);
	}
}

/* The queue NAME counts its drops beside it: PREFIX.drops.QUEUE.CAUSE. */
static void add_drops(struct metric_names *m, const char *queue)
{
	const char *dot = strrchr(queue, '.');
	char *prefix = dot ? g_strndup(queue, (gsize)(dot - queue)) : NULL, *causes;

	if (prefix) {
		causes = g_strdup_printf("drops.%s.*", dot + 1);
		add(m->full, prefix, "drops");
		add(m->full, prefix, causes);
		g_free(causes);
	}
	g_free(prefix);
}

static void add_shape(struct metric_names *m, const char *name, enum probe_shape shape)
{
	switch (shape) {
	case PROBE_COUNTER:
		add(m->full, name, "");
		add(m->series, name, "");
		/* The rate over time is made of it. */
		if (g_str_has_suffix(name, ".received_bytes")) {
			char *head = g_strndup(name, strlen(name) - strlen(".received_bytes"));

			add(m->series, head, "goodput_mbit");
			g_free(head);
		}
		break;
	case PROBE_VALUE:
	case PROBE_JAIN:
		add(m->full, name, "");
		break;
	case PROBE_GAUGE:
	case PROBE_HISTOGRAM:
		add_distribution(m, name, false);
		break;
	case PROBE_SAMPLES:
		add_distribution(m, name, true);
		break;
	case PROBE_QUEUE:
		add_queue(m, name);
		break;
	case PROBE_SHARES:
		add(m->full, name, "*");
		break;
	case PROBE_ANATOMY:
		break;
	}
}

static void add_probe(struct metric_names *m, const char *path, const struct probe *p)
{
	bool station = p->scope == PROBE_STATION;
	bool by_ac = p->scope == PROBE_AC || (station && p->stride);
	char *head = station ? g_strdup_printf("%s.sta.*", path) : g_strdup(path);
	char *name = *p->name ? g_strdup_printf("%s.%s", head, p->name) : g_strdup(head);

	if (p->shape == PROBE_QUEUE)
		add_drops(m, name);
	if (by_ac) {
		for (int ac = 0; ac < AC_COUNT; ac++) {
			char *one = g_strdup_printf("%s.%s", name, ac_names[ac]);

			add_shape(m, one, p->shape);
			g_free(one);
		}
	} else {
		add_shape(m, name, p->shape);
	}
	g_free(name);
	g_free(head);
}

/* What a group of objects has measured together: measure/probes.h, groups_each(). */
static void add_group(struct metric_names *m, const struct bound *b)
{
	for (const struct probe *p = b->cls->probes; p && p->name; p++) {
		bool single = p->scope != PROBE_INSTANCE || p->shape == PROBE_GAUGE ||
			      p->shape == PROBE_QUEUE || p->shape == PROBE_SHARES ||
			      (p->shape == PROBE_VALUE && p->over == PROBE_OVER_NONE);

		if (!single)
			add_probe(m, b->group, p);
	}
}

static void add_class(struct metric_names *m, const struct model_class *cls, const char *path)
{
	for (const struct probe *p = cls->probes; p && p->name; p++)
		add_probe(m, path, p);
	if (cls->ops && cls->ops->emit)
		add(m->open, path, "*");
}

/*
 * What a slot of an interface holds: the network makes it at the slot's own path or, once a tx queue, below it; a
 * qdisc that stands for another one (mq, default) hands its place down. mac80211 counts under the interface's name, and
 * so does what it holds.
 */
static void add_held(struct metric_names *m, const struct bound *held, const char *slot,
		     const char *interface)
{
	bool mac = !strcmp(held->cls->kind->name, "mac80211");
	char *below = g_strdup_printf("%s.*", slot);

	if (mac) {
		add_class(m, held->cls, interface);
	} else {
		add_class(m, held->cls, slot);
		add_class(m, held->cls, below);
	}
	for (uint32_t i = 0; i < held->n_values; i++)
		if (held->values[i].slot)
			add_held(m, held->values[i].slot, mac ? interface : slot, interface);
	g_free(below);
}

static int add_bound(struct bound *b, void *arg)
{
	struct metric_names *m = arg;

	add_class(m, b->cls, b->path);
	if (b->group && b->group != m->group)
		add_group(m, b);
	m->group = b->group;
	if (strcmp(b->cls->kind->name, "interface"))
		return 0;
	for (uint32_t i = 0; i < b->n_values; i++)
		if (b->values[i].slot)
			add_held(m, b->values[i].slot, b->values[i].slot->path, b->path);
	return 0;
}

static void names_new(struct metric_names *m)
{
	m->group = NULL;
	m->full = g_ptr_array_new_with_free_func(g_free);
	m->bases = g_ptr_array_new_with_free_func(g_free);
	m->series = g_ptr_array_new_with_free_func(g_free);
	m->open = g_ptr_array_new_with_free_func(g_free);
}

void metric_names_init(struct metric_names *m, const struct config *c)
{
	names_new(m);
	config_foreach(c, add_bound, m);
	g_ptr_array_add(m->full, g_strdup("run.events"));
	g_ptr_array_add(m->full, g_strdup("run.packets"));
}

void metric_names_clear(struct metric_names *m)
{
	g_ptr_array_free(m->full, TRUE);
	g_ptr_array_free(m->bases, TRUE);
	g_ptr_array_free(m->series, TRUE);
	g_ptr_array_free(m->open, TRUE);
}

static bool glob(const char *pattern, const char *name)
{
	const char *star = strchr(pattern, '*');
	size_t len = star ? (size_t)(star - pattern) : 0;

	if (!star)
		return !strcmp(pattern, name);
	if (strncmp(pattern, name, len))
		return false;
	for (name += len; *name; name++)
		if (glob(star + 1, name + 1))
			return true;
	return false;
}

bool metric_name_known(const GPtrArray *names, const char *name)
{
	for (guint i = 0; i < names->len; i++)
		if (glob(names->pdata[i], name))
			return true;
	return false;
}

/* ---- plots and expectations ---------------------------------------------------------------- */

enum wanted_as { WANTED_METRIC, WANTED_DISTRIBUTION, WANTED_SERIES };

struct wanted {
	const char *name, *what;
	struct place place;
	enum wanted_as as;
	bool known;
};

static const GPtrArray *names_as(const struct metric_names *m, enum wanted_as as)
{
	return as == WANTED_METRIC ? m->full : as == WANTED_SERIES ? m->series : m->bases;
}

static void want(GArray *list, const char *name, const char *what, struct place place,
		 enum wanted_as as)
{
	struct wanted w = {name, what, place, as, false};

	if (name)
		g_array_append_val(list, w);
}

GArray *metrics_wanted(const struct scenario *s)
{
	GArray *list = g_array_new(FALSE, FALSE, sizeof(struct wanted));

	for (uint32_t i = 0; i < s->n_plots; i++)
		want(list, s->plots[i].metric, "plots", s->plots[i].place,
		     s->plots[i].kind == PLOT_SERIES ? WANTED_SERIES : WANTED_DISTRIBUTION);
	for (uint32_t i = 0; i < s->n_expects; i++) {
		const struct expect *e = &s->expects[i];

		want(list, e->metric, "expect", e->place, WANTED_METRIC);
		if (e->versus_metric != e->metric)
			want(list, e->versus_metric, "expect.versus", e->place, WANTED_METRIC);
	}
	return list;
}

static bool is_known(const struct metric_names *m, const struct wanted *w)
{
	const GPtrArray *names = names_as(m, w->as);

	if (metric_name_known(names, w->name))
		return true;
	/* a model that counts under names of its own: anything but a near miss of what is declared */
	return metric_name_known(m->open, w->name) &&
	       !nearest_name(w->name, (const char *const *)names->pdata, names->len);
}

struct look {
	struct wanted *w;
	bool known;
};

static bool is_of(const char *name, const char *path)
{
	size_t len = path ? strlen(path) : 0;

	return len && !strncmp(name, path, len) && name[len] == '.';
}

/* Only objects, and groups of them, that the name begins with can have it. */
static int look_in(struct bound *b, void *arg)
{
	struct look *look = arg;
	struct metric_names m;

	if (!is_of(look->w->name, b->path) && !is_of(look->w->name, b->group))
		return 0;
	names_new(&m);
	add_bound(b, &m);
	look->known = is_known(&m, look->w);
	metric_names_clear(&m);
	return look->known;
}

void metrics_look(GArray *wanted, const struct config *c)
{
	for (guint i = 0; i < wanted->len; i++) {
		struct wanted *w = &g_array_index(wanted, struct wanted, i);
		struct look look = {w, false};

		if (w->known)
			continue;
		config_foreach(c, look_in, &look);
		w->known = look.known || !strcmp(w->name, "run.events") ||
			   !strcmp(w->name, "run.packets");
	}
}

void metrics_report(GArray *wanted, const struct config *c, struct errors *errors)
{
	struct metric_names m = {0};

	for (guint i = 0; i < wanted->len; i++) {
		const struct wanted *w = &g_array_index(wanted, struct wanted, i);
		const GPtrArray *names;
		const char *near;

		if (w->known)
			continue;
		/* Thousands of names of a large network: made only when there is something to tell. */
		if (!m.full)
			metric_names_init(&m, c);
		names = names_as(&m, w->as);
		near = nearest_name(w->name, (const char *const *)names->pdata, names->len);
		errors_add(errors, w->place, "%s: nothing measures '%s'%s%s%s", w->what, w->name,
			   near ? "; did you mean '"
				: "; `wlanq models NAME` tells what is measured",
			   near ? near : "", near ? "'?" : "");
	}
	if (m.full)
		metric_names_clear(&m);
}
