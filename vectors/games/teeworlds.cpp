// Teeworlds' own functions as a decoder, those of 0.7.5 or, with TEEWORLDS_06, of 0.6.5: `answer.mjs` compiles this with
// them.
#include "decoder.h"

#include <base/system.h>

#include <engine/shared/compression.h>
#include <engine/shared/config.h>
#include <engine/shared/huffman.h>
#include <engine/shared/network.h>
#include <engine/shared/packer.h>
#include <engine/shared/snapshot.h>

#include "texts.inc"

#ifdef TEEWORLDS_06
static const bool s_Is07 = false;
CConfiguration g_Config;
#else
#include <generated/protocol.h>
static const bool s_Is07 = true;
#endif

#include "layers.h"

alignas(16) static char s_aFrom[2 * CSnapshot::MAX_SIZE], s_aTo[2 * CSnapshot::MAX_SIZE];

/** These are written without a look at the end of the input. */
static std::string varint(const Question &q)
{
	int value;
	const unsigned char *end = CVariableInt::Unpack(q.bytes.data(), &value);
	return out("\"value\":" + std::to_string(value) + ",\"size\":" + std::to_string(end - q.bytes.data()));
}

static std::string pack(const Question &q)
{
	unsigned char packed[8];
	const unsigned char *end = CVariableInt::Pack(packed, std::stoi(q.more));
	return out("\"hex\":" + quoted(hex(packed, end - packed)));
}

// What the functions below need besides, and do not reach.
#ifdef TEEWORLDS_06
void CNetConnection::SignalResend() {}
#endif

// The datagram that the socket gives is the question.
static const Question *s_pDatagram;

static int receive(void *data, int most)
{
	const int size = s_pDatagram->bytes.size();
	memcpy(data, s_pDatagram->bytes.data(), size < most ? size : most);
	return size < most ? size : most;
}

#ifdef TEEWORLDS_06
static int unpackPacket(unsigned char *buffer, CNetPacketConstruct *packet)
{
	return CNetBase::UnpackPacket(buffer, receive(buffer, NET_MAX_PACKETSIZE), packet);
}
#else
int net_udp_recv(NETSOCKET, NETADDR *, void *pData, int MaxSize) { return receive(pData, MaxSize); }

static int unpackPacket(unsigned char *buffer, CNetPacketConstruct *packet)
{
	alignas(CConfig) static char s_aConfig[sizeof(CConfig)];
	alignas(CNetBase) static char s_aBase[sizeof(CNetBase)];
	auto *base = reinterpret_cast<CNetBase *>(s_aBase);
	base->m_pConfig = reinterpret_cast<CConfig *>(s_aConfig);
	base->m_Huffman.Init();
	NETADDR address;
	return base->UnpackPacket(&address, buffer, packet);
}
#endif

static std::string packet(const Question &q)
{
	if(q.is07() != s_Is07)
		return skip;
	// A socket cuts it to these.
	if(q.bytes.size() > NET_MAX_PACKETSIZE)
		return error("cut");
	static CNetPacketConstruct s_Packet;
	static unsigned char s_aBuffer[NET_MAX_PACKETSIZE];
	memset(s_aBuffer, 0, sizeof(s_aBuffer));
	s_pDatagram = &q;
	if(unpackPacket(s_aBuffer, &s_Packet) != 0)
		return error("refused");
	const auto &p = s_Packet;
	const std::string payload = ",\"payload\":" + quoted(hex(p.m_aChunkData, p.m_DataSize));
	if(p.m_Flags & NET_PACKETFLAG_CONNLESS)
	{
#ifdef TEEWORLDS_06
		return out("\"kind\":\"connless\"" + payload);
#else
		return out("\"kind\":\"connless\",\"token\":" + token(p.m_Token) +
			   ",\"response\":" + token(p.m_ResponseToken) + payload);
#endif
	}
	bool hasToken = s_Is07;
#ifdef TEEWORLDS_06
	hasToken = p.m_Flags & NET_PACKETFLAG_TOKEN;
#endif
	return out(std::string("\"kind\":") + (p.m_Flags & NET_PACKETFLAG_CONTROL ? "\"control\"" : "\"normal\"") +
		   ",\"resend\":" + flag(p.m_Flags & NET_PACKETFLAG_RESEND) +
		   ",\"compressed\":" + flag(p.m_Flags & NET_PACKETFLAG_COMPRESSION) +
		   ",\"ack\":" + std::to_string(p.m_Ack) + ",\"chunks\":" + std::to_string(p.m_NumChunks) +
		   (hasToken ? ",\"token\":" + token(p.m_Token) : "") + payload);
}

