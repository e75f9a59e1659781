// SPDX-License-Identifier: GPL-3.0-or-later
#include "toy-model.h"

#include "measure/micro.h"

const struct model_kind toy_kind = {"toy", "a shelf that tests build"};
const struct model_kind toy_spring_kind = {"toy_spring", "what stretches the time on a shelf"};

/* ---- springs ------------------------------------------------------------------------------- */

static int64_t stiff_stretch(struct object *spring, int64_t ns)
{
	return ns;
}

static int64_t soft_stretch(struct object *spring, int64_t ns)
{
	const struct toy_soft_params *p = spring->params;

	return ns * p->factor / MICRO;
}

static const struct toy_spring_ops stiff_ops = {.stretch = stiff_stretch};
static const struct toy_spring_ops soft_ops = {.stretch = soft_stretch};

static const struct param soft_params[] = {
	{.name = "factor",
	 .type = PARAM_DECIMAL,
	 .offset = offsetof(struct toy_soft_params, factor),
	 .def = "1.5",
	 .min = MICRO,
	 .max = 10 * MICRO,
	 .doc = "How many times longer"},
	PARAM_END,
};

const struct model_class test_toy_stiff = {
	.kind = &toy_spring_kind,
	.name = "stiff",
	.doc = "Leaves the time as it is",
	.source = "tests",
	.size = sizeof(struct object),
	.kind_ops = &stiff_ops,
};

const struct model_class test_toy_soft = {
	.kind = &toy_spring_kind,
	.name = "soft",
	.doc = "Stretches the time",
	.source = "tests",
	.size = sizeof(struct object),
	.params_size = sizeof(struct toy_soft_params),
	.params = soft_params,
	.kind_ops = &soft_ops,
};

/* ---- parameters ---------------------------------------------------------------------------- */

#define AT(member)	  .offset = offsetof(struct toy_params, member)
#define SUB(type, member) .offset = offsetof(struct type, member)

static const struct param_era count_eras[] = {{"2.6.32", "3"}, {"3.2", "10"}, {NULL, NULL}};

static const struct param_enum colours[] = {
	{"red", TOY_RED, "of fire"},
	{"green", TOY_GREEN, "of grass"},
	{"blue", TOY_BLUE, "of sky"},
	{NULL, 0, NULL},
};

static const struct param edge_fields[] = {
	{.name = "sharp", .type = PARAM_BOOL, SUB(toy_edge, sharp), .def = "false", .doc = "Cuts"},
	PARAM_END,
};

static const struct param corner_fields[] = {
	{.name = "left", .type = PARAM_INT, SUB(toy_corner, left), .def = "1", .doc = "Left side"},
	{.name = "right",
	 .type = PARAM_INT,
	 SUB(toy_corner, right),
	 .def = "2",
	 .doc = "Right side"},
	{.name = "edge",
	 .type = PARAM_STRUCT,
	 SUB(toy_corner, edge),
	 .doc = "The edge",
	 .fields = edge_fields,
	 .size = sizeof(struct toy_edge)},
	PARAM_END,
};

static const struct param step_fields[] = {
	{.name = "at",
	 .type = PARAM_TIME,
	 .flags = PARAM_REQUIRED,
	 SUB(toy_step, at),
	 .doc = "When"},
	{.name = "height",
	 .type = PARAM_METRES,
	 SUB(toy_step, height),
	 .def = "1m",
	 .doc = "How high"},
	PARAM_END,
};

static const struct param step_element[] = {
	{.name = "step",
	 .type = PARAM_STRUCT,
	 .doc = "One step",
	 .fields = step_fields,
	 .size = sizeof(struct toy_step)},
	PARAM_END,
};

static const struct param delay_element[] = {
	{.name = "delay", .type = PARAM_TIME, .min = 0, .max = SIM_SEC, .doc = "One delay"},
	PARAM_END,
};

static const struct param weight_element[] = {
	{.name = "weight", .type = PARAM_INT, .min = 0, .max = 100, .doc = "One weight"},
	PARAM_END,
};

