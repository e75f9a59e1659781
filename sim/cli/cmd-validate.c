// SPDX-License-Identifier: GPL-3.0-or-later
#include <stdio.h>

#include "cli/cli.h"
#include "engine/model.h"
#include "measure/metrics.h"
#include "registry.h"
#include "scenario/build.h"
#include "scenario/show.h"

/* A network that is made to be looked at. */
struct look {
	struct sim *sim;
	struct config *config;
	struct build *build;
	struct errors *errors;
};

static void do_build(struct sim *sim, void *arg)
{
	struct look *l = arg;

	l->build = build_network(sim, l->config, l->errors);
}

static void look_clear(struct look *l)
{
	metrics_clear(l->sim);
	objects_free(l->sim);
	build_free(l->build);
	sim_free(l->sim);
	if (l->config)
		config_free(l->config);
}

static void tell_errors(const struct errors *e)
{
	GString *text = errors_text(e);

	fputs(text->str, stderr);
	g_string_free(text, TRUE);
}

/* Builds what the call means. False, with @l->errors, when it cannot be built. */
static bool look_at(struct look *l, const struct scenario *s)
{
	struct expansion *x = scenario_expand(s, l->errors);

	if (!x)
		return false;
	expansion_free(x);
	l->config = scenario_bind(s, -1, NULL, l->errors);
	if (!l->config)
		return false;
	l->sim = sim_new(l->config->seed);
	if (sim_call(l->sim, do_build, l) < 0)
		errors_add(l->errors, (struct place){.at = {.file = s->file}}, "%s", l->sim->error);
	return l->build && !errors_any(l->errors);
}

static int validate(const struct scenario *s, struct errors *errors, bool json)
{
	struct look l = {.errors = errors};
	bool ok = look_at(&l, s);

	if (ok && json)
		cli_print_json(show_config_json(s, l.config, l.sim));
	else if (ok)
		cli_print(show_config(s, l.config, l.sim));
	if (l.sim)
		look_clear(&l);
	else if (l.config)
		config_free(l.config);
	return ok ? STATUS_WELL : STATUS_USAGE;
}

int cmd_validate(const struct command *cmd, int argc, char **argv)
{
	char **sets = NULL, **cores = NULL;
	gboolean json = FALSE;
	const GOptionEntry entries[] = {
		{"set", 's', 0, G_OPTION_ARG_STRING_ARRAY, &sets,
		 "Set a parameter, or case=NAME; may be repeated", "KEY=VALUE"},
		CLI_CORE_OPTION(&cores),
		{"json", 0, 0, G_OPTION_ARG_NONE, &json, "Print JSON", NULL},
		G_OPTION_ENTRY_NULL,
	};
	char **args = cli_parse(cmd, entries, argc, argv, 1, 1);
	char *file = args ? cli_find_scenario(cmd, args[0]) : NULL;
	struct registry reg = models_builtin;
	struct scenario *s = NULL;
	struct errors errors;
	int status = STATUS_USAGE;

	errors_init(&errors);
	reg.cores = file ? cli_cores(cmd, cores) : NULL;
	if (reg.cores)
		s = scenario_load(file, &reg, (const char *const *)sets,
				  sets ? g_strv_length(sets) : 0, &errors);
	if (s)
		status = validate(s, &errors, json);
	if (errors_any(&errors) && json)
		cli_print_json(show_errors_json(&errors));
	else if (errors_any(&errors))
		tell_errors(&errors);
	if (s)
		scenario_free(s);
	errors_clear(&errors);
	cores_free(reg.cores);
	g_strfreev(cores);
	g_strfreev(sets);
	g_free(file);
	g_strfreev(args);
	return status;
}
