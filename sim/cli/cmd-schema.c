// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/cli.h"
#include "registry.h"
#include "scenario/show.h"

int cmd_schema(const struct command *cmd, int argc, char **argv)
{
	const GOptionEntry entries[] = {G_OPTION_ENTRY_NULL};
	char **args = cli_parse(cmd, entries, argc, argv, 0, 0);

	if (!args)
		return STATUS_USAGE;
	cli_print_json(scenario_schema(&models_builtin));
	g_strfreev(args);
	return STATUS_WELL;
}