static const struct param toy_param_table[] = {
	{.name = "on", .type = PARAM_BOOL, AT(on), .def = "true", .doc = "Whether parcels come"},
	{.name = "count",
	 .type = PARAM_INT,
	 .flags = PARAM_STRUCTURAL,
	 AT(count),
	 .def = "2",
	 .min = 1,
	 .max = TOY_SLOTS,
	 .doc = "Places on the shelf",
	 .linux_name = "toy_places",
	 .eras = count_eras},
	{.name = "period",
	 .type = PARAM_TIME,
	 .flags = PARAM_LIVE,
	 AT(period),
	 .def = "10ms",
	 .min = 1,
	 .max = 10 * SIM_SEC,
	 .doc = "Time between parcels"},
	{.name = "rate",
	 .type = PARAM_RATE,
	 .flags = PARAM_REQUIRED,
	 AT(rate),
	 .doc = "How fast a parcel is carried out"},
	{.name = "parcel",
	 .type = PARAM_BYTES,
	 AT(parcel),
	 .def = "1500B",
	 .min = 1,
	 .max = 65536,
	 .doc = "Size of a parcel"},
	{.name = "clock", .type = PARAM_HZ, AT(clock), .def = "40MHz", .doc = "Its clock"},
	{.name = "power",
	 .type = PARAM_DBM,
	 AT(power),
	 .def = "17dBm",
	 .min = -100000,
	 .max = 30000,
	 .doc = "Its power"},
	{.name = "gain", .type = PARAM_DB, AT(gain), .def = "-3dB", .doc = "Its gain"},
	{.name = "reach", .type = PARAM_METRES, AT(reach), .def = "2.5m", .doc = "Its reach"},
	{.name = "loss",
	 .type = PARAM_PROB,
	 .flags = PARAM_LIVE,
	 AT(loss),
	 .def = "10%",
	 .doc = "Chance that a parcel falls"},
	{.name = "factor", .type = PARAM_DECIMAL, AT(factor), .def = "0.25", .doc = "A number"},
	{.name = "deadline",
	 .type = PARAM_TIME,
	 AT(deadline),
	 .doc = "When to stop; not given: never"},
	{.name = "label",
	 .type = PARAM_STRING,
	 AT(label),
	 .def = "plain",
	 .doc = "What it is called"},
	{.name = "colour",
	 .type = PARAM_ENUM,
	 AT(colour),
	 .def = "green",
	 .doc = "Its colour",
	 .values = colours},
	{.name = "peer", .type = PARAM_REF, AT(peer), .doc = "Who is greeted", .kind = &toy_kind},
	{.name = "spring",
	 .type = PARAM_SLOT,
	 .flags = PARAM_STRUCTURAL,
	 AT(spring),
	 .def = "stiff",
	 .doc = "What stretches the time",
	 .kind = &toy_spring_kind},
	{.name = "corner",
	 .type = PARAM_STRUCT,
	 AT(corner),
	 .doc = "Its corner",
	 .fields = corner_fields,
	 .size = sizeof(struct toy_corner)},
	{.name = "steps",
	 .type = PARAM_LIST,
	 AT(steps),
	 .doc = "Steps up to it",
	 .fields = step_element,
	 .size = sizeof(struct toy_step)},
	{.name = "delays",
	 .type = PARAM_LIST,
	 AT(delays),
	 .def = "[1ms, 2ms]",
	 .doc = "Times on the shelf, taken in turn",
	 .fields = delay_element,
	 .size = sizeof(int64_t)},
	{.name = "weights",
	 .type = PARAM_MAP,
	 AT(weights),
	 .doc = "Weights by name",
	 .fields = weight_element,
	 .size = sizeof(int64_t)},
	{.name = "lanes",
	 .type = PARAM_PER_AC,
	 AT(lanes),
	 .def = "{vo: 2, vi: 3, be: 3, bk: 3}",
	 .min = 0,
	 .max = TOY_SLOTS,
	 .doc = "Places by category",
	 .linux_name = "qlen",
	 .element = PARAM_INT},
	{.name = "txop",
	 .type = PARAM_PER_AC,
	 AT(txop),
	 .def = "0us",
	 .doc = "Time by category",
	 .element = PARAM_TIME},
	{.name = "limit",
	 .type = PARAM_QUEUE_SIZE,
	 AT(limit),
	 .def = "1000",
	 .doc = "Limit in packets"},
	{.name = "backlog",
	 .type = PARAM_QUEUE_SIZE,
	 .flags = PARAM_UNIT_ANY,
	 AT(backlog),
	 .def = "64KiB",
	 .doc = "Limit in any unit"},
	PARAM_END,
};

