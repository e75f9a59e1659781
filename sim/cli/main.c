// SPDX-License-Identifier: GPL-3.0-or-later
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "scenario/error.h"

static const struct command commands[] = {
	{"run", "FILE", "One run of a scenario, with its first seed.",
	 "Examples:\n"
	 "  wlanq run iwl3945-ring --set case=ring8-q0 --anatomy\n"
	 "  wlanq run my.yaml --set laptop.wlan0.ring=8 --seed 3 --json\n"
	 "  wlanq run my.yaml --pcap captures && wireshark captures/air.pcap",
	 cmd_run},
	{"sweep", "FILE",
	 "All runs of a scenario: cases x axes x seeds. Starting again does what is missing.",
	 "Examples:\n"
	 "  wlanq sweep iwl3945-ring -j 4\n"
	 "  wlanq sweep my.yaml -o /tmp/mine --shard 2/3   # the second third, into the same folder",
	 cmd_sweep},
	{"plot", "DIR", "Pictures of a sweep's results, by gnuplot.",
	 "Examples:\n"
	 "  wlanq plot results/iwl3945-ring\n"
	 "  wlanq plot results/mine --cdf ping.rtt_ms --by ring --with real.flent.gz -o rtt.svg",
	 cmd_plot},
	{"report", "DIR", "One HTML file of a sweep's results, with tables and pictures.",
	 "Example:\n  wlanq report results/iwl3945-ring", cmd_report},
	{"export", "DIR", "A sweep's results for other programs.",
	 "Examples:\n"
	 "  wlanq export results/mine --flent -o flent/\n"
	 "  wlanq export results/mine --csv > mine.csv",
	 cmd_export},
	{"compare", "BASE NEW",
	 "Is NEW better or worse than BASE? 0 same or better, 1 worse, 4 undecided.",
	 "Examples:\n"
	 "  wlanq compare results/before results/after\n"
	 "  wlanq compare real.flent.gz results/mine --json",
	 cmd_compare},
	{"check", "[FILE]...",
	 "Runs what the expectations need and judges them; without FILE all scenarios.",
	 "Example:\n  wlanq check iwl3945-ring", cmd_check},
	{"validate", "FILE", "Reads and checks a scenario, runs nothing, shows what it comes to.",
	 "Example:\n  wlanq validate my.yaml --set case=ring8-q0", cmd_validate},
	{"models", "[NAME]", "All models, or one with its parameters, probes, source and limits.",
	 "Example:\n  wlanq models fq_codel", cmd_models},
	{"core", "build|patch|test",
	 "Queue algorithms of a Linux tree in the simulator, and ours in that tree.", NULL,
	 cmd_core},
	{"schema", "", "The JSON Schema of scenarios, for editors.",
	 "Example:\n  wlanq schema > wlanq.schema.json", cmd_schema},
};

static const char head[] =
	"wlanq simulates how Linux queues packets for 802.11n/ac, from the socket to the reorder buffer.\n"
	"\n"
	"Usage: wlanq COMMAND [OPTIONS]\n"
	"\n";

static const char tail[] =
	"\n"
	"`wlanq COMMAND --help` tells more. FILE is a scenario, or the name of an installed one.\n"
	"Exit status: 0 well, 1 a check failed or it became worse, 2 wrong call or scenario,\n"
	"3 a run failed, 4 undecided.\n"
	"\n"
	"Examples:\n"
	"  wlanq validate iwl3945-ring      what will run, and where each value is from\n"
	"  wlanq sweep iwl3945-ring         all cases and seeds, into results/iwl3945-ring/\n"
	"  wlanq plot results/iwl3945-ring  the CDF\n"
	"  wlanq check iwl3945-ring         do the published numbers come out?\n";

static void print_help(FILE *f)
{
	fputs(head, f);
	for (size_t i = 0; i < G_N_ELEMENTS(commands); i++)
		fprintf(f, "  %-9s %s\n", commands[i].name, commands[i].about);
	fputs(tail, f);
}

static int unknown(const char *name)
{
	const char *names[G_N_ELEMENTS(commands)];
	const char *near;

	for (size_t i = 0; i < G_N_ELEMENTS(commands); i++)
		names[i] = commands[i].name;
	near = nearest_name(name, names, G_N_ELEMENTS(commands));
	fprintf(stderr, "wlanq: there is no command '%s'; %s%s%s\n", name,
		near ? "did you mean '" : "wlanq --help lists them", near ? near : "",
		near ? "'?" : "");
	return STATUS_USAGE;
}

static int dispatch(int argc, char **argv)
{
	if (argc < 2) {
		print_help(stderr);
		return STATUS_USAGE;
	}
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help")) {
		print_help(stdout);
		return STATUS_WELL;
	}
	if (!strcmp(argv[1], "--version")) {
		printf("wlanq %s%s%s\n", cli_version(), *cli_commit() ? " " : "", cli_commit());
		return STATUS_WELL;
	}
	for (size_t i = 0; i < G_N_ELEMENTS(commands); i++) {
		if (!strcmp(argv[1], commands[i].name))
			return commands[i].run(&commands[i], argc - 1, argv + 1);
	}
	return unknown(argv[1]);
}

int main(int argc, char **argv)
{
	int status = dispatch(argc, argv);

	/* a result that did not get out is none */
	if (fflush(stdout) || ferror(stdout)) {
		fprintf(stderr, "wlanq: stdout: %s\n", g_strerror(errno));
		return STATUS_RUN;
	}
	return status;
}