static std::string headText(const CNetChunkHeader &header, int size)
{
	const bool vital = header.m_Flags & NET_CHUNKFLAG_VITAL;
	return out("\"vital\":" + flag(vital) + ",\"resend\":" + flag(header.m_Flags & NET_CHUNKFLAG_RESEND) +
		   ",\"size\":" + std::to_string(header.m_Size) + ",\"header\":" + std::to_string(size) +
		   (vital ? ",\"sequence\":" + std::to_string(header.m_Sequence) : ""));
}

static std::string chunk(const Question &q)
{
	// The game does not ask whether a whole head is there.
	if(q.is07() != s_Is07 || q.bytes.size() < 2 || (q.bytes.size() < 3 && q.bytes[0] & 0x40))
		return skip;
	Bytes buffer = q.bytes;
	CNetChunkHeader header;
	const unsigned char *end = header.Unpack(buffer.data());
	return headText(header, end - buffer.data());
}

static std::string chunks(const Question &q)
{
	if(q.is07() != s_Is07)
		return skip;
	CNetRecvUnpacker unpacker;
	unpacker.m_Valid = true;
	unpacker.m_pConnection = 0;
	unpacker.m_CurrentChunk = 0;
	unpacker.m_Data.m_NumChunks = std::stoi(q.more);
	unpacker.m_Data.m_DataSize = q.bytes.size();
	memset(unpacker.m_Data.m_aChunkData, 0, sizeof(unpacker.m_Data.m_aChunkData));
	memcpy(unpacker.m_Data.m_aChunkData, q.bytes.data(), q.bytes.size());
	std::vector<std::string> found;
	CNetChunk read;
	while(unpacker.FetchChunk(&read))
	{
		const auto *data = static_cast<const unsigned char *>(read.m_pData);
		const bool vital = (data - unpacker.m_Data.m_aChunkData >= 3) && unpacker.m_Valid;
		CNetChunkHeader header;
		header.m_Flags = 0;
		// A connection looks at the sequence and tells nobody, so the head is read once more.
		if(vital)
			header.Unpack(const_cast<unsigned char *>(data - 3));
		const bool isVital = header.m_Flags & NET_CHUNKFLAG_VITAL && header.m_Size == read.m_DataSize;
		found.push_back("[" + flag(isVital) + "," + flag(isVital && header.m_Flags & NET_CHUNKFLAG_RESEND) + "," +
				(isVital ? std::to_string(header.m_Sequence) : "null") + "," + quoted(hex(data, read.m_DataSize)) +
				"]");
	}
	return out("\"chunks\":" + listed(found, [](const std::string &text) { return text; }));
}

/** False if the game's builder has no room for the items. */
static bool fill(char *buffer, const std::vector<Item> &items)
{
	static CSnapshotBuilder s_Builder;
	s_Builder.Init();
	for(const Item &item : items)
	{
		void *data = s_Builder.NewItem(item.type, item.id, 4 * item.data.size());
		if(!data)
			return false;
		memcpy(data, item.data.data(), 4 * item.data.size());
	}
	s_Builder.Finish(buffer);
	return true;
}

