// DDNet's own functions as a decoder: `answer.mjs` compiles this with them.
#include "decoder.h"

#include <base/dbg.h>
#include <base/log.h>
#include <base/mem.h>
#include <base/net.h>
#include <base/str.h>
#include <base/time.h>

#include <engine/shared/compression.h>
#include <engine/shared/config.h>
#include <engine/shared/demo.h>
#include <engine/shared/huffman.h>
#include <engine/shared/network.h>
#include <engine/shared/packer.h>
#include <engine/shared/protocol_ex.h>
#include <engine/shared/snapshot.h>
#include <engine/shared/uuid_manager.h>

#include <engine/message.h>

#include <generated/protocol.h>
#include <generated/protocol7.h>

#include "texts.inc"

#include "layers.h"

static CHuffman s_Huffman;
static CSnapshotBuffer s_From, s_To;

static std::string varint(const Question &q)
{
	int value;
	const unsigned char *end = CVariableInt::Unpack(q.bytes.data(), &value, q.bytes.size());
	if(!end)
		return error("end");
	return out("\"value\":" + std::to_string(value) + ",\"size\":" + std::to_string(end - q.bytes.data()));
}

static std::string pack(const Question &q)
{
	unsigned char packed[8];
	const unsigned char *end = CVariableInt::Pack(packed, std::stoi(q.more), sizeof(packed));
	return out("\"hex\":" + quoted(hex(packed, end - packed)));
}

static std::string uuidText(const CUuid &Uuid)
{
	char text[UUID_MAXSTRSIZE];
	FormatUuid(Uuid, text, sizeof(text));
	return quoted(text);
}

static std::string head(const Question &q)
{
	CUnpacker unpacker;
	unpacker.Reset(q.bytes.data(), q.bytes.size());
	CMsgPacker answer(1);
	int id;
	bool system;
	CUuid uuid;
	if(UnpackMessageId(&id, &system, &uuid, &unpacker, &answer) != UNPACKMESSAGE_OK)
		return error("refused");
	const std::string which = id >= OFFSET_UUID ? "\"uuid\":" + uuidText(uuid) : "\"id\":" + std::to_string(id);
	const std::string rest = quoted(hex(unpacker.m_pCurrent, unpacker.m_pEnd - unpacker.m_pCurrent));
	return out("\"system\":" + flag(system) + "," + which + ",\"rest\":" + rest);
}

static std::string packet(const Question &q)
{
	// A socket cuts it to these.
	if(q.bytes.size() > NET_MAX_PACKETSIZE)
		return error("cut");
	static CNetPacketConstruct s_Packet;
	Bytes buffer = q.bytes;
	buffer.resize(NET_MAX_PACKETSIZE);
	bool sixup = q.is07();
	SECURITY_TOKEN own = 0, response = 0;
	if(CNetBase::UnpackPacket(buffer.data(), q.bytes.size(), &s_Packet, sixup, true, &own, &response))
		return error("refused");
	const auto &p = s_Packet;
	const std::string payload = ",\"payload\":" + quoted(hex(p.m_aChunkData, p.m_DataSize));
	if(p.m_Flags & NET_PACKETFLAG_CONNLESS)
	{
		const std::string tokens = sixup ? ",\"token\":" + token(own) + ",\"response\":" + token(response) : "";
		return out("\"kind\":\"connless\"" + tokens + payload);
	}
	return out(std::string("\"kind\":") + (p.m_Flags & NET_PACKETFLAG_CONTROL ? "\"control\"" : "\"normal\"") +
		   ",\"resend\":" + flag(p.m_Flags & NET_PACKETFLAG_RESEND) +
		   ",\"compressed\":" + flag(p.m_Flags & NET_PACKETFLAG_COMPRESSION) +
		   ",\"ack\":" + std::to_string(p.m_Ack) + ",\"chunks\":" + std::to_string(p.m_NumChunks) +
		   (sixup ? ",\"token\":" + token(own) : "") + payload);
}

