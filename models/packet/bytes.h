/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers as bytes: most of the net has the highest byte first, 802.11 the lowest. Each returns where to go on. */
#ifndef WLANQ_PACKET_BYTES_H
#define WLANQ_PACKET_BYTES_H

#include <string.h>

#include <linux/types.h>

static inline u8 *put_u8(u8 *to, u32 v)
{
	*to = (u8)v;
	return to + 1;
}

static inline u8 *put_be16(u8 *to, u32 v)
{
	to[0] = (u8)(v >> 8);
	to[1] = (u8)v;
	return to + 2;
}

static inline u8 *put_be32(u8 *to, u32 v)
{
	return put_be16(put_be16(to, v >> 16), v & 0xffff);
}

static inline u8 *put_le16(u8 *to, u32 v)
{
	to[0] = (u8)v;
	to[1] = (u8)(v >> 8);
	return to + 2;
}

static inline u8 *put_le32(u8 *to, u32 v)
{
	return put_le16(put_le16(to, v & 0xffff), v >> 16);
}

static inline u8 *put_le64(u8 *to, u64 v)
{
	return put_le32(put_le32(to, (u32)v), (u32)(v >> 32));
}

static inline u8 *put_bytes(u8 *to, const void *from, size_t n)
{
	memcpy(to, from, n);
	return to + n;
}

#endif
