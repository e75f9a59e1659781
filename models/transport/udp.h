/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The UDP of a host; its sockets are in transport/sock.h. */
#ifndef WLANQ_TRANSPORT_UDP_H
#define WLANQ_TRANSPORT_UDP_H

#include "engine/model.h"

extern const struct model_class udp_class;

#endif
