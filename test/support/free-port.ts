import { createSocket } from 'node:dgram';
import { once } from 'node:events';

/** A port of UDP that nobody has, for a program that has to be told one. */
export async function freePort(): Promise<number> {
  const socket = createSocket('udp4').bind(0);
  await once(socket, 'listening');
  const { port } = socket.address();
  socket.close();
  await once(socket, 'close');
  return port;
}
