import type { FailedChecksum } from '../../explain/checksum-results.ts';
import { diagnosticMessage } from './diagnostic-messages.ts';
import { thousands } from './number.ts';
import { whereOf } from './recording-phrases.ts';
import type { Theme } from './theme.ts';

/** The failed snapshot and the reason: `127.0.0.1:52190  tick 31290 on base 31282, frame 12: announced 5, rebuilt 7, 2 too many` */
export function failureTitle(failure: FailedChecksum, theme: Theme): string {
  const { frame, client, crc, expected, cause } = failure;
  const verdict =
    crc === undefined
      ? `damaged${cause ? `: ${diagnosticMessage(cause)}` : ''}`
      : `announced ${expected}, rebuilt ${crc}, ${excessText((crc - expected) | 0)}`;
  return `${theme.strong(client)}  ${whereOf(failure)}${frame > 0 ? `, frame ${frame}` : ''}: ${verdict}`;
}

const excessText = (excess: number) =>
  excess > 0 ? `${thousands(excess)} too many` : `${thousands(Math.abs(excess))} too few`;
