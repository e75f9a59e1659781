// SPDX-License-Identifier: GPL-3.0-or-later
#include "scenario/captures.h"

#include <errno.h>

#include "net/netdev.h"
#include "packet/link.h"
#include "packet/wire.h"

struct captures {
	GPtrArray *files; /* struct capture */
	GPtrArray *paths;
};

static const struct place here = {.at = {.file = "--pcap"}};

static void *cannot(struct errors *errors, const char *path, int error)
{
	if (error == ELIBACC)
		errors_add(
			errors, here,
			"%s cannot be written: captures need libpcap 1.5 or later, which is not there",
			path);
	else
		errors_add(errors, here, "%s cannot be written: %s", path, g_strerror(error));
	return NULL;
}

static bool write_names(const struct build *b, const char *folder, struct errors *errors)
{
	GString *hosts = g_string_new(NULL), *ethers = g_string_new(NULL);
	const char *names[] = {"hosts", "ethers"};
	bool ok = true;

	for (uint32_t i = 0; i < b->net->n_hosts; i++) {
		const struct host *h = b->net->hosts[i];
		u8 ip[4];

		wire_address(h->id, ip);
		g_string_append_printf(hosts, "%u.%u.%u.%u %s\n", ip[0], ip[1], ip[2], ip[3],
				       h->obj.path);
	}
	for (uint32_t i = 0; i < b->net->n_devs; i++) {
		u8 mac[WIRE_MAC];

		wire_mac(b->net->devs[i]->id, mac);
		g_string_append_printf(ethers, "%02x:%02x:%02x:%02x:%02x:%02x %s\n", mac[0], mac[1],
				       mac[2], mac[3], mac[4], mac[5], b->net->devs[i]->obj.path);
	}
	for (uint32_t i = 0; ok && i < G_N_ELEMENTS(names); i++) {
		char *path = g_build_filename(folder, names[i], NULL);
		const GString *text = i ? ethers : hosts;
		GError *error = NULL;

		ok = g_file_set_contents(path, text->str, (gssize)text->len, &error);
		if (!ok)
			errors_add(errors, here, "%s", error->message);
		g_clear_error(&error);
		g_free(path);
	}
	g_string_free(hosts, TRUE);
	g_string_free(ethers, TRUE);
	return ok;
}

static bool tap(struct captures *c, struct build *b, struct object *link, const char *folder,
		uint32_t snaplen, struct errors *errors)
{
	const struct link_ops *ops = link->cls->kind_ops;
	char *name = g_strconcat(link->path, ".pcap", NULL);
	char *path = g_build_filename(folder, name, NULL);
	struct capture *out = capture_open(b->sim, path, ops->capture_type, snaplen);

	g_free(name);
	if (!out) {
		cannot(errors, path, errno);
		g_free(path);
		return false;
	}
	g_ptr_array_add(c->files, out);
	g_ptr_array_add(c->paths, path);
	ops->capture(link, out);
	return true;
}

struct captures *captures_open(struct build *b, const char *folder, uint32_t snaplen,
			       struct errors *errors)
{
	struct captures *c;
	bool ok = true;

	if (g_mkdir_with_parents(folder, 0777))
		return cannot(errors, folder, errno);
	c = g_new(struct captures, 1);
	c->files = g_ptr_array_new();
	c->paths = g_ptr_array_new_with_free_func(g_free);
	for (uint32_t i = 0; ok && i < b->config->n_links; i++) {
		struct object *link = b->config->links[i]->obj;

		if (((const struct link_ops *)link->cls->kind_ops)->capture)
			ok = tap(c, b, link, folder, snaplen, errors);
	}
	if (ok && write_names(b, folder, errors))
		return c;
	captures_close(c, NULL, 0);
	return NULL;
}

int captures_close(struct captures *c, char *error, size_t len)
{
	int result = 0;

	if (!c)
		return 0;
	for (uint32_t i = 0; i < c->files->len; i++) {
		if (capture_close(c->files->pdata[i]) == 0)
			continue;
		if (!result && error)
			g_snprintf(error, len, "%s cannot be written: %s",
				   (char *)c->paths->pdata[i], g_strerror(errno));
		result = -1;
	}
	g_ptr_array_free(c->files, TRUE);
	g_ptr_array_free(c->paths, TRUE);
	g_free(c);
	return result;
}
