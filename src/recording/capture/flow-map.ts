import { getOr } from '../../wire/bytes/get-or.ts';
import type { CaptureFrame } from '../container/capture/capture-reader.ts';

export type FlowKey = Pick<CaptureFrame, 'source' | 'sourcePort' | 'destination' | 'destinationPort'>;

/** The ends of a datagram, when it was sent, and its number. */
export type DatagramPlace = FlowKey & Pick<CaptureFrame, 'time' | 'number'>;

/**
 * Finds what has the ends of a datagram. A key of all four would be a new text for each datagram, whose hash is
 * computed again.
 */
export class FlowMap<Value extends FlowKey> {
  readonly #bySource = new Map<string, Map<string, Map<number, Value>>>();

  constructor(values: readonly Value[] = []) {
    for (const value of values) this.add(value);
  }

  get({ source, sourcePort, destination, destinationPort }: FlowKey): Value | undefined {
    return this.#bySource.get(source)?.get(destination)?.get(portsOf(sourcePort, destinationPort));
  }

  delete({ source, sourcePort, destination, destinationPort }: FlowKey): void {
    const byDestination = this.#bySource.get(source);
    const byPorts = byDestination?.get(destination);
    byPorts?.delete(portsOf(sourcePort, destinationPort));
    if (byPorts?.size === 0) byDestination!.delete(destination);
    if (byDestination?.size === 0) this.#bySource.delete(source);
  }

  add(value: Value): void {
    const { source, sourcePort, destination, destinationPort } = value;
    const byDestination = getOr(this.#bySource, source, () => new Map<string, Map<number, Value>>());
    const byPorts = getOr(byDestination, destination, () => new Map<number, Value>());
    byPorts.set(portsOf(sourcePort, destinationPort), value);
  }
}

const portsOf = (source: number, destination: number) => (source << 16) | destination;

/** The same ends the other way. */
export function reversed({ source, sourcePort, destination, destinationPort }: FlowKey): FlowKey {
  return { source: destination, sourcePort: destinationPort, destination: source, destinationPort: sourcePort };
}