static std::string chunk(const Question &q)
{
	// Whether a head is there is asked by the function that calls this one.
	if(q.bytes.size() < 2 || (q.bytes.size() < 3 && q.bytes[0] & 0x40))
		return skip;
	Bytes buffer = q.bytes;
	CNetChunkHeader header;
	const unsigned char *end = header.Unpack(buffer.data(), q.is07() ? 6 : 4);
	const bool vital = header.m_Flags & NET_CHUNKFLAG_VITAL;
	return out("\"vital\":" + flag(vital) + ",\"resend\":" + flag(header.m_Flags & NET_CHUNKFLAG_RESEND) +
		   ",\"size\":" + std::to_string(header.m_Size) + ",\"header\":" + std::to_string(end - buffer.data()) +
		   (vital ? ",\"sequence\":" + std::to_string(header.m_Sequence) : ""));
}

static std::string chunks(const Question &q)
{
	alignas(CNetConnection) static unsigned char s_aMemory[sizeof(CNetConnection)];
	auto *connection = reinterpret_cast<CNetConnection *>(s_aMemory);
	connection->m_Sixup = q.is07();
	CPacketChunkUnpacker unpacker;
	unpacker.m_Valid = true;
	unpacker.m_pConnection = connection;
	unpacker.m_CurrentChunk = 0;
	unpacker.m_CurrentOffset = 0;
	unpacker.m_Data.m_NumChunks = std::stoi(q.more);
	unpacker.m_Data.m_DataSize = q.bytes.size();
	memset(unpacker.m_Data.m_aChunkData, 0, sizeof(unpacker.m_Data.m_aChunkData));
	memcpy(unpacker.m_Data.m_aChunkData, q.bytes.data(), q.bytes.size());
	std::vector<std::string> found;
	while(true)
	{
		// Any sequence is the next one: order is the connection's matter.
		connection->m_UnknownSeq = true;
		CNetChunk read;
		if(!unpacker.UnpackNextChunk(&read))
			break;
		const bool vital = read.m_Flags & NET_CHUNKFLAG_VITAL;
		found.push_back("[" + flag(vital) + "," + flag(read.m_Flags & NET_CHUNKFLAG_RESEND) + "," +
				(vital ? std::to_string(connection->m_Ack) : "null") + "," +
				quoted(hex(static_cast<const unsigned char *>(read.m_pData), read.m_DataSize)) + "]");
	}
	return out("\"chunks\":" + listed(found, [](const std::string &text) { return text; }));
}

// The clock of the game.
static int64_t s_Now;
int64_t time_get() { return s_Now; }

/** One end of a connection that is online. */
static std::string connection(const Question &q)
{
	const Received received = receivedOf(q);
	static CNetConnection s_Connection;
	const int64_t begun = s_Now;
	NETADDR address = {};
	s_Connection.Init(nullptr, false);
	const SECURITY_TOKEN token = received.hasToken ? received.token : NET_SECURITY_TOKEN_UNSUPPORTED;
	s_Connection.DirectInit(address, token, token, q.is07());
	s_Connection.m_Ack = received.last;
	const unsigned char message[1] = {0};
	for(int i = 0; i < received.sent; i++)
		s_Connection.QueueChunk(NET_CHUNKFLAG_VITAL, sizeof(message), message);
	std::vector<std::string> taken;
	for(size_t i = 0; i < received.packets.size(); i++)
	{
		const auto &[at, hexed] = received.packets[i];
		s_Now = begun + time_freq() * at;
		s_Connection.Update();
		if(s_Connection.State() != CNetConnection::EState::ONLINE)
			break;
		Bytes bytes = fromHex(hexed);
		const int size = bytes.size();
		bytes.resize(NET_MAX_PACKETSIZE);
		static CNetPacketConstruct s_Packet;
		bool sixup = q.is07();
		SECURITY_TOKEN own = NET_SECURITY_TOKEN_UNSUPPORTED, response = NET_SECURITY_TOKEN_UNSUPPORTED;
		if(CNetBase::UnpackPacket(bytes.data(), size, &s_Packet, sixup, true, &own, &response))
			continue;
		if(!s_Connection.Feed(&s_Packet, &address, own, response))
			continue;
		if(s_Packet.m_Flags & NET_PACKETFLAG_CONTROL || s_Packet.m_DataSize == 0 || s_Packet.m_NumChunks == 0)
			continue;
		CPacketChunkUnpacker unpacker;
		unpacker.FeedPacket(address, s_Packet, &s_Connection, 0);
		CNetChunk read;
		while(unpacker.UnpackNextChunk(&read))
			taken.push_back("[" + std::to_string(i) + "," +
					quoted(hex(static_cast<const unsigned char *>(read.m_pData), read.m_DataSize)) + "]");
	}
	const bool resend = s_Connection.m_Construct.m_Flags & NET_PACKETFLAG_RESEND;
	s_Now = begun + time_freq() * received.seconds;
	s_Connection.Update();
	return connectionText(s_Connection.State() == CNetConnection::EState::ONLINE, taken, s_Connection.m_Ack, resend);
}

