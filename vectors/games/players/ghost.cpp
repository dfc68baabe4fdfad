// ghost-oracle FILE...: loads ghosts with the game's own loader and prints one JSON line for each. The map of the ghost
// is taken to be the one that is played. Own text only; what is included is taken from the game's sources at build time.
#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <unordered_map>
#include <vector>
#define private public
#define protected public
#if __has_include(<base/io.h>)
#include <base/io.h>
#include <base/str.h>
#include <base/mem.h>
#else
#include <base/system.h>
#endif
#if __has_include(<base/log.h>)
#include <base/log.h>
#include <base/logger.h>
#define HAS_LOG
#endif
#include <engine/client/ghost.h>
#include <engine/console.h>
#include <engine/shared/config.h>
#include <engine/shared/network.h>
#include <engine/storage.h>
#undef private
#undef protected

static std::string gs_Said;
static long gs_Closed = -1;
static void Say(const char *pFrom, const char *pStr)
{
	if(!strncmp(pFrom, "ghost", 5))
		gs_Said = pStr;
}
#include "console-stub.h"

CConfig g_Config;

#ifdef BASE_IS_C
extern "C"
#endif
int oracle_io_close(IOHANDLE File)
{
	gs_Closed = io_tell(File);
	return io_close(File);
}

static IOHANDLE OpenForOracle(const char *pFilename, int Flags)
{
	return io_open(pFilename, IOFLAG_READ);
}
#include "storage-stub.h"

#ifdef HAS_LOG
class CSaid : public ILogger
{
public:
	void Log(const CLogMessage *pMessage) override { Say(pMessage->m_aSystem, pMessage->Message()); }
};
#endif

static unsigned char gs_aHeader[256];
static SHA256_DIGEST OwnSha256()
{
	SHA256_DIGEST Sha256;
	memcpy(Sha256.data, gs_aHeader + 101, sizeof(Sha256.data));
	return Sha256;
}
static unsigned OwnCrc() { return gs_aHeader[89] << 24 | gs_aHeader[90] << 16 | gs_aHeader[91] << 8 | gs_aHeader[92]; }

struct CMapOfGhost
{
	const char *BaseName() { return (const char *)gs_aHeader + 25; }
	SHA256_DIGEST Sha256() { return OwnSha256(); }
	unsigned Crc() { return OwnCrc(); }
	CMapOfGhost *Map() { return this; }
	const char *GetCurrentMap() { return BaseName(); }
	SHA256_DIGEST GetCurrentMapSha256() { return OwnSha256(); }
	unsigned GetCurrentMapCrc() { return OwnCrc(); }
};
static CMapOfGhost gs_Map;
static CConsoleStub gs_Console;
static CStorageStub gs_Storage;
static CGhostLoader gs_Loader;

#include "ghost-items.inc"

class CGhost
{
public:
#include "ghost-path.inc"
	class CGhostItem
	{
	public:
		CGhostSkin m_Skin;
		CGhostPath m_Path;
		int m_StartTick;
		char m_aPlayer[MAX_NAME_LENGTH];
		CGhostItem() { Reset(); }
		void Reset()
		{
			m_Path.Reset();
			m_StartTick = -1;
		}
	};
	CGhostItem m_aActiveGhosts[1];
	IGhostLoader *GhostLoader() { return &gs_Loader; }
	IConsole *Console() { return &gs_Console; }
	CMapOfGhost *Client() { return &gs_Map; }
	CMapOfGhost *GameClient() { return &gs_Map; }
	int GetSlot() { return 0; }
	template<typename... T> void SetGhostSkinData(T...) {}
	template<typename... T> void GetGhostSkin(T...) {}
	void InitRenderInfos(CGhostItem *) {}
	void UpdateTeeRenderInfo(CGhostItem &) {}
	int Load(const char *pFilename);
};

static const LOG_COLOR LOG_COLOR_GHOST{165, 153, 153};
#include "ghost-load.inc"

static unsigned Fnv(unsigned Hash, const void *pData, int Size)
{
	for(int i = 0; i < Size; i++)
		Hash = (Hash ^ ((const unsigned char *)pData)[i]) * 16777619u;
	return Hash;
}

static void Load(const char *pFile)
{
	FILE *pHeader = fopen(pFile, "rb");
	if(pHeader && fread(gs_aHeader, 1, sizeof(gs_aHeader), pHeader))
		fclose(pHeader);
	gs_Loader.m_pStorage = &gs_Storage;
#ifdef LOADER_HAS_CONSOLE
	gs_Loader.m_pConsole = &gs_Console;
#endif
#ifdef HAS_LOG
	log_set_global_logger(new CSaid());
#endif
	static CGhost Ghost;
	const int Slot = Ghost.Load(pFile);
	auto &Item = Ghost.m_aActiveGhosts[0];
	unsigned Hash = 2166136261u;
	const int Size = Slot < 0 ? 0 : Item.m_Path.Size();
	for(int i = 0; i < Size; i++)
		Hash = Fnv(Hash, Item.m_Path.Get(i), sizeof(CGhostCharacter));
	std::string Said;
	for(unsigned char c : gs_Said)
		Said += c == '"' || c == '\\' || c < 0x20 || c >= 0x7f ? '?' : (char)c;
	for(size_t At; (At = Said.find(pFile)) != std::string::npos;)
		Said.replace(At, strlen(pFile), "FILE");
	printf("{\"outcome\":\"%s\",\"said\":\"%s\",\"offset\":%ld,\"characters\":%d,\"start\":%d,\"hash\":%u}\n", Slot < 0 ? "refused" : "plays", Said.c_str(), gs_Closed, Size, Slot < 0 ? -1 : Item.m_StartTick, Hash);
	fflush(stdout);
	_exit(0);
}

int main(int NumArgs, const char **ppArgs)
{
#ifdef INIT_NETBASE
	CNetBase::Init();
#endif
	for(int i = 1; i < NumArgs; i++)
	{
		fflush(stdout);
		const pid_t Child = fork();
		if(Child == 0)
		{
			alarm(20);
			if(!freopen("/dev/null", "w", stderr))
				return 1;
			Load(ppArgs[i]);
		}
		int Status = 0;
		waitpid(Child, &Status, 0);
		if(WIFSIGNALED(Status))
			printf("{\"outcome\":\"%s\",\"signal\":%d}\n", WTERMSIG(Status) == SIGALRM ? "hangs" : "crashes", WTERMSIG(Status));
		else if(WEXITSTATUS(Status) != 0)
			printf("{\"outcome\":\"crashes\",\"exit\":%d}\n", WEXITSTATUS(Status));
	}
	return 0;
}
