// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * JSON Schema of the scenario format, from the declarations: for editors, which complete and check while one
 * writes. The reader stays the judge; the schema cannot see references, counts and cross-checks.
 */
#include <string.h>

#include "scenario/bind.h"
#include "scenario/show-param.h"
#include "scenario/show.h"
#include "scenario/units.h"

#define NUMBER	"[-+]?([0-9]+(\\.[0-9]*)?|\\.[0-9]+)([eE][-+]?[0-9]+)?"
#define NAME	"^[a-z][a-z0-9_-]*$"
#define DEF_REF "#/$defs/"

static json_t *typed(const char *type)
{
	return json_pack("{s:s}", "type", type);
}

static json_t *pattern(const char *p)
{
	return json_pack("{s:s, s:s}", "type", "string", "pattern", p);
}

static json_t *ref_to(const char *kind, const char *name)
{
	return json_pack("{s:o}", "$ref", json_sprintf("%s%s-%s", DEF_REF, kind, name));
}

/* "^NUMBER(ns|us|ms|s|min)$" */
static json_t *unit_schema(enum param_type type)
{
	char **units = g_strsplit(units_allowed(type), " ", -1);
	char *joined = g_strjoinv("|", units);
	char *text = g_strdup_printf("^" NUMBER "(%s)$", joined);
	json_t *o = pattern(text);

	g_free(text);
	g_free(joined);
	g_strfreev(units);
	return o;
}

static json_t *either(json_t *a, json_t *b)
{
	return json_pack("{s:[o, o]}", "anyOf", a, b);
}

static json_t *int_schema(const struct param *p)
{
	json_t *o = typed("integer");
	int64_t min = p->min, max = p->max;

	if (!min && !max)
		units_range(PARAM_INT, &min, &max);
	json_object_set_new(o, "minimum", json_integer(min));
	if (max != INT64_MAX)
		json_object_set_new(o, "maximum", json_integer(max));
	return o;
}

static json_t *scalar_schema(const struct param *p, enum param_type type)
{
	json_t *names;

	switch (type) {
	case PARAM_BOOL:
		return typed("boolean");
	case PARAM_INT:
		return int_schema(p);
	case PARAM_DECIMAL:
		return typed("number");
	case PARAM_PROB:
		return either(json_pack("{s:s, s:i, s:i}", "type", "number", "minimum", 0,
					"maximum", 1),
			      pattern("^" NUMBER "%$"));
	case PARAM_ENUM:
		names = json_array();
		/* a name such as 11 is a number to YAML */
		for (const struct param_enum *e = p->values; e->name; e++)
			json_array_append_new(names, json_string(e->name));
		return json_pack("{s:o}", "enum", names);
	default:
		return unit_schema(type);
	}
}

static json_t *param_schema(const struct registry *reg, const struct param *p);

static json_t *table_schema(const struct registry *reg, const struct param *table,
			    json_t *properties, json_t *required)
{
	for (; table && table->name; table++) {
		json_object_set_new(properties, table->name, param_schema(reg, table));
		if (table->flags & PARAM_REQUIRED)
			json_array_append_new(required, json_string(table->name));
	}
	return properties;
}

static json_t *object_schema(json_t *properties, json_t *required)
{
	json_t *o = json_pack("{s:s, s:o, s:b}", "type", "object", "properties", properties,
			      "additionalProperties", 0);

	if (json_array_size(required))
		json_object_set(o, "required", required);
	json_decref(required);
	return o;
}

/* NAME or {model: NAME, ...}, one branch a model of the kind. */
static json_t *slot_schema(const struct registry *reg, const struct model_kind *kind)
{
	json_t *names = json_array(), *any = json_array();

	for (const struct model_class *const *c = reg->classes; *c; c++) {
		if (strcmp((*c)->kind->name, kind->name))
			continue;
		json_array_append_new(names, json_string((*c)->name));
		json_array_append_new(any, ref_to(kind->name, (*c)->name));
	}
	if (!json_array_size(names)) {
		json_decref(names);
		json_decref(any);
		return typed("string");
	}
	json_array_insert_new(any, 0, json_pack("{s:o}", "enum", names));
	return json_pack("{s:o}", "anyOf", any);
}

static json_t *list_schema(const struct registry *reg, const struct param *p)
{
	json_t *list =
		json_pack("{s:s, s:o}", "type", "array", "items", param_schema(reg, p->fields));

	/* one reference needs no list */
	return p->fields->type == PARAM_REF ? either(list, typed("string")) : list;
}

static json_t *per_ac_schema(const struct param *p)
{
	static const char *const names[] = {"vo", "vi", "be", "bk"};
	json_t *properties = json_object();

	for (size_t i = 0; i < G_N_ELEMENTS(names); i++)
		json_object_set_new(properties, names[i], scalar_schema(p, p->element));
	return either(scalar_schema(p, p->element), object_schema(properties, json_array()));
}