static std::vector<Item> itemsOf(const char *buffer)
{
	auto *snapshot = reinterpret_cast<CSnapshot *>(const_cast<char *>(buffer));
	std::vector<Item> items;
	for(int i = 0; i < snapshot->NumItems(); i++)
	{
		const auto *item = snapshot->GetItem(i);
		const int *data = const_cast<CSnapshotItem *>(item)->Data();
		items.push_back({item->m_TypeAndID >> 16, item->m_TypeAndID & 0xffff, {data, data + snapshot->GetItemSize(i) / 4}});
	}
	return items;
}

static std::string withChecksum(char *buffer)
{
	return out("\"items\":" + itemsText(itemsOf(buffer)) +
		   ",\"crc\":" + std::to_string(reinterpret_cast<CSnapshot *>(buffer)->Crc()));
}

static std::string refusedWith(int code) { return error("UnpackDelta " + std::to_string(code)); }

/** The result of a delta in `s_aTo`, below 0 if it is refused. */
static int unpackDelta(const Question &q)
{
	static CSnapshotDelta s_Delta;
	s_Delta = CSnapshotDelta();
	memset(s_Delta.m_aSnapshotDataRate, 0, sizeof(s_Delta.m_aSnapshotDataRate));
	for(size_t type = 1; type < sizes(q.protocol).size(); type++)
		s_Delta.SetStaticsize(type, 4 * sizes(q.protocol)[type]);
	const int count = unpackInts(q);
	if(count < 0)
		return count;
	memset(s_aTo, 0, sizeof(s_aTo));
	return s_Delta.UnpackDelta(reinterpret_cast<CSnapshot *>(s_aFrom), reinterpret_cast<CSnapshot *>(s_aTo), s_aInts, 4 * count);
}

/** The updates are what becomes of an empty snapshot, in the order of the delta if they are less than two. */
static std::string delta(const Question &q)
{
	if(q.is07() != s_Is07)
		return skip;
	fill(s_aFrom, {});
	const int size = unpackDelta(q);
	if(size < 0)
		return refusedWith(size);
	const std::vector<Item> updates = itemsOf(s_aTo);
	return out(updates.size() < 2 ? "\"updates\":" + itemsText(updates) : "");
}

static std::string apply(const Question &q)
{
	if(q.is07() != s_Is07 || !fill(s_aFrom, q.items()))
		return skip;
	const int size = unpackDelta(q);
	return size < 0 ? refusedWith(size) : withChecksum(s_aTo);
}

static std::string inttext(const Question &q)
{
	char text[256];
	const std::vector<int> all = q.ints();
	IntsToStr(all.data(), all.size(), text);
	return out("\"text\":" + quoted(text));
}

static Layers layers()
{
	return {{"varint", varint}, {"pack", pack}, {"ints", ints}, {"huffman", huffman}, {"compress", compress},
		{"string", string}, {"values", values}, {"packet", packet}, {"chunk", chunk}, {"chunks", chunks},
		{"delta", delta}, {"apply", apply}, {"inttext", inttext}};
}

#ifdef TEEWORLDS_06
int main()
{
	CNetBase::Init();
	s_pHuffman = &CNetBase::ms_Huffman;
	return answerLines(layers());
}
#else
// The clock of the game.
static int64 s_Now;
extern "C" int64 time_get() { return s_Now; }
extern "C" int64 time_freq() { return 1000; }
int net_udp_send(NETSOCKET, const NETADDR *, const void *, int Size) { return Size; }

