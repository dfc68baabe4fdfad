// A server of 0.6 for one client: after the client has joined, its snapshots show a character that walks in circles.
// Usage: node live-server.mjs PORT MAP.map [SECONDS]
import { createSocket } from 'node:dgram';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import process from 'node:process';
import { crc32 } from 'node:zlib';