static std::vector<Item> itemsOf(const CSnapshot *snapshot)
{
	std::vector<Item> items;
	for(int i = 0; i < snapshot->NumItems(); i++)
	{
		const CSnapshotItem *item = snapshot->GetItem(i);
		const int *data = item->Data();
		items.push_back({item->InternalType(), item->Id(), {data, data + snapshot->GetItemSize(i) / 4}});
	}
	return items;
}

static void fill(CSnapshotBuffer &buffer, const std::vector<Item> &items)
{
	const std::vector<int> all = snapshotInts(items);
	memcpy(buffer.m_aData, all.data(), 4 * all.size());
}

static std::string refusedWith(int code) { return error("UnpackDelta " + std::to_string(code)); }

/** The result of a delta in `s_To`, below 0 if it is refused. */
static int unpackDelta(const Question &q, const std::vector<Item> &base)
{
	CSnapshotDelta delta;
	for(size_t type = 1; type < sizes(q.protocol).size(); type++)
		delta.SetStaticsize(type, 4 * sizes(q.protocol)[type]);
	const int count = unpackInts(q);
	// The client looks at the first three ints without asking whether there are so many.
	if(count < 0)
		return count;
	fill(s_From, base);
	return delta.UnpackDelta(s_From.AsSnapshot(), &s_To, s_aInts, 4 * count);
}

/** The updates are what becomes of an empty snapshot. The removed keys are in no snapshot. */
static std::string delta(const Question &q)
{
	const int size = unpackDelta(q, {});
	return size < 0 ? refusedWith(size) : out("\"updates\":" + itemsText(itemsOf(s_To.AsSnapshot())));
}

static std::string withChecksum(const CSnapshot *snapshot)
{
	return out("\"items\":" + itemsText(itemsOf(snapshot)) +
		   ",\"crc\":" + std::to_string(static_cast<int>(snapshot->Crc())));
}

static std::string apply(const Question &q)
{
	const int size = unpackDelta(q, q.items());
	return size < 0 ? refusedWith(size) : withChecksum(s_To.AsSnapshot());
}

static std::string snapshot(const Question &q)
{
	if(q.more == "unpacked")
		memcpy(s_aInts, q.bytes.data(), q.bytes.size());
	const int size = q.more == "unpacked" ? q.bytes.size() : 4 * unpackInts(q);
	if(size < 0)
		return error("ints");
	const auto *snapshot = reinterpret_cast<const CSnapshot *>(s_aInts);
	return snapshot->IsValid(size) ? withChecksum(snapshot) : error("IsValid");
}

static std::string names(const Question &q)
{
	fill(s_From, q.items());
	const CSnapshot *snapshot = s_From.AsSnapshot();
	std::vector<std::string> found;
	for(int i = 0; i < snapshot->NumItems(); i++)
	{
		const int type = snapshot->GetItemType(i);
		const int internal = snapshot->GetItem(i)->InternalType();
		if(type >= OFFSET_UUID)
			found.push_back(uuidText(g_UuidManager.GetUuid(type)));
		else if(internal < CSnapshot::OFFSET_UUID_TYPE)
			found.push_back(quoted(std::to_string(type)));
		else if(snapshot->FindItem(0, internal))
			return skip; // An item of another version.
		else
			found.push_back("null");
	}
	return out("\"names\":" + listed(found, [](const std::string &text) { return text; }));
}

