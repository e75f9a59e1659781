/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Qdiscs that are files of a Linux tree, run as they stand (kernel/shim/seam.h). A class says which file it is and
 * what tc's options are; `core` names the tree whose file is run.
 */
#ifndef WLANQ_QDISC_LINUX_H
#define WLANQ_QDISC_LINUX_H

#include "kernel/shim/loader.h"
#include "qdisc/qdisc.h"

#define LINUX_OPTIONS_MAX 48

/* Options as they are gathered. */
struct linux_options {
	u32 n;
	struct seam_option list[LINUX_OPTIONS_MAX];
	u8 bytes[256]; /* for what .data points to */
};

void linux_option(struct linux_options *o, const char *name, int64_t value);
void linux_option_data(struct linux_options *o, const char *name, const void *data, u32 len);

/* Appends an option for each scalar of a parameter table that is set, under its name. */
void linux_options_scalars(struct linux_options *o, const struct param *table, const void *params);

struct linux_qdisc;

/* kind_ops of a class. */
struct linux_qdisc_class {
	struct qdisc_ops ops; /* LINUX_QDISC_OPS */
	/* Appends what linux_options_scalars() does not give; @o->n may be set back to 0. NULL: nothing. */
	void (*options)(const void *params, struct linux_options *o);
	/* Makes classes and puts qdiscs into them, once it is made. NULL: it has none. */
	void (*furnish)(struct linux_qdisc *f);
	/* The skb->priority that @p goes in with. NULL: its own. */
	u32 (*priority)(const struct linux_qdisc *f, const struct packet *p);
};

/* Class @minor below @parent (0: the root), with the scalars of @table as its options. Fails the run. */
void linux_qdisc_add_class(struct linux_qdisc *f, u32 minor, u32 parent, const struct param *table,
			   const void *params);
/* Puts the qdisc of @slot, a linux.* one that has nothing within itself, into class @minor. */
void linux_qdisc_graft(struct linux_qdisc *f, u32 minor, const struct slot *slot);

/* Is this slot fit for linux_qdisc_graft()? An error for @param otherwise. */
void linux_qdisc_check_child(struct model_check *c, const char *param, const struct slot *slot);

struct linux_qdisc {
	struct qdisc q;
	struct linux_client client;
	void *linux_qdisc; /* at the seam; NULL: none */
	struct seam_queue state, last;
	u32 held, held_bytes; /* what the seam has been given and has not given back */
	/* The packet being enqueued, or its segments; through skb.next. */
	struct packet *entering;
	struct seam_stat *stats, *stats_before; /* before: when the window opened */
	u32 n_before;
};

extern const struct model_ops linux_qdisc_model_ops;
extern const struct probe linux_qdisc_probes[];

#define LINUX_QDISC_OPS                                                       \
	{                                                                     \
		.causes = linux_qdisc_causes, .enqueue = linux_qdisc_enqueue, \
		.dequeue = linux_qdisc_dequeue, .peek = linux_qdisc_peek,     \
		.reset = linux_qdisc_reset, .attach = linux_qdisc_attach,     \
	}

extern const char *const linux_qdisc_causes[];
int linux_qdisc_enqueue(struct qdisc *q, struct packet *p);
struct packet *linux_qdisc_dequeue(struct qdisc *q);
const struct packet *linux_qdisc_peek(const struct qdisc *q);
void linux_qdisc_reset(struct qdisc *q);
void linux_qdisc_attach(struct qdisc *q);

void linux_qdisc_init(struct object *obj);
void linux_qdisc_changed(struct object *obj, const struct param *p);
void linux_qdisc_window_open(struct object *obj);
void linux_qdisc_emit(const struct object *obj, int64_t window, struct model_emit *e);
void linux_qdisc_fini(struct object *obj);

#define LINUX_MODEL_OPS(check_fn)                                                            \
	{                                                                                    \
		.check = check_fn, .init = linux_qdisc_init, .changed = linux_qdisc_changed, \
		.audit = qdisc_audit, .window_open = linux_qdisc_window_open,                \
		.emit = linux_qdisc_emit, .fini = linux_qdisc_fini,                          \
	}

/* An option of one number: the member .name of the parameter struct. Without a value Linux's own default holds. */
#define LINUX_PARAM(params, member, ptype, pflags, pmin, pmax, pdoc)                       \
	{                                                                                  \
		.name = #member, .type = ptype, .flags = pflags,                           \
		.offset = offsetof(params, member), .min = pmin, .max = pmax, .doc = pdoc, \
	}

#define LINUX_NOT_MODELLED                                                        \
	"Filters, actions and offload; classes are chosen by priority or flow.\n" \
	"peek is Linux's: it takes the packet out of the qdisc and keeps it, drops included."

/* What all classes have in common. */
#define LINUX_QDISC_CLASS(params_struct, table)                  \
	.kind = &kind_qdisc, .size = sizeof(struct linux_qdisc), \
	.params_size = sizeof(params_struct), .params = table, .probes = linux_qdisc_probes

#endif