static json_t *queue_schema(const struct param *p)
{
	json_t *packets = json_pack("{s:s, s:i}", "type", "integer", "minimum", 0);

	if (!(p->flags & PARAM_UNIT_ANY))
		return packets;
	return json_pack("{s:[o, o, o]}", "anyOf", packets, unit_schema(PARAM_BYTES),
			 unit_schema(PARAM_TIME));
}

static json_t *bare_schema(const struct registry *reg, const struct param *p)
{
	json_t *required;

	switch (p->type) {
	case PARAM_STRING:
	case PARAM_REF:
	case PARAM_TABLE:
		return typed("string");
	case PARAM_SLOT:
		return slot_schema(reg, p->kind);
	case PARAM_STRUCT:
		required = json_array();
		return object_schema(table_schema(reg, p->fields, json_object(), required),
				     required);
	case PARAM_LIST:
		return list_schema(reg, p);
	case PARAM_MAP:
		return json_pack("{s:s, s:o}", "type", "object", "additionalProperties",
				 param_schema(reg, p->fields));
	case PARAM_PER_AC:
		return per_ac_schema(p);
	case PARAM_QUEUE_SIZE:
		return queue_schema(p);
	default:
		return scalar_schema(p, p->type);
	}
}

static json_t *param_schema(const struct registry *reg, const struct param *p)
{
	json_t *o = bare_schema(reg, p);
	char *def = param_default_text(p);

	if (p->doc)
		json_object_set_new(o, "description",
				    *def ? json_sprintf("%s (%s%s)", p->doc,
							strcmp(def, "required") ? "default " : "",
							def)
					 : json_string(p->doc));
	g_free(def);
	return o;
}

/* ---- the format's own parts ---------------------------------------------------------------- */

/* The map of one model; @key ("model") holds its name. */
static json_t *class_schema(const struct registry *reg, const struct model_class *cls,
			    const char *key)
{
	json_t *required = json_array(), *properties = json_object(), *o;

	if (key) {
		json_object_set_new(properties, key, json_pack("{s:s}", "const", cls->name));
		json_array_append_new(required, json_string(key));
	}
	table_schema(reg, cls->params, properties, required);
	o = object_schema(properties, required);
	json_object_set_new(o, "description", json_string(cls->doc));
	return o;
}

/* Driver and netdev share the interface's map. */
static json_t *interface_schema(const struct registry *reg, const struct classes *c,
				const struct model_class *driver)
{
	json_t *required = json_array(), *properties = json_object(), *o;

	json_object_set_new(properties, "driver", json_pack("{s:s}", "const", driver->name));
	if (driver != c->def_driver)
		json_array_append_new(required, json_string("driver"));
	table_schema(reg, c->netdev ? c->netdev->params : NULL, properties, required);
	table_schema(reg, driver->params, properties, required);
	o = object_schema(properties, required);
	json_object_set_new(o, "description", json_string(driver->doc));
	return o;
}

static json_t *any_of_kind(const struct registry *reg, const char *kind)
{
	json_t *any = json_array();

	for (const struct model_class *const *c = reg->classes; *c; c++)
		if (!strcmp((*c)->kind->name, kind))
			json_array_append_new(any, ref_to(kind, (*c)->name));
	return json_array_size(any) ? json_pack("{s:o}", "anyOf", any)
				    : (json_decref(any), json_object());
}

static json_t *named_map(json_t *value)
{
	return json_pack("{s:s, s:{s:s}, s:o}", "type", "object", "propertyNames", "pattern", NAME,
			 "additionalProperties", value);
}

static json_t *era_schema(void)
{
	json_t *eras = json_array();

	for (int i = 0; scenario_eras[i]; i++)
		json_array_append_new(eras, json_string(scenario_eras[i]));
	return json_pack("{s:o}", "enum", eras);
}

static json_t *node_schema(const struct registry *reg, const struct classes *c)
{
	json_t *required = json_array(), *properties = json_object();

	table_schema(reg, c->host ? c->host->params : NULL, properties, required);
	json_object_set_new(properties, "kernel", era_schema());
	json_object_set_new(properties, "count",
			    json_pack("{s:s, s:i}", "type", "integer", "minimum", 0));
	json_object_set_new(properties, "interfaces", named_map(any_of_kind(reg, "driver")));
	for (uint32_t i = 0; i < c->n_protocols; i++)
		json_object_set_new(properties, c->protocols[i]->name,
				    ref_to("protocol", c->protocols[i]->name));
	return object_schema(properties, required);
}