/** One end of a connection that is online. */
static std::string connection(const Question &q)
{
	if(!q.is07())
		return skip;
	const Received received = receivedOf(q);
	alignas(CConfig) static char s_aConfig[sizeof(CConfig)];
	alignas(CNetBase) static char s_aBase[sizeof(CNetBase)];
	auto *base = reinterpret_cast<CNetBase *>(s_aBase);
	base->m_pConfig = reinterpret_cast<CConfig *>(s_aConfig);
	base->m_Huffman.Init();
	static CNetConnection s_Connection;
	s_Connection.Init(base, false);
	const int64 begun = s_Now;
	s_Connection.m_State = NET_CONNSTATE_ONLINE;
	s_Connection.m_LastSendTime = s_Connection.m_LastRecvTime = begun;
	s_Connection.m_Token = s_Connection.m_PeerToken = received.token;
	s_Connection.m_Ack = received.last;
	const unsigned char message[1] = {0};
	for(int i = 0; i < received.sent; i++)
		s_Connection.QueueChunk(NET_CHUNKFLAG_VITAL, sizeof(message), message);
	NETADDR address = {};
	std::vector<std::string> taken;
	for(size_t i = 0; i < received.packets.size(); i++)
	{
		const auto &[at, hexed] = received.packets[i];
		s_Now = begun + time_freq() * at;
		s_Connection.Update();
		if(s_Connection.State() != NET_CONNSTATE_ONLINE)
			break;
		Question datagram = q;
		datagram.bytes = fromHex(hexed);
		s_pDatagram = &datagram;
		static CNetPacketConstruct s_Packet;
		static unsigned char s_aBuffer[NET_MAX_PACKETSIZE];
		if(base->UnpackPacket(&address, s_aBuffer, &s_Packet) != 0 || !s_Connection.Feed(&s_Packet, &address))
			continue;
		if(s_Packet.m_Flags & NET_PACKETFLAG_CONTROL)
			continue;
		CNetRecvUnpacker unpacker;
		unpacker.m_Data = s_Packet;
		unpacker.Start(&address, &s_Connection, 0);
		CNetChunk read;
		while(unpacker.FetchChunk(&read))
			taken.push_back("[" + std::to_string(i) + "," +
					quoted(hex(static_cast<const unsigned char *>(read.m_pData), read.m_DataSize)) + "]");
	}
	const bool resend = s_Connection.m_Construct.m_Flags & NET_PACKETFLAG_RESEND;
	s_Now = begun + time_freq() * received.seconds;
	s_Connection.Update();
	return connectionText(s_Connection.State() == NET_CONNSTATE_ONLINE, taken, s_Connection.m_Ack, resend);
}

static std::string snapshot(const Question &q)
{
	if(q.more == "unpacked")
		memcpy(s_aInts, q.bytes.data(), q.bytes.size());
	const int size = q.more == "unpacked" ? q.bytes.size() : 4 * unpackInts(q);
	static CSnapshotBuilder s_Builder;
	if(size < 0 || !s_Builder.UnserializeSnap(reinterpret_cast<const char *>(s_aInts), size))
		return error("UnserializeSnap");
	s_Builder.Finish(s_aTo);
	return withChecksum(s_aTo);
}

static std::string item(const Question &q)
{
	// Those with a UUID are DDNet's.
	const std::vector<Item> items = q.items();
	if(!q.is07() || items.size() != 1)
		return skip;
	const Item &last = items.front();
	CNetObjHandler handler;
	if(handler.ValidateObj(last.type, last.data.data(), 4 * last.data.size()) != 0)
		return error("ValidateObj");
	const std::string name = handler.GetObjName(last.type);
	// Which ints are texts is not in the tables of the game.
	if(name == "De_ClientInfo")
		return out("\"name\":" + quoted(name));
	return out("\"name\":" + quoted(name) + ",\"values\":" + intsText(last.data));
}

static std::string message(const Question &q)
{
	if(!q.is07())
		return skip;
	CUnpacker unpacker;
	unpacker.Reset(q.bytes.data(), q.bytes.size());
	const int head = unpacker.GetInt();
	// Messages of the engine are read by hand, where they are handled.
	if(unpacker.Error() || head & 1)
		return skip;
	CNetObjHandler handler;
	if(!handler.SecureUnpackMsg(head >> 1, &unpacker))
		return error("SecureUnpackMsg");
	return out("\"name\":" + quoted(handler.GetMsgName(head >> 1)));
}

int main()
{
	s_pHuffman = new CHuffman;
	s_pHuffman->Init();
	Layers all = layers();
	all.insert({{"connection", connection}, {"snapshot", snapshot}, {"item", item}, {"message", message}});
	return answerLines(all);
}
#endif
