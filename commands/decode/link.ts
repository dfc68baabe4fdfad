import { maxLinkBytes, writePayloadLink } from '../../src/input/source/payload-link.ts';
import { count, thousands } from '../../src/output/text/number.ts';
import { contentsWithoutSecrets } from '../../src/wire/packet/secrets.ts';
import type { LoadedInput } from '../lib/input/inputs.ts';
import { usageError } from '../lib/options/errors.ts';

/**
 * A link that shows the bytes of an input in the page.
 * @throws CommandError if they are too many, or have a secret that is not to be shown
 */
export function linkOf(loaded: LoadedInput, site: string, showSecrets: boolean): string {
  if (loaded.kind === 'contents' && !showSecrets && contentsWithoutSecrets(loaded.contents) !== loaded.contents)
    throw usageError(
      `${loaded.name}: the link would have a password or a line of rcon in it; --show-secrets prints it`,
    );
  const { layers, version } =
    loaded.kind === 'contents'
      ? { layers: loaded.contents.layers, version: loaded.contents.protocol.version }
      : { layers: loaded.payload.layers, version: loaded.payload.types.protocol.version };
  if ('encoding' in layers && layers.encoding === 'json')
    throw usageError(`${loaded.name}: a link carries bytes, not JSON`);
  const link = writePayloadLink({ bytes: layers.file, version });
  if (link) return `${site}${link}\n`;
  throw usageError(
    `${loaded.name}: too long for a link: ${count(layers.file.length, 'byte')}, at most ${thousands(maxLinkBytes)}`,
  );
}
