// The layers that the classes of both games answer alike. Comes after the games' own headers.
#pragma once
#include "decoder.h"

static CHuffman *s_pHuffman;
alignas(16) static int s_aInts[4 * 65536];
static unsigned char s_aOut[65536];

/** The number of ints; -1 if the game refuses them. */
static int unpackInts(const Question &q)
{
	memset(s_aInts, 0, sizeof(s_aInts));
	const long size = CVariableInt::Decompress(q.bytes.data(), q.bytes.size(), s_aInts, sizeof(s_aInts));
	return size < 0 ? -1 : size / 4;
}

static std::string ints(const Question &q)
{
	const int count = unpackInts(q);
	return count < 0 ? error("refused") : out("\"ints\":" + intsText({s_aInts, s_aInts + count}));
}

static std::string huffman(const Question &q)
{
	const int room = q.more.empty() ? sizeof(s_aOut) : std::stoi(q.more);
	const int size = s_pHuffman->Decompress(q.bytes.data(), q.bytes.size(), s_aOut, room);
	return size < 0 ? error("refused") : out("\"hex\":" + quoted(hex(s_aOut, size)));
}

static std::string compress(const Question &q)
{
	const int size = s_pHuffman->Compress(q.bytes.data(), q.bytes.size(), s_aOut, sizeof(s_aOut));
	return out("\"hex\":" + quoted(hex(s_aOut, size)));
}

static std::string string(const Question &q)
{
	CUnpacker unpacker;
	unpacker.Reset(q.bytes.data(), q.bytes.size());
	const char *text = unpacker.GetString(0);
	if(unpacker.Error())
		return error("refused");
	return out("\"text\":" + quoted(text) + ",\"size\":" + std::to_string(strlen(text) + 1));
}

static std::string values(const Question &q)
{
	CUnpacker unpacker;
	unpacker.Reset(q.bytes.data(), q.bytes.size());
	std::vector<std::string> found;
	for(char kind : q.more)
	{
		if(kind == 'i')
			found.push_back(std::to_string(unpacker.GetInt()));
		else if(kind == 's')
			found.push_back(quoted(unpacker.GetString(0)));
		else if(kind == 'd')
		{
			const int size = unpacker.GetInt();
			const unsigned char *data = unpacker.GetRaw(size);
			found.push_back(quoted(data ? hex(data, size) : ""));
		}
		else
			return skip;
	}
	if(unpacker.Error())
		return error("refused");
	return out("\"values\":" + listed(found, [](const std::string &text) { return text; }));
}

/** @param taken pairs of a packet and a message, as JSON */
static std::string connectionText(bool isOnline, const std::vector<std::string> &taken, int ack, bool resend)
{
	const std::string all = "\"taken\":" + listed(taken, [](const std::string &text) { return text; });
	if(!isOnline)
		return out("\"state\":\"closed\"," + all);
	return out("\"state\":\"online\"," + all + ",\"ack\":" + std::to_string(ack) + ",\"resend\":" + flag(resend));
}
