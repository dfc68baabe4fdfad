import { hexText } from '../hex/index.ts';
import type { Message } from './message.ts';
import type { MessageValue } from './message-reader.ts';
import type { VersionCertainty } from './mixed-message.ts';

type MessageJson = number | string | MessageJson[] | { [key: string]: MessageJson };

/**
 * A message for scripts: `{"name","system","id","uuid"?,"protocol"?,"certainty"?,"fields"}`; bytes as hex, of unknown messages all
 * of them in `data`.
 * @param certainty how sure the version is, if it is of the other version or the stream has messages of both
 */
export function messageJson(
  { type, system, id, uuid, version, values, diagnostics }: Message,
  certainty?: VersionCertainty,
) {
  const fields: Record<string, MessageJson> = {};
  for (const { path, value } of values) {
    if (value !== undefined) put(fields, path, typeof value === 'object' ? hexText(value) : value);
  }
  for (const { name, type: fieldType } of type?.fields ?? []) {
    if (fieldType.kind === 'repeat' && !diagnostics.error) fields[name] ??= [];
  }
  const head = { name: type?.name ?? null, system, id: id ?? null, ...(uuid === undefined ? {} : { uuid }) };
  if (version === undefined && (certainty === undefined || certainty === 'certain')) return { ...head, fields };
  return { ...head, ...(version && { protocol: version }), ...(certainty && { certainty }), fields };
}

/** Puts a value where its path says; a number in it is an index of a list. */
function put(into: Record<string, MessageJson>, path: MessageValue['path'], value: MessageJson): void {
  let at = into;
  const last = path.length - 1;
  for (let i = 0; i < last; i++) {
    at[path[i]!] ??= typeof path[i + 1] === 'number' ? [] : {};
    at = at[path[i]!] as Record<string, MessageJson>;
  }
  at[path[last]!] = value;
}
