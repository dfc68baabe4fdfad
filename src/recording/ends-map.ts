import type { CaptureFrame } from '../container/capture/reader.ts';

/** The addresses and ports of a datagram. */
export type Ends = Pick<CaptureFrame, 'source' | 'sourcePort' | 'destination' | 'destinationPort'>;

/** Finds what has the ends of a datagram. A key of all four would be a new text for each datagram, whose hash is computed again. */
export class EndsMap<Value extends Ends> {
  readonly #bySource = new Map<string, Map<string, Map<number, Value>>>();

  constructor(values: readonly Value[] = []) {
    for (const value of values) this.add(value);
  }

  get({ source, sourcePort, destination, destinationPort }: Ends): Value | undefined {
    return this.#bySource.get(source)?.get(destination)?.get(portsOf(sourcePort, destinationPort));
  }

  add(value: Value): void {
    const { source, sourcePort, destination, destinationPort } = value;
    const byDestination = this.#bySource.get(source) ?? new Map<string, Map<number, Value>>();
    const byPorts = byDestination.get(destination) ?? new Map<number, Value>();
    this.#bySource.set(source, byDestination.set(destination, byPorts));
    byPorts.set(portsOf(sourcePort, destinationPort), value);
  }
}

const portsOf = (source: number, destination: number) => (source << 16) | destination;