static json_t *defs(const struct registry *reg, const struct classes *c)
{
	static const char *const plain[] = {"protocol", "node", "interface"};
	json_t *all = json_object();

	for (const struct model_class *const *p = reg->classes; *p; p++) {
		const char *kind = (*p)->kind->name;
		char *name = g_strdup_printf("%s-%s", kind, (*p)->name);
		bool bare = false;

		for (size_t i = 0; i < G_N_ELEMENTS(plain); i++)
			bare |= !strcmp(kind, plain[i]);
		json_object_set_new(all, name,
				    !strcmp(kind, "driver")
					    ? interface_schema(reg, c, *p)
					    : class_schema(reg, *p, bare ? NULL : "model"));
		g_free(name);
	}
	json_object_set_new(all, "node", node_schema(reg, c));
	return all;
}

static json_t *string_type(void)
{
	return typed("string");
}

/* A closed map: key, schema, ..., NULL. */
static json_t *closed(const char *key, ...)
{
	json_t *properties = json_object();
	va_list ap;

	va_start(ap, key);
	for (; key; key = va_arg(ap, const char *))
		json_object_set_new(properties, key, va_arg(ap, json_t *));
	va_end(ap);
	return object_schema(properties, json_array());
}

static json_t *list_of(json_t *items)
{
	return json_pack("{s:s, s:o}", "type", "array", "items", items);
}

/* A name out of @names, NULL at the end. */
static json_t *choice(const char *name, ...)
{
	json_t *names = json_array();
	va_list ap;

	va_start(ap, name);
	for (; name; name = va_arg(ap, const char *))
		json_array_append_new(names, json_string(name));
	va_end(ap);
	return json_pack("{s:o}", "enum", names);
}

static json_t *expect_schema(void)
{
	json_t *share = pattern("^[0-9.]+%( of .+)?$");
	json_t *o = closed("metric", string_type(), "spread", string_type(), "case", string_type(),
			   "where", typed("object"), "over", choice("mean", "each", "median", NULL),
			   "versus",
			   closed("metric", string_type(), "case", string_type(), "where",
				  typed("object"), NULL),
			   "as", choice("value", "ratio", "difference", NULL), "between",
			   list_of(typed("number")), "within", json_incref(share), "factor",
			   json_object(), "at_most", share, "window",
			   list_of(unit_schema(PARAM_TIME)), "source", string_type(), NULL);

	return list_of(o);
}

static json_t *plan_schemas(json_t *o)
{
	json_object_set_new(o, "changes",
			    list_of(closed("at", unit_schema(PARAM_TIME), "set", typed("object"),
					   "leave", string_type(), "join", string_type(), NULL)));
	json_object_set_new(o, "cases", named_map(typed("object")));
	json_object_set_new(o, "sweep",
			    json_pack("{s:s, s:{s:s, s:i}}", "type", "object",
				      "additionalProperties", "type", "array", "minItems", 1));
	json_object_set_new(o, "plots",
			    list_of(closed("cdf", string_type(), "series", string_type(), "by",
					   string_type(), "title", string_type(), NULL)));
	json_object_set_new(o, "calibration",
			    list_of(closed("set", string_type(), "value", json_object(), "on",
					   string_type(), "because", string_type(), "sensitivity",
					   pattern("^[0-9.]+%$"), NULL)));
	json_object_set_new(o, "expect", expect_schema());
	return o;
}

static json_t *top_schemas(json_t *o)
{
	json_object_set_new(o, "name", pattern(NAME));
	json_object_set_new(o, "about", string_type());
	json_object_set_new(o, "kernel", era_schema());
	json_object_set_new(o, "duration", unit_schema(PARAM_TIME));
	json_object_set_new(o, "warmup", unit_schema(PARAM_TIME));
	json_object_set_new(o, "seed", json_pack("{s:s, s:i}", "type", "integer", "minimum", 0));
	json_object_set_new(o, "repeat", json_pack("{s:s, s:i}", "type", "integer", "minimum", 1));
	json_object_set_new(o, "core", pattern(NAME));
	json_object_set_new(o, "include", either(string_type(), list_of(string_type())));
	return o;
}

json_t *scenario_schema(const struct registry *reg)
{
	struct arena *a = arena_new();
	json_t *o, *properties = json_object();
	struct classes c;

	classes_init(&c, reg, a);
	top_schemas(properties);
	json_object_set_new(properties, "nodes",
			    named_map(json_pack("{s:s}", "$ref", DEF_REF "node")));
	json_object_set_new(properties, "links", named_map(any_of_kind(reg, "link")));
	json_object_set_new(properties, "traffic", named_map(any_of_kind(reg, "traffic")));
	plan_schemas(properties);
	o = json_pack("{s:s, s:s, s:s, s:o, s:[s, s], s:b, s:o}", "$schema",
		      "https://json-schema.org/draft/2020-12/schema", "title", "wlanq scenario",
		      "type", "object", "properties", properties, "required", "name", "duration",
		      "additionalProperties", 0, "$defs", defs(reg, &c));
	arena_free(a);
	return o;
}
