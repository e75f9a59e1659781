// SPDX-License-Identifier: GPL-3.0-or-later
#include "sweep/crew.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#define TICK_MS	   200
#define WATCH_MS   50 /* how often the memory of a worker is looked at */
#define OUTPUT_MAX (16 * 1024)
/* What a worker may map beyond its limit before malloc() itself fails. */
#define HARD_SLACK (512ULL << 20)

struct worker {
	pid_t pid; /* 0: none */
	int to, from; /* the parent's ends of the pipes */
	int output; /* its stderr, a file in memory */
	bool busy;
	uint32_t job;
	int64_t started; /* us of the monotonic clock */
	enum crew_end killed_for; /* CREW_DONE: it was not killed by us */
};

struct crew {
	const struct crew_limits *limits;
	const struct crew_ops *ops;
	void *arg;
	const uint32_t *jobs;
	uint32_t next, n;
	uint32_t n_workers;
	struct worker *workers;
	struct pollfd *polls; /* one a worker, then the signals */
	int signals;
	sigset_t old_mask;
	struct sigaction old_pipe;
};

struct message {
	uint32_t job;
	struct crew_reply reply;
};

static bool read_all(int fd, void *buf, size_t len)
{
	char *p = buf;

	while (len > 0) {
		ssize_t n = read(fd, p, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		p += n;
		len -= (size_t)n;
	}
	return true;
}

static bool write_all(int fd, const void *buf, size_t len)
{
	const char *p = buf;

	while (len > 0) {
		ssize_t n = write(fd, p, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		p += n;
		len -= (size_t)n;
	}
	return true;
}

/* ---- the worker's side --------------------------------------------------------------------- */

static void worker_limits(const struct crew_limits *limits)
{
	struct rlimit none = {0, 0};

	/* `wlanq run` with the command of the row gives the core dump, if one is wanted. */
	setrlimit(RLIMIT_CORE, &none);
#if !defined(__SANITIZE_ADDRESS__)
	if (limits->memory_bytes) {
		struct rlimit data = {limits->memory_bytes + HARD_SLACK,
				      limits->memory_bytes + HARD_SLACK};

		setrlimit(RLIMIT_DATA, &data);
	}
#endif
}

static void worker_main(struct crew *c, int in, int out, int output)
{
	struct sigaction ignore = {.sa_handler = SIG_IGN};
	struct message m;
	uint32_t job;

	/* The terminal sends SIGINT to all; the parent decides. Without a parent there is no work. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	sigaction(SIGINT, &ignore, NULL);
	sigprocmask(SIG_SETMASK, &c->old_mask, NULL);
	sigaction(SIGPIPE, &c->old_pipe, NULL);
	dup2(output, STDERR_FILENO);
	for (uint32_t i = 0; i < c->n_workers; i++) {
		if (c->workers[i].pid > 0) {
			close(c->workers[i].to);
			close(c->workers[i].from);
			close(c->workers[i].output);
		}
	}
	close(c->signals);
	worker_limits(c->limits);
	while (read_all(in, &job, sizeof(job))) {
		memset(&m, 0, sizeof(m));
		m.job = job;
		c->ops->work(c->arg, job, &m.reply);
		fflush(NULL);
		if (!write_all(out, &m, sizeof(m)))
			break;
	}
	_exit(0);
}

/* ---- the parent's side --------------------------------------------------------------------- */

static bool worker_start(struct crew *c, struct worker *w, GError **error)
{
	int down[2], up[2] = {-1, -1}, output = -1;
	pid_t pid;

	if (pipe2(down, O_CLOEXEC) < 0)
		goto fail;
	if (pipe2(up, O_CLOEXEC) < 0)
		goto fail_down;
	output = memfd_create("wlanq-stderr", MFD_CLOEXEC);
	if (output < 0)
		goto fail_up;
	fcntl(output, F_SETFL, O_APPEND);
	fflush(NULL);
	pid = fork();
	if (pid < 0)
		goto fail_output;
	if (pid == 0) {
		close(down[1]);
		close(up[0]);
		worker_main(c, down[0], up[1], output);
	}
	close(down[0]);
	close(up[1]);
	*w = (struct worker){.pid = pid, .to = down[1], .from = up[0], .output = output};
	return true;

fail_output:
	close(output);
fail_up:
	close(up[0]);
	close(up[1]);
fail_down:
	close(down[0]);
	close(down[1]);
fail:
	g_set_error(error, G_FILE_ERROR, g_file_error_from_errno(errno),
		    "cannot start a worker: %s", g_strerror(errno));
	return false;
}

/* The end of what the job wrote; emptied for the next one. */
static void take_output(struct worker *w, char *buf, size_t size)
{
	off_t len = lseek(w->output, 0, SEEK_END);
	off_t from = len > (off_t)size - 1 ? len - (off_t)size + 1 : 0;
	ssize_t n = len > 0 ? pread(w->output, buf, size - 1, from) : 0;

	buf[n > 0 ? n : 0] = '\0';
	if (len > 0 && ftruncate(w->output, 0) < 0)
		lseek(w->output, 0, SEEK_SET);
}

/* Hands out the next job. */
static void worker_feed(struct crew *c, struct worker *w)
{
	if (c->next == c->n) {
		/* The end of its pipe is what tells a worker that there is no more. */
		if (w->to >= 0)
			close(w->to);
		w->to = -1;
		return;
	}
	w->job = c->jobs[c->next++];
	w->busy = true;
	w->killed_for = CREW_DONE;
	w->started = g_get_monotonic_time();
	/* A worker that died idle has not had the job: the one that takes its place will. */
	if (!write_all(w->to, &w->job, sizeof(w->job))) {
		w->busy = false;
		c->next--;
	}
}

static void tell(struct crew *c, struct worker *w, struct crew_report *r)
{
	char output[OUTPUT_MAX];

	take_output(w, output, sizeof(output));
	r->job = w->job;
	r->seconds = (double)(g_get_monotonic_time() - w->started) / 1e6;
	r->output = output;
	w->busy = false;
	c->ops->done(c->arg, r);
}

static enum crew_end why_dead(const struct crew *c, const struct worker *w,
			      const struct crew_report *r, bool alloc_failed)
{
	if (w->killed_for != CREW_DONE)
		return w->killed_for;
	if (c->limits->memory_bytes &&
	    (alloc_failed || r->peak_bytes >= c->limits->memory_bytes / 5 * 4))
		return CREW_OOM;
	return CREW_CRASHED;
}

/* Does the end of stderr say that memory ran out? GLib, the engine's pools and C++ all say so. */
static bool output_tells_oom(const struct worker *w)
{
	char buf[4096];
	off_t len = lseek(w->output, 0, SEEK_END);
	off_t from = len > (off_t)sizeof(buf) - 1 ? len - (off_t)sizeof(buf) + 1 : 0;
	ssize_t n = pread(w->output, buf, sizeof(buf) - 1, from);

	buf[n > 0 ? n : 0] = '\0';
	return strstr(buf, "failed to allocate") || strstr(buf, "out of memory") ||
	       strstr(buf, "Cannot allocate memory");
}

/* The worker has closed its pipe: bury it, tell its job's end, start another if there is work. */
static bool worker_died(struct crew *c, struct worker *w, GError **error)
{
	struct crew_report r = {0};
	struct rusage usage;
	int status = 0;

	if (wait4(w->pid, &status, 0, &usage) == w->pid)
		r.peak_bytes = (uint64_t)usage.ru_maxrss * 1024;
	r.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
	r.exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
	w->pid = 0;
	if (w->busy) {
		r.end = why_dead(c, w, &r, output_tells_oom(w));
		tell(c, w, &r);
	}
	if (w->to >= 0)
		close(w->to);
	close(w->from);
	close(w->output);
	if (c->next == c->n)
		return true;
	if (!worker_start(c, w, error))
		return false;
	worker_feed(c, w);
	return true;
}

static bool worker_readable(struct crew *c, struct worker *w, GError **error)
{
	struct crew_report r = {0};
	struct message m;

	if (!read_all(w->from, &m, sizeof(m)))
		return worker_died(c, w, error);
	r.end = CREW_DONE;
	r.reply = m.reply;
	tell(c, w, &r);
	worker_feed(c, w);
	return true;
}

static uint64_t resident_bytes(pid_t pid)
{
	char path[64], buf[128];
	unsigned long total, resident;
	ssize_t n;
	int fd;

	g_snprintf(path, sizeof(path), "/proc/%d/statm", (int)pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	n = read(fd, buf, sizeof(buf) - 1);
	close(fd);
	if (n <= 0)
		return 0;
	buf[n] = '\0';
	if (sscanf(buf, "%lu %lu", &total, &resident) != 2)
		return 0;
	return (uint64_t)resident * (uint64_t)sysconf(_SC_PAGESIZE);
}

static void enforce_limits(struct crew *c)
{
	int64_t now = g_get_monotonic_time();

	for (uint32_t i = 0; i < c->n_workers; i++) {
		struct worker *w = &c->workers[i];

		if (w->pid <= 0 || !w->busy || w->killed_for != CREW_DONE)
			continue;
		if (c->limits->job_ms && now - w->started > c->limits->job_ms * 1000)
			w->killed_for = CREW_HUNG;
		else if (c->limits->memory_bytes &&
			 resident_bytes(w->pid) > c->limits->memory_bytes)
			w->killed_for = CREW_OOM;
		if (w->killed_for != CREW_DONE)
			kill(w->pid, SIGKILL);
	}
}

static void stop_all(struct crew *c)
{
	for (uint32_t i = 0; i < c->n_workers; i++) {
		struct worker *w = &c->workers[i];

		if (w->pid <= 0)
			continue;
		if (w->busy)
			kill(w->pid, SIGKILL);
		if (w->to >= 0)
			close(w->to);
		close(w->from);
		close(w->output);
		waitpid(w->pid, NULL, 0);
		w->pid = 0;
	}
}

static uint32_t poll_set(struct crew *c)
{
	uint32_t alive = 0;

	for (uint32_t i = 0; i < c->n_workers; i++) {
		c->polls[i].fd = c->workers[i].pid > 0 ? c->workers[i].from : -1;
		c->polls[i].events = POLLIN;
		c->polls[i].revents = 0;
		alive += c->workers[i].pid > 0;
	}
	c->polls[c->n_workers] = (struct pollfd){.fd = c->signals, .events = POLLIN};
	return alive;
}

static bool crew_loop(struct crew *c, int *stopped_by, GError **error)
{
	int64_t next_watch = 0, next_tick = 0;

	while (poll_set(c) > 0) {
		int64_t now;

		if (poll(c->polls, c->n_workers + 1, WATCH_MS) < 0 && errno != EINTR)
			break;
		if (c->polls[c->n_workers].revents & POLLIN) {
			struct signalfd_siginfo info;

			if (read(c->signals, &info, sizeof(info)) == sizeof(info)) {
				*stopped_by = (int)info.ssi_signo;
				return true;
			}
		}
		for (uint32_t i = 0; i < c->n_workers; i++) {
			if ((c->polls[i].revents & (POLLIN | POLLHUP)) &&
			    !worker_readable(c, &c->workers[i], error))
				return false;
		}
		now = g_get_monotonic_time();
		if (now >= next_watch) {
			enforce_limits(c);
			next_watch = now + WATCH_MS * 1000;
		}
		if (c->ops->tick && now >= next_tick) {
			c->ops->tick(c->arg);
			next_tick = now + TICK_MS * 1000;
		}
	}
	return true;
}

bool crew_run(const struct crew_limits *limits, const struct crew_ops *ops, void *arg,
	      const uint32_t *jobs, uint32_t n, int *stopped_by, GError **error)
{
	struct crew c = {.limits = limits, .ops = ops, .arg = arg, .jobs = jobs, .n = n};
	struct sigaction ignore = {.sa_handler = SIG_IGN};
	bool ok = true;
	int stopped = 0;
	sigset_t mask;

	if (stopped_by)
		*stopped_by = 0;
	if (n == 0)
		return true;
	c.n_workers = MAX(MIN(limits->workers, n), 1);
	c.workers = g_new0(struct worker, c.n_workers);
	c.polls = g_new0(struct pollfd, c.n_workers + 1);
	sigemptyset(&mask);
	sigaddset(&mask, SIGINT);
	sigaddset(&mask, SIGTERM);
	sigprocmask(SIG_BLOCK, &mask, &c.old_mask);
	sigaction(SIGPIPE, &ignore, &c.old_pipe);
	c.signals = signalfd(-1, &mask, SFD_CLOEXEC | SFD_NONBLOCK);
	for (uint32_t i = 0; ok && i < c.n_workers; i++) {
		ok = worker_start(&c, &c.workers[i], error);
		if (ok)
			worker_feed(&c, &c.workers[i]);
	}
	if (ok)
		ok = crew_loop(&c, &stopped, error);
	stop_all(&c);
	close(c.signals);
	sigaction(SIGPIPE, &c.old_pipe, NULL);
	sigprocmask(SIG_SETMASK, &c.old_mask, NULL);
	g_free(c.workers);
	g_free(c.polls);
	if (stopped_by)
		*stopped_by = stopped;
	return ok;
}

uint32_t crew_cpus(void)
{
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof(set), &set) == 0 && CPU_COUNT(&set) > 0)
		return (uint32_t)CPU_COUNT(&set);
	return 1;
}
