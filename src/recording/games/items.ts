import type { Subject } from './check.ts';

/** The bounds themselves are in the tables of src/wire/protocol: `bounds.ts` there has the games' exceptions. */
export const items: Subject = {
  about: 'item',
  title: 'Items',
  source: 'CNetObjHandler, which datasrc/compile.py writes',
  checks: [
    {
      code: 'out_of_bounds',
      severity: 'warning',
      when: '0.6: value outside the bounds of its field',
      ddnet: { does: 'clamped', how: 'the nearest bound is used' },
      teeworlds: 'dropped',
      source:
        'ClampInt, CheckInt; CClient::UnpackAndValidateSnapshot in client.cpp, CGameClient::OnNewSnapshot in gameclient.cpp',
    },
    {
      code: 'out_of_bounds',
      severity: 'warning',
      when: '0.7: value outside the bounds of its field, or negative tick',
      ddnet: 'dropped',
      source:
        'CheckInt; CGameClient::TranslateSnap in sixup_translate_snapshot.cpp, CGameClient::OnNewSnapshot in gameclient.cpp',
    },
    {
      code: 'out_of_bounds',
      severity: 'warning',
      when: 'extended item: value outside the bounds of its field',
      ddnet: { does: 'clamped', how: 'the nearest bound is used' },
      teeworlds: { does: 'ignored', how: 'the item is ignored' },
      source: 'ClampInt; CClient::UnpackAndValidateSnapshot in client.cpp',
    },
    {
      when: 'value above the last one of an enumeration that has grown',
      ddnet: { does: 'clamped', how: 'the last one that the version knows is used, or the value itself' },
      teeworlds: 'dropped',
      source: 'ClampInt, CheckInt',
    },
    {
      when: 'client number from 64 to 127; `out_of_bounds` for a client that says its version, otherwise `info` counts them',
      ddnet: { does: 'accepted', since: '19.0', before: 'clamped' },
      teeworlds: 'dropped',
      source: 'ClampInt, CheckInt; MAX_CLIENTS in protocol.h',
    },
    {
      code: 'never_sent',
      severity: 'warning',
      when: 'item of a type that only others contain, as an input',
      ddnet: 'ignored',
      source: 'CGameClient::OnNewSnapshot and ProcessEvents in gameclient.cpp',
    },
    {
      code: 'never_sent',
      severity: 'warning',
      when: '0.7: item of a type for demos in a connection',
      ddnet: { does: 'accepted', how: 'read as in a demo', since: '18.5' },
      teeworlds: 'ignored',
      source:
        'CGameClient::TranslateSnap in sixup_translate_snapshot.cpp, CGameClient::OnNewSnapshot in gameclient.cpp',
    },
  ],
};
