import type { RecordingFormat } from '../../src/recording/formats.ts';
import { usageError } from './errors.ts';
import type { FollowOptions, InputOptions } from './options.ts';

/** An opened input: its name, and its format if it is a recording. */
export interface OpenedKind {
  readonly name: string;
  readonly format: RecordingFormat | undefined;
}

type KindOptions = Partial<Pick<InputOptions, 'client' | 'protocol' | 'kind' | 'hex' | 'nth'>>;

const isDemo = ({ format }: OpenedKind) => format?.name === 'demo';
const isCapture = (opened: OpenedKind) => opened.format !== undefined && !isDemo(opened);
const isPayload = ({ format }: OpenedKind) => format === undefined;

/** The options that have an effect only for some kinds of input. */
const rules: readonly {
  isGiven(options: KindOptions): boolean;
  isMeaningful(opened: OpenedKind): boolean;
  readonly text: string;
}[] = [
  {
    isGiven: ({ client }) => client !== undefined,
    isMeaningful: isCapture,
    text: '--client is for captures',
  },
  {
    isGiven: ({ protocol = 'auto' }) => protocol !== 'auto',
    isMeaningful: (opened) => !isCapture(opened),
    text: '-p is for payloads and demos; a capture says its version',
  },
  {
    isGiven: ({ kind = 'auto' }) => kind !== 'auto',
    isMeaningful: isPayload,
    text: '-k is for single payloads',
  },
  {
    isGiven: ({ hex }) => hex !== undefined,
    isMeaningful: isPayload,
    text: '--hex and --no-hex are for single payloads',
  },
  {
    isGiven: ({ nth }) => nth !== undefined,
    isMeaningful: isPayload,
    text: '--nth is for text with several packets',
  },
];

/**
 * Refuses options that have no effect on any of the inputs.
 * @throws CommandError
 */
export function refuseMeaningless(inputs: readonly OpenedKind[], options: KindOptions): void {
  const [first] = inputs;
  if (!first) return;
  for (const { isGiven, isMeaningful, text } of rules) {
    if (isGiven(options) && !inputs.some(isMeaningful))
      throw usageError(`${first.name}: ${text}; this is ${kindOf(first)}`);
  }
}

const kindOf = (opened: OpenedKind) =>
  isDemo(opened) ? 'a demo' : isCapture(opened) ? 'a capture' : 'a single payload';

/** A growing file has no end after which another one could be read. */
export function requireOneFile({ follow }: FollowOptions, files: readonly string[]): void {
  if (follow && files.length > 1) throw usageError('--follow is for a single file');
}