/* ---- what it does -------------------------------------------------------------------------- */

enum { PART_WAIT, PART_CARRY, PART_COUNT };

static const char *const part_names[PART_COUNT] = {"wait", "carry"};

enum { CAUSE_FULL, CAUSE_FELL };

static const char *const causes[] = {"full", "fell", NULL};

static int64_t carry_time(const struct toy *toy, uint32_t bytes)
{
	const struct toy_params *p = toy->obj.params;

	return (int64_t)bytes * 8 * SIM_SEC / p->rate;
}

static void plan_leave(struct toy *toy)
{
	const struct toy_params *p = toy->obj.params;
	int64_t wait = 0;

	if (p->delays.n)
		wait = ((const int64_t *)p->delays.items)[toy->queue.out % p->delays.n];
	if (toy->spring) {
		const struct toy_spring_ops *ops = toy->spring->cls->kind_ops;

		wait = ops->stretch(toy->spring, wait);
	}
	wait += carry_time(toy, toy->shelf[toy->first].bytes);
	event_schedule_in(toy->obj.sim, &toy->leave, wait);
}

static void toy_leave(struct sim *sim, struct event *ev)
{
	struct toy *toy = container_of(ev, struct toy, leave);
	struct toy_parcel *parcel = &toy->shelf[toy->first];
	int64_t stay = sim->now - parcel->since;
	int64_t parts[PART_COUNT];

	parts[PART_CARRY] = carry_time(toy, parcel->bytes);
	parts[PART_WAIT] = stay - parts[PART_CARRY];
	toy->first = (toy->first + 1) % TOY_SLOTS;
	toy->held--;
	toy->held_in[parcel->ac]--;
	queue_stat_out(&toy->queue, sim->now, parcel->bytes, stay);
	queue_stat_out(&toy->lane[parcel->ac], sim->now, parcel->bytes, stay);
	samples_add(&toy->lap, sim->now, stay);
	histogram_add(&toy->gap, sim->now - toy->last_out, 1);
	toy->last_out = sim->now;
	anatomy_add(&toy->parts, parts);
	gauge_set(&toy->side, sim->now, toy->held > TOY_SLOTS / 2);
	sim->n_packets++;
	if (toy->held)
		plan_leave(toy);
}

static void toy_take(struct toy *toy, uint32_t ac)
{
	const struct toy_params *p = toy->obj.params;
	struct sim *sim = toy->obj.sim;
	uint32_t bytes = (uint32_t)p->parcel;

	if (toy->held == p->count) {
		queue_stat_refuse(&toy->queue, CAUSE_FULL);
		toy->lap.lost++;
		return;
	}
	queue_stat_in(&toy->queue, sim->now, bytes);
	if (draw_next_chance(&toy->luck, (uint64_t)p->loss)) {
		queue_stat_drop(&toy->queue, sim->now, bytes, CAUSE_FELL);
		toy->lap.lost++;
		return;
	}
	queue_stat_in(&toy->lane[ac], sim->now, bytes);
	toy->shelf[(toy->first + toy->held++) % TOY_SLOTS] =
		(struct toy_parcel){.since = sim->now, .bytes = bytes, .ac = ac};
	toy->held_in[ac]++;
	gauge_set(&toy->side, sim->now, toy->held > TOY_SLOTS / 2);
	if (!event_pending(&toy->leave))
		plan_leave(toy);
}

