# What a made-up mod adds, in the language of datasrc/network.py. A real one has the items and messages of its game before these.
from datatypes import *

Doors = Enum("DOOR", ["CLOSED", "OPEN", "BROKEN"])
Keys = Flags("KEY", ["HOUSE", "SHOP", "VAULT"])
NumSlots = 2 * 2

Enums = [Doors]
Flags = [Keys]

Objects = [
	NetObjectEx("CityDoor", "door@city-mod.example", [
		NetIntAny("m_X"),
		NetIntAny("m_Y"),
		NetEnum("m_State", Doors),
		NetFlag("m_Keys", Keys),
		NetTwIntString("m_aTitle", 16),
		NetArray(NetIntRange("m_aOwners", -1, 'MAX_CLIENTS-1'), NumSlots),
		NetIntRange("m_Level", 0, 10, default=0),
	]),

	NetEventEx("CityRobbery:CityDoor", "robbery@city-mod.example", [
		NetIntRange("m_Robber", 0, 'MAX_CLIENTS-1'),
	]),
]

Messages = [
	NetMessageEx("Sv_CityOffer", "offer@city-mod.example", [
		NetIntRange("m_ClientID", 0, 'MAX_CLIENTS-1'),
		NetStringStrict("m_pText"),
		NetTick("m_Expires", default=0),
	]),
]
