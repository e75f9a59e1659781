// SPDX-License-Identifier: GPL-3.0-or-later
#include "sweep/progress.h"

#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

void progress_start(struct progress *p, const char *title, uint32_t total, bool quiet)
{
	const char *term = g_getenv("TERM");

	memset(p, 0, sizeof(*p));
	p->title = title;
	p->total = total;
	p->started = g_get_monotonic_time();
	p->shown = !quiet && isatty(STDERR_FILENO) && g_strcmp0(term, "dumb") != 0;
}

const char *progress_span(char buf[32], double seconds)
{
	unsigned long s = seconds > 0 ? (unsigned long)(seconds + 0.5) : 0;

	if (s < 60)
		g_snprintf(buf, 32, "%lu s", s);
	else if (s < 3600)
		g_snprintf(buf, 32, "%lu min %02lu s", s / 60, s % 60);
	else
		g_snprintf(buf, 32, "%lu h %02lu min", s / 3600, s % 3600 / 60);
	return buf;
}

static double elapsed(const struct progress *p)
{
	double s = (double)(g_get_monotonic_time() - p->started) / 1e6;

	return s > 1e-6 ? s : 1e-6;
}

static int columns(void)
{
	struct winsize w;

	return ioctl(STDERR_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_col > 20 ? w.ws_col : 80;
}

void progress_draw(const struct progress *p)
{
	char text[160], left[32], bar[64];
	double rate = p->done / elapsed(p);
	int room, width, full;

	if (!p->shown)
		return;
	progress_span(left, rate > 0 ? (p->total - p->done) / rate : 0);
	g_snprintf(text, sizeof(text), " %u/%u  %.*f runs/s  %s%s left", p->done, p->total,
		   rate < 10 ? 1 : 0, rate, p->failed ? "failures  " : "", p->done ? left : "?");
	room = columns() - (int)strlen(p->title) - (int)strlen(text) - 4;
	width = CLAMP(room, 0, 40);
	full = p->total ? (int)((uint64_t)p->done * (uint64_t)width / p->total) : 0;
	memset(bar, ' ', sizeof(bar));
	memset(bar, '#', (size_t)full);
	bar[width] = '\0';
	fprintf(stderr, "\r%s [%s]%s\033[K", p->title, bar, text);
	fflush(stderr);
}

void progress_message(const struct progress *p, const char *text)
{
	fprintf(stderr, "%s%s\n", p->shown ? "\r\033[K" : "", text);
	progress_draw(p);
}

void progress_end(const struct progress *p)
{
	double s = elapsed(p);

	if (!p->shown)
		return;
	fprintf(stderr, "\r%s: %u runs in %.1f s, %.3g simulated s a second", p->title, p->done, s,
		p->simulated / s);
	if (p->failed)
		fprintf(stderr, ", %u FAILED", p->failed);
	fprintf(stderr, "\033[K\n");
}