/** As the client does with each item of a snapshot of 0.6: values outside of their bounds are clamped. */
static std::string item(const Question &q)
{
	if(q.protocol == "0.5")
		return skip;
	fill(s_From, q.items());
	const CSnapshot *snapshot = s_From.AsSnapshot();
	const int last = snapshot->NumItems() - 1;
	const int *data = snapshot->GetItem(last)->Data();
	const int size = snapshot->GetItemSize(last);
	if(q.is07())
	{
		protocol7::CNetObjHandler handler;
		const int type = snapshot->GetItem(last)->InternalType();
		if(handler.ValidateObj(type, data, size) != 0)
			return error("ValidateObj");
		// Which ints are texts is not in the tables of the game.
		const std::string name = handler.GetObjName(type);
		if(name == "De_ClientInfo")
			return out("\"name\":" + quoted(name));
		return out("\"name\":" + quoted(name) + ",\"values\":" + intsText({data, data + size / 4}));
	}
	CNetObjHandler handler;
	const int type = snapshot->GetItemType(last);
	// An item of another version, or with fields of one.
	if(type < 0 || (type >= OFFSET_UUID && handler.GetUnpackedObjSize(type) != size))
		return skip;
	CUnpacker unpacker;
	unpacker.Reset(data, size);
	const int *secured = static_cast<const int *>(handler.SecureUnpackObj(type, &unpacker));
	if(!secured)
		return error("SecureUnpackObj");
	const std::string name = handler.GetObjName(type);
	if(name == "ClientInfo")
		return out("\"name\":" + quoted(name));
	return out("\"name\":" + quoted(name) +
		   ",\"values\":" + intsText({secured, secured + handler.GetUnpackedObjSize(type) / 4}));
}

/** The name of a message of the game that its own function reads to the end of its fields. */
template<class Handler>
static std::string messageOf(Handler &handler, int type, CUnpacker &unpacker)
{
	if(!handler.SecureUnpackMsg(type, &unpacker))
		return error("SecureUnpackMsg");
	return out("\"name\":" + quoted(handler.GetMsgName(type)));
}

static std::string message(const Question &q)
{
	if(q.protocol == "0.5")
		return skip;
	CUnpacker unpacker;
	unpacker.Reset(q.bytes.data(), q.bytes.size());
	CMsgPacker answer(1);
	int type;
	bool system;
	CUuid uuid;
	const int result = UnpackMessageId(&type, &system, &uuid, &unpacker, &answer);
	if(result == UNPACKMESSAGE_ANSWER)
		return skip;
	if(result != UNPACKMESSAGE_OK)
		return error("UnpackMessageId");
	// Messages of the engine are read by hand, where they are handled.
	if(system)
		return skip;
	if(q.is07())
	{
		protocol7::CNetObjHandler handler;
		return messageOf(handler, type, unpacker);
	}
	// These are read by hand, too: their fields are not in the tables.
	static const std::vector<int> s_vByHand = {NETMSGTYPE_SV_TUNEPARAMS, NETMSGTYPE_UNUSED, NETMSGTYPE_UNUSED2,
		NETMSGTYPE_SV_TEAMSSTATE, NETMSGTYPE_SV_TEAMSSTATELEGACY, NETMSGTYPE_CL_ISDDNETLEGACY};
	for(int byHand : s_vByHand)
		if(type == byHand)
			return skip;
	CNetObjHandler handler;
	return messageOf(handler, type, unpacker);
}

static std::string inttext(const Question &q)
{
	char text[256];
	const std::vector<int> all = q.ints();
	return IntsToStr(all.data(), all.size(), text, sizeof(text)) ? out("\"text\":" + quoted(text)) : error("UTF-8");
}

