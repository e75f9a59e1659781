// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Claim: a job that crashes, hangs, exits or eats memory costs that job alone; every other is done once; a
 * signal stops the crew at once and leaves no process; many jobs need no more open files than few.
 * Set-up: jobs that are a number only; the bad ones are picked by it. Each good job writes one byte to its
 * place in shared memory.
 * Expected: exact counts. The time limit of 0.5 s ends the test within 10 s, wide because machines are shared.
 */
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check-main.h"
#include "sweep/crew.h"

#define JOBS 10000

enum { GOOD, CRASH, HANG, EXIT, EAT, KILL_PARENT };

struct fixture {
	volatile uint8_t *ran; /* how often each job was done, shared with the workers */
	uint8_t kind[JOBS];
	uint32_t done, ends[4];
	uint64_t sum;
	int files, max_files;
	char output[64];
};

static struct fixture *fixture_new(void)
{
	struct fixture *f = g_new0(struct fixture, 1);

	f->ran = mmap(NULL, JOBS, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ck_assert_ptr_ne((void *)f->ran, MAP_FAILED);
	return f;
}

static void fixture_free(struct fixture *f)
{
	munmap((void *)f->ran, JOBS);
	g_free(f);
}

static void work(void *arg, uint32_t job, struct crew_reply *reply)
{
	struct fixture *f = arg;

	f->ran[job]++;
	reply->value[0] = job;
	switch (f->kind[job]) {
	case CRASH:
		fprintf(stderr, "about to crash in job %u\n", job);
		abort();
	case HANG:
		for (;;)
			pause();
	case EXIT:
		_exit(7);
	case EAT:
		for (;;) {
			memset(malloc(8 << 20), 1, 8 << 20);
			g_usleep(2000);
		}
	case KILL_PARENT:
		kill(getppid(), SIGINT);
		pause();
	}
}

static int open_files(void)
{
	DIR *dir = opendir("/proc/self/fd");
	int n = 0;

	while (dir && readdir(dir))
		n++;
	closedir(dir);
	return n;
}

static void done(void *arg, const struct crew_report *r)
{
	struct fixture *f = arg;

	f->done++;
	f->ends[r->end]++;
	if (r->end == CREW_DONE)
		f->sum += r->reply.value[0];
	else
		g_strlcpy(f->output, r->output, sizeof(f->output));
	if (f->done % 500 == 0) {
		f->files = open_files();
		f->max_files = MAX(f->max_files, f->files);
	}
}

static const struct crew_ops ops = {.work = work, .done = done};

static uint32_t *all_jobs(uint32_t n)
{
	uint32_t *jobs = g_new(uint32_t, n);

	for (uint32_t i = 0; i < n; i++)
		jobs[i] = i;
	return jobs;
}

static int run(struct fixture *f, const struct crew_limits *limits, uint32_t n)
{
	uint32_t *jobs = all_jobs(n);
	GError *error = NULL;
	int stopped = -1;

	ck_assert(crew_run(limits, &ops, f, jobs, n, &stopped, &error));
	ck_assert_ptr_null(error);
	g_free(jobs);
	/* No child is left, not even a dead one. */
	ck_assert_int_eq(waitpid(-1, NULL, WNOHANG), -1);
	return stopped;
}

START_TEST(ten_thousand)
{
	struct crew_limits limits = {.workers = 4};
	struct fixture *f = fixture_new();
	int before = open_files();

	ck_assert_int_eq(run(f, &limits, JOBS), 0);
	ck_assert_uint_eq(f->done, JOBS);
	ck_assert_uint_eq(f->ends[CREW_DONE], JOBS);
	ck_assert_uint_eq(f->sum, (uint64_t)JOBS * (JOBS - 1) / 2);
	for (int i = 0; i < JOBS; i++)
		ck_assert_uint_eq(f->ran[i], 1);
	/* Three a worker, one for the signals, one for the folder that is being read. */
	ck_assert_int_le(f->max_files, before + 3 * 4 + 2);
	ck_assert_int_eq(open_files(), before);
	fixture_free(f);
}
END_TEST

START_TEST(bad_jobs)
{
	struct crew_limits limits = {.workers = 3, .job_ms = 500, .memory_bytes = 256ULL << 20};
	struct fixture *f = fixture_new();
	int64_t started = g_get_monotonic_time();

	f->kind[3] = f->kind[4] = f->kind[40] = CRASH;
	f->kind[10] = HANG;
	f->kind[20] = EXIT;
	f->kind[99] = HANG;
	ck_assert_int_eq(run(f, &limits, 100), 0);
	ck_assert_uint_eq(f->done, 100);
	ck_assert_uint_eq(f->ends[CREW_CRASHED], 4);
	ck_assert_uint_eq(f->ends[CREW_HUNG], 2);
	ck_assert_uint_eq(f->ends[CREW_DONE], 94);
	for (int i = 0; i < 100; i++)
		ck_assert_uint_eq(f->ran[i], 1);
	ck_assert_int_lt(g_get_monotonic_time() - started, 10 * G_USEC_PER_SEC);
	fixture_free(f);
}
END_TEST

START_TEST(memory)
{
	struct crew_limits limits = {.workers = 1, .job_ms = 20000, .memory_bytes = 128ULL << 20};
	struct fixture *f = fixture_new();

	f->kind[1] = EAT;
	ck_assert_int_eq(run(f, &limits, 3), 0);
	ck_assert_uint_eq(f->ends[CREW_OOM], 1);
	ck_assert_uint_eq(f->ends[CREW_DONE], 2);
	fixture_free(f);
}
END_TEST

START_TEST(stderr_is_told)
{
	struct crew_limits limits = {.workers = 1};
	struct fixture *f = fixture_new();

	f->kind[1] = CRASH;
	run(f, &limits, 3);
	ck_assert_str_eq(f->output, "about to crash in job 1\n");
	fixture_free(f);
}
END_TEST

START_TEST(interrupt)
{
	struct crew_limits limits = {.workers = 2};
	struct fixture *f = fixture_new();
	sigset_t before, after;

	sigprocmask(SIG_BLOCK, NULL, &before);
	f->kind[50] = KILL_PARENT;
	f->kind[51] = HANG;
	ck_assert_int_eq(run(f, &limits, 1000), SIGINT);
	ck_assert_uint_ge(f->done, 49);
	ck_assert_uint_lt(f->done, 1000);
	/* What was in flight is not told. */
	ck_assert_uint_eq(f->ends[CREW_DONE], f->done);
	sigprocmask(SIG_BLOCK, NULL, &after);
	ck_assert_int_eq(sigismember(&before, SIGINT), sigismember(&after, SIGINT));
	fixture_free(f);
}
END_TEST

START_TEST(no_jobs)
{
	struct crew_limits limits = {.workers = 2};
	struct fixture *f = fixture_new();

	ck_assert_int_eq(run(f, &limits, 0), 0);
	ck_assert_uint_eq(f->done, 0);
	fixture_free(f);
}
END_TEST

CHECK_MAIN("crew", ten_thousand, bad_jobs, memory, stderr_is_told, interrupt, no_jobs)
