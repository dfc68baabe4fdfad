/* cc -o adapter examples/adapter.c && node check.mjs --tsv -- ./adapter */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Two layers of a decoder, -1 where they refuse. Include yours in their place. */
static int varint(const unsigned char *data, int size, int *value)
{
	int used = 1;
	if(size < 1)
		return -1;
	unsigned bits = data[0] & 0x3f;
	for(; data[used - 1] & 0x80 && used < 5; used++)
	{
		if(used >= size)
			return -1;
		bits |= (unsigned)(data[used] & (used == 4 ? 0x0f : 0x7f)) << (7 * used - 1);
	}
	*value = (int)(data[0] & 0x40 ? ~bits : bits);
	return used;
}

static int chunk(const unsigned char *data, int size, int split, int *length, int *sequence)
{
	if(size < 2 || (data[0] & 0x40 && size < 3))
		return -1;
	*length = (data[0] & 0x3f) << split | (data[1] & ((1 << split) - 1));
	*sequence = data[0] & 0x40 ? (data[1] >> split << (split + 2) & 0x3ff) | data[2] : -1;
	return data[0] & 0x40 ? 3 : 2;
}

int main(void)
{
	static char line[1 << 20];
	static unsigned char data[1 << 19];
	while(fgets(line, sizeof(line), stdin)) /* id, layer, protocol, bytes as hex, further input */
	{
		char *rest = line, *id = strsep(&rest, "\t"), *layer = strsep(&rest, "\t"), *protocol = strsep(&rest, "\t");
		int size = 0, used, value, length, sequence, pair;
		for(; sscanf(rest + 2 * size, "%2x", (unsigned *)&pair) == 1 && rest[2 * size] != '\t'; size++)
			data[size] = pair;
		if(!strcmp(layer, "varint") && (used = varint(data, size, &value)) > 0)
			printf("{\"id\":\"%s\",\"out\":{\"value\":%d,\"size\":%d}}\n", id, value, used);
		else if(!strcmp(layer, "chunk") && (used = chunk(data, size, strcmp(protocol, "0.7") ? 4 : 6, &length, &sequence)) > 0)
			printf("{\"id\":\"%s\",\"out\":{\"vital\":%s,\"resend\":%s,\"size\":%d,\"header\":%d,\"sequence\":%d}}\n", id,
				used == 3 ? "true" : "false", data[0] & 0x80 ? "true" : "false", length, used, sequence);
		else
			printf("{\"id\":\"%s\",%s}\n", id, strcmp(layer, "varint") && strcmp(layer, "chunk") ? "\"skip\":true" : "\"error\":\"\"");
	}
}