static void toy_arrive(struct sim *sim, struct event *ev)
{
	struct toy *toy = container_of(ev, struct toy, arrive);
	const struct toy_params *p = toy->obj.params;
	uint32_t ac = draw_next_below(&toy->luck, AC_COUNT);

	toy->arrivals++;
	toy_take(toy, ac);
	if (p->peer) {
		struct toy_station *station = &((struct toy *)p->peer)->stations[0];

		station->greetings++;
		queue_stat_refuse(&station->lane[ac], CAUSE_FULL);
	}
	if (p->deadline == PARAM_UNSET || sim->now + p->period < p->deadline)
		event_schedule_in(sim, ev, p->period);
}

/* ---- ops ----------------------------------------------------------------------------------- */

static void toy_check(const void *params, struct model_check *c)
{
	const struct toy_params *p = params;

	if (p->corner.left > p->corner.right)
		model_check_error(c, "corner.left", "left (%lld) must not be right of right (%lld)",
				  (long long)p->corner.left, (long long)p->corner.right);
}

static void toy_init(struct object *obj)
{
	struct toy *toy = (struct toy *)obj;
	const struct toy_params *p = obj->params;

	event_init(&toy->arrive, toy_arrive, RANK_DELIVER);
	event_init(&toy->leave, toy_leave, RANK_COMPLETE);
	draw_init(&toy->luck, obj->sim->seed, obj->path, "luck");
	queue_stat_init(&toy->queue, causes);
	for (int ac = 0; ac < AC_COUNT; ac++)
		queue_stat_init(&toy->lane[ac], NULL);
	anatomy_init(&toy->parts, part_names, PART_COUNT);
	toy->spring = object_from_slot(obj->sim, &p->spring, obj);
}

static void toy_start(struct object *obj)
{
	struct toy *toy = (struct toy *)obj;
	const struct toy_params *p = obj->params;

	toy->n_started++;
	if (p->on)
		event_schedule(obj->sim, &toy->arrive, p->period);
}

static void toy_changed(struct object *obj, const struct param *param)
{
	struct toy *toy = (struct toy *)obj;

	toy->n_changed++;
	toy->last_changed = param;
}

static void toy_station_add(struct object *obj, struct object *station)
{
	struct toy *toy = (struct toy *)obj;
	struct toy_station *record;

	SIM_CHECK(obj->sim, obj, toy->n_stations < TOY_STATIONS, "more than %d stations",
		  TOY_STATIONS);
	record = &toy->stations[toy->n_stations++];
	record->name = station->path;
	for (int ac = 0; ac < AC_COUNT; ac++)
		queue_stat_init(&record->lane[ac], causes);
}

static void toy_station_remove(struct object *obj, struct object *station)
{
	((struct toy *)obj)->n_left++;
}

static void toy_describe(const struct object *obj, struct model_describe *d)
{
	const struct toy_params *p = obj->params;

	d->queue(d->arg, "queue", p->count, -1, p->rate);
	d->note(d->arg, "a toy");
}

static void toy_audit(const struct object *obj, struct model_audit *a)
{
	static const char *const names[AC_COUNT] = {"lane.vo", "lane.vi", "lane.be", "lane.bk"};
	const struct toy *toy = (const struct toy *)obj;

	queue_stat_audit(&toy->queue, a, "queue", toy->held);
	for (int ac = 0; ac < AC_COUNT; ac++)
		queue_stat_audit(&toy->lane[ac], a, names[ac], toy->held_in[ac]);
}

static void *toy_station_record(const struct object *obj, uint32_t i, const char **name)
{
	struct toy *toy = (struct toy *)obj;

	if (i >= toy->n_stations)
		return NULL;
	*name = toy->stations[i].name;
	return &toy->stations[i];
}

static void toy_window_open(struct object *obj)
{
	((struct toy *)obj)->n_opened++;
}

static void toy_window_close(struct object *obj)
{
	((struct toy *)obj)->n_closed++;
}

