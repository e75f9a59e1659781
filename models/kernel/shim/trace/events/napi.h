/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Nobody traces. */
#ifndef WLANQ_SHIM_TRACE_EVENTS_NAPI_H
#define WLANQ_SHIM_TRACE_EVENTS_NAPI_H

#define trace_dql_stall_detected(...) ((void)0)

#endif
