// What the decoders around the games' code have in common: the lines of `check.mjs --tsv` in, answers out.
#pragma once
#include <cstdio>
#include <cstring>
#include <functional>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

using Bytes = std::vector<unsigned char>;

/** An item as the lines have it: `type id size ints…`. */
struct Item
{
	int type;
	int id;
	std::vector<int> data;
};

/** What one end of a connection is given: `token last sent seconds at:hex at:hex…`. */
struct Received
{
	bool hasToken = false;
	unsigned token = 0;
	int last = 0, sent = 0, seconds = 0;
	std::vector<std::pair<int, std::string>> packets;
};

struct Question
{
	std::string layer;
	std::string protocol;
	Bytes bytes;
	std::string more;

	bool is07() const { return protocol == "0.7"; }

	std::vector<int> ints() const
	{
		std::vector<int> all;
		std::istringstream in(more);
		for(int value; in >> value;)
			all.push_back(value);
		return all;
	}

	std::vector<Item> items() const
	{
		std::vector<Item> all;
		std::istringstream in(more);
		for(int type, id, size; in >> type >> id >> size;)
		{
			std::vector<int> data(size);
			for(int &value : data)
				in >> value;
			all.push_back({type, id, data});
		}
		return all;
	}
};

inline Received receivedOf(const Question &q)
{
	Received all;
	std::istringstream in(q.more);
	std::string token, packet;
	in >> token >> all.last >> all.sent >> all.seconds;
	all.hasToken = token != "-";
	all.token = all.hasToken ? std::stoul(token, nullptr, 16) : 0;
	while(in >> packet)
		all.packets.push_back({std::stoi(packet), packet.substr(packet.find(':') + 1)});
	return all;
}

inline std::string hex(const unsigned char *bytes, int size)
{
	std::string text;
	char pair[3];
	for(int i = 0; i < size; i++)
	{
		snprintf(pair, sizeof(pair), "%02x", bytes[i]);
		text += pair;
	}
	return text;
}

inline Bytes fromHex(const std::string &text)
{
	Bytes bytes;
	for(size_t at = 0; at + 1 < text.size(); at += 2)
		bytes.push_back(std::stoi(text.substr(at, 2), nullptr, 16));
	return bytes;
}

/** Bytes of a text that are not UTF-8 are left to the reader. */
inline std::string quoted(const std::string &text)
{
	std::string out = "\"";
	for(unsigned char c : text)
	{
		char escape[7];
		if(c < 0x20)
		{
			snprintf(escape, sizeof(escape), "\\u%04x", c);
			out += escape;
			continue;
		}
		if(c == '"' || c == '\\')
			out += '\\';
		out += c;
	}
	return out + '"';
}

template<class List, class Text>
std::string listed(const List &list, Text text)
{
	std::string out = "[";
	for(const auto &element : list)
		out += (out.size() > 1 ? "," : "") + text(element);
	return out + ']';
}

inline std::string intsText(const std::vector<int> &ints)
{
	return listed(ints, [](int value) { return std::to_string(value); });
}

inline std::string itemsText(const std::vector<Item> &items)
{
	return listed(items, [](const Item &item) {
		return "[" + std::to_string(item.type) + "," + std::to_string(item.id) + "," + intsText(item.data) + "]";
	});
}

/** The ints of a snapshot: `data_size num_items offset… { key data… }…`. */
inline std::vector<int> snapshotInts(const std::vector<Item> &items)
{
	std::vector<int> offsets, body;
	for(const Item &item : items)
	{
		offsets.push_back(4 * body.size());
		body.push_back((item.type << 16) | item.id);
		body.insert(body.end(), item.data.begin(), item.data.end());
	}
	std::vector<int> all = {static_cast<int>(4 * body.size()), static_cast<int>(items.size())};
	all.insert(all.end(), offsets.begin(), offsets.end());
	all.insert(all.end(), body.begin(), body.end());
	return all;
}

inline std::string flag(bool value) { return value ? "true" : "false"; }

inline std::string token(unsigned value)
{
	char text[9];
	snprintf(text, sizeof(text), "%08x", value);
	return quoted(text);
}

/** The sizes in ints that both sides know, by type. */
inline const std::vector<int> &sizes(const std::string &protocol)
{
	static const std::vector<int> of05 = {0, 10, 6, 5, 4, 4, 12, 15, 22, 6, 15, 2, 2, 2, 2, 3, 3, 3, 3};
	static const std::vector<int> of06 = {0, 10, 6, 5, 4, 3, 8, 4, 15, 22, 5, 17, 3, 2, 2, 2, 2, 3, 3, 3, 3};
	static const std::vector<int> of07 = {0, 10, 6, 5, 3, 3, 3, 2, 4, 15, 22, 3, 4, 58, 5, 32, 2, 2, 2, 2, 3, 3, 7};
	return protocol == "0.7" ? of07 : protocol == "0.5" ? of05 : of06;
}

inline const std::string skip = "\"skip\":true";
inline std::string out(const std::string &object) { return "\"out\":{" + object + "}"; }
inline std::string error(const std::string &why) { return "\"error\":" + quoted(why); }

/** A chunk of one int so many times, `kind int times`, as the recorder writes it: its head, and the bytes after it. */
template<class Write>
std::string demoWritten(const Question &q, Write write, Bytes &written)
{
	std::istringstream in(q.more);
	std::string kind;
	int value, times;
	in >> kind >> value >> times;
	const std::vector<int> ints(times, value);
	written.clear();
	write(kind == "snapshot" ? 1 : kind == "message" ? 2 : 3, ints.data(), 4 * times);
	if(written.empty())
		return error("nothing is written");
	const int head = (written[0] & 0x1f) < 30 ? 1 : (written[0] & 0x1f) - 28;
	return out("\"head\":" + quoted(hex(written.data(), head)) + ",\"size\":" + std::to_string(written.size() - head));
}

using Layers = std::map<std::string, std::function<std::string(const Question &)>>;

/** Answers the lines of the input one by one: what is in memory at a crash belongs to the line after the last answer. */
inline int answerLines(const Layers &layers)
{
	for(std::string line; std::getline(std::cin, line);)
	{
		std::vector<std::string> fields;
		std::istringstream in(line);
		for(std::string field; std::getline(in, field, '\t');)
			fields.push_back(field);
		fields.resize(5);
		const auto layer = layers.find(fields[1]);
		// Reserved beyond its end, so that a read of what is behind the input finds zeros and no other data.
		Question question = {fields[1], fields[2], fromHex(fields[3]), fields[4]};
		question.bytes.reserve(question.bytes.size() + 4096);
		memset(question.bytes.data() + question.bytes.size(), 0, 4096);
		const std::string found = layer == layers.end() ? skip : layer->second(question);
		std::cout << "{\"id\":" << quoted(fields[0]) << "," << found << "}\n" << std::flush;
	}
	return 0;
}