static void toy_emit(const struct object *obj, int64_t window, struct model_emit *e)
{
	e->value(e->arg, "window_s", micro_ratio(window, SIM_SEC));
}

static void toy_fini(struct object *obj)
{
	struct toy *toy = (struct toy *)obj;

	if (toy->n_finished)
		++*toy->n_finished;
}

static void toy_release(struct object *obj)
{
	struct toy *toy = (struct toy *)obj;

	if (toy->n_released)
		*toy->n_released += *toy->n_finished;
}

static int64_t arrival_rate(const struct object *obj, int64_t window)
{
	return micro_ratio((__int128)((const struct toy *)obj)->arrivals * SIM_SEC, window);
}

static const struct probe probes[] = {
	{.name = "arrivals",
	 .unit = "",
	 .shape = PROBE_COUNTER,
	 .offset = offsetof(struct toy, arrivals),
	 .doc = "Parcels that came"},
	{.name = "side",
	 .unit = "",
	 .shape = PROBE_GAUGE,
	 .offset = offsetof(struct toy, side),
	 .doc = "1 while more than half of all places are taken"},
	{.name = "lap_ms",
	 .unit = "ms",
	 .shape = PROBE_SAMPLES,
	 .offset = offsetof(struct toy, lap),
	 .per = SIM_MS,
	 .doc = "Time of each parcel on the shelf"},
	{.name = "gap_ms",
	 .unit = "ms",
	 .shape = PROBE_HISTOGRAM,
	 .offset = offsetof(struct toy, gap),
	 .per = SIM_MS,
	 .doc = "Time between parcels that go"},
	{.name = "arrival_rate",
	 .unit = "1/s",
	 .shape = PROBE_VALUE,
	 .value = arrival_rate,
	 .doc = "Parcels a second"},
	{.name = "queue",
	 .unit = "",
	 .shape = PROBE_QUEUE,
	 .offset = offsetof(struct toy, queue),
	 .doc = "The shelf"},
	{.name = "lane",
	 .unit = "",
	 .shape = PROBE_QUEUE,
	 .scope = PROBE_AC,
	 .offset = offsetof(struct toy, lane),
	 .stride = sizeof(struct queue_stat),
	 .doc = "The shelf by category"},
	{.name = "parts",
	 .unit = "ms",
	 .shape = PROBE_ANATOMY,
	 .offset = offsetof(struct toy, parts),
	 .doc = "What the time on the shelf is made of"},
	{.name = "greetings",
	 .unit = "",
	 .shape = PROBE_COUNTER,
	 .scope = PROBE_STATION,
	 .offset = offsetof(struct toy_station, greetings),
	 .doc = "Greetings to a station"},
	{.name = "lane",
	 .unit = "",
	 .shape = PROBE_QUEUE,
	 .scope = PROBE_STATION,
	 .offset = offsetof(struct toy_station, lane),
	 .stride = sizeof(struct queue_stat),
	 .doc = "A station's lane by category"},
	PROBE_END,
};

static const struct model_ops ops = {
	.check = toy_check,
	.init = toy_init,
	.start = toy_start,
	.changed = toy_changed,
	.station_add = toy_station_add,
	.station_remove = toy_station_remove,
	.describe = toy_describe,
	.audit = toy_audit,
	.station = toy_station_record,
	.window_open = toy_window_open,
	.window_close = toy_window_close,
	.emit = toy_emit,
	.fini = toy_fini,
	.release = toy_release,
};

const struct model_class test_toy = {
	.kind = &toy_kind,
	.name = "toy",
	.doc = "A shelf for parcels",
	.source = "tests",
	.not_modelled = "Anything real.",
	.size = sizeof(struct toy),
	.params_size = sizeof(struct toy_params),
	.params = toy_param_table,
	.probes = probes,
	.ops = &ops,
};

static const struct model_class *const classes[] = {&test_toy, &test_toy_stiff, &test_toy_soft,
						    NULL};

const struct registry toy_registry = {.classes = classes};