static std::string uuid(const Question &q) { return out("\"uuid\":" + uuidText(CalculateUuid(q.more.c_str()))); }

// The file that the demo player reads is the question.
static const Bytes *s_pFile;
static size_t s_FileAt;

unsigned io_read(void *, void *pBuffer, unsigned Size)
{
	const unsigned left = s_pFile->size() - s_FileAt;
	const unsigned size = Size < left ? Size : left;
	memcpy(pBuffer, s_pFile->data() + s_FileAt, size);
	s_FileAt += size;
	return size;
}

static std::string demochunk(const Question &q)
{
	alignas(CDemoPlayer) static unsigned char s_aMemory[sizeof(CDemoPlayer)];
	auto *player = reinterpret_cast<CDemoPlayer *>(s_aMemory);
	player->m_Info.m_Header.m_Version = std::stoi(q.protocol);
	s_pFile = &q.bytes;
	s_FileAt = 0;
	int type, size, tick = 0;
	if(player->ReadChunkHeader(&type, &size, &tick) != CDemoPlayer::CHUNKHEADER_SUCCESS)
		return error("ReadChunkHeader");
	const std::string header = ",\"header\":" + std::to_string(s_FileAt);
	if(type & 0x80)
	{
		const std::string ticks = s_FileAt == 1 ? "\"tick\":\"delta\",\"delta\":" : "\"tick\":\"full\",\"at\":";
		return out(ticks + std::to_string(tick) + ",\"keyframe\":" + flag(type & 0x40) + header);
	}
	static const char *const s_apKinds[] = {"unknown", "snapshot", "message", "delta"};
	return out("\"chunk\":" + quoted(s_apKinds[type & 3]) + ",\"size\":" + std::to_string(size) + header);
}

// What the recorder writes, from a size on.
static Bytes s_Written;
unsigned io_write(void *, const void *pBuffer, unsigned Size)
{
	const auto *bytes = static_cast<const unsigned char *>(pBuffer);
	s_Written.insert(s_Written.end(), bytes, bytes + Size);
	return Size;
}

static std::string demowrite(const Question &q)
{
	alignas(CDemoRecorder) static unsigned char s_aMemory[sizeof(CDemoRecorder)];
	auto *recorder = reinterpret_cast<CDemoRecorder *>(s_aMemory);
	recorder->m_File = reinterpret_cast<IOHANDLE>(s_aMemory);
	return demoWritten(q, [&](int type, const void *data, int size) { recorder->Write(type, data, size); }, s_Written);
}

// What the functions above need besides, and do not reach.
CConfig g_Config;
void dbg_msg(const char *, const char *, ...) {}
int io_flush(void *) { return 0; }
bool NETADDR::operator==(const NETADDR &) const { return true; }
void net_addr_str(const NETADDR *, char *pString, int, bool) { *pString = 0; }
int net_udp_send(NETSOCKET, const NETADDR *, const void *, int Size) { return Size; }
void log_log(LEVEL, const char *, const char *, ...) {}

/** An assertion of the game ends it. */
[[noreturn]] void dbg_assert_imp(const char *, int, const char *pMessage, ...)
{
	fprintf(stderr, "assertion: %s\n", pMessage);
	abort();
}

int main()
{
	s_Huffman.Init();
	s_pHuffman = &s_Huffman;
	CNetBase::Init();
	// The value that it has unless a server's configuration says another.
	g_Config.m_ConnTimeout = 100;
	return answerLines({{"varint", varint}, {"pack", pack}, {"ints", ints}, {"huffman", huffman}, {"compress", compress},
		{"string", string}, {"values", values}, {"head", head}, {"message", message}, {"packet", packet},
		{"chunk", chunk}, {"chunks", chunks}, {"connection", connection}, {"delta", delta}, {"apply", apply},
		{"snapshot", snapshot}, {"names", names}, {"item", item}, {"inttext", inttext}, {"uuid", uuid},
		{"demochunk", demochunk}, {"demowrite", demowrite}});
}
