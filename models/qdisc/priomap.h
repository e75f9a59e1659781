/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The band of a priority, as pfifo_fast has it and tc gives it to prio (net/sched/sch_generic.c). */
#ifndef WLANQ_QDISC_PRIOMAP_H
#define WLANQ_QDISC_PRIOMAP_H

#define PRIO_MAX 15
#define PRIOMAP	 1, 2, 2, 2, 1, 2, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1

#endif
